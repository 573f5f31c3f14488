using System.Runtime.Versioning;

namespace Restore.Writing.Source;

/// <summary>Creates the metadata blob of an entry. Not safe for concurrent use.</summary>
internal sealed class MetadataReader(bool isSkipped, BlockLayout layout)
{
    // At most one blocklist: Duplicati never writes more for metadata. And no more than a restore
    // takes.
    private readonly long maxBytes = Math.Min(
        (long)layout.HashesPerBlocklist * layout.BlockSizeBytes,
        VersionContent.MaxMetadataBytes
    );
    private readonly OwnerNames owners = new();
    private readonly JsonOutput json = new();

    private readonly List<KeyValuePair<string, byte[]>> attributes = [];
    private readonly List<string> problems = [];

    /// <summary>
    /// Whether the entry that was read last has an extended attribute that no backup can hold.
    /// </summary>
    public bool LeftOutAttribute { get; private set; }

    /// <summary>
    /// What the blob lacks of the entry that was read last: one sentence for each problem.
    /// </summary>
    public IReadOnlyList<string> Problems => problems;

    /// <summary>The blob of an entry; an empty object if metadata is not wanted.</summary>
    /// <param name="folder">The handle of its folder, on Linux.</param>
    /// <exception cref="IOException">The link cannot be read, or the entry is no longer a link; or
    /// the metadata is too long for the backup.</exception>
    public byte[] Read(in SourceEntry entry, int folder)
    {
        attributes.Clear();
        problems.Clear();
        LeftOutAttribute = false;
        EntryMetadata described = isSkipped ? EntryMetadata.Empty : Describe(entry, folder);
        byte[] blob = described.Write(json);
        while (blob.Length > maxBytes || attributes.Count > MetadataValues.MaxExtendedAttributes)
        {
            blob = WithoutLongest(described, blob.Length);
        }

        return blob;
    }

    /// <summary>
    /// The blob without the longest attribute: times, mode and owner are worth more.
    /// </summary>
    private byte[] WithoutLongest(EntryMetadata described, int length)
    {
        if (attributes.Count == 0)
        {
            throw new IOException(
                $"its metadata has {length:N0} bytes, and with the blocks of this backup at most {maxBytes:N0} can be stored"
            );
        }

        KeyValuePair<string, byte[]> longest = attributes.MaxBy(one => one.Value.Length);
        attributes.Remove(longest);
        problems.Add(
            $"Its extended attribute {longest.Key} of {longest.Value.Length:N0} bytes is not in the backup: "
                + $"the metadata of an entry can have {maxBytes:N0} bytes and {MetadataValues.MaxExtendedAttributes:N0} attributes here"
        );
        return described.Write(json);
    }

    private EntryMetadata Describe(in SourceEntry entry, int folder)
    {
        SourceStatus status = entry.Status;
        bool isLink = entry.Kind == EntryKind.Symlink;
        if (OperatingSystem.IsLinux() && !isLink)
        {
            List<string> failures = [];
            LeftOutAttribute = !LinuxAttributes.Read(folder, entry.Path, entry.IsFollowed, attributes, failures);
            problems.AddRange(failures.Select(failure => $"A part of its metadata is not in the backup: {failure}"));
        }

        bool areRulesProtected = false;
        string? rules = OperatingSystem.IsWindows() ? AccessRulesOf(entry, out areRulesProtected) : null;
        return new EntryMetadata
        {
            WindowsAccessRules = rules,
            WindowsAccessRulesProtected = areRulesProtected,
            ExtendedAttributes = attributes,
            UserId = status.UserId,
            GroupId = status.GroupId,
            Mode = status.Mode,
            OwnerName = status.UserId is { } user ? owners.User(user) : null,
            GroupName = status.GroupId is { } group ? owners.Group(group) : null,
            Attributes = status.Attributes,
            LastWriteTicks = status.LastWriteTicks,
            CreationTicks = status.CreationTicks,
            SymlinkTarget =
                !isLink ? null
                : OperatingSystem.IsLinux() ? LinuxSource.LinkTarget(folder, entry.Path)
                : new FileInfo(entry.Path).LinkTarget ?? throw new IOException($"{entry.Path} is no link any more"),
        };
    }

    /// <summary>
    /// The access rules; null if they cannot be read. That is a problem, except for a link, because
    /// links have their own rules only on some systems.
    /// </summary>
    [SupportedOSPlatform("windows")]
    private string? AccessRulesOf(in SourceEntry entry, out bool areProtected)
    {
        areProtected = false;
        try
        {
            bool isFolder = entry.Kind == EntryKind.Folder || entry.Status.IsLinkToFolder;
            return WindowsSource.AccessRulesOf(entry.Path, isFolder, out areProtected);
        }
        catch (Exception failure)
            when (failure
                    is IOException
                        or UnauthorizedAccessException
                        or NotSupportedException
                        or InvalidOperationException
            )
        {
            if (entry.Kind != EntryKind.Symlink)
            {
                problems.Add($"Its access rules are not in the backup: {failure.Reason()}");
            }

            return null;
        }
    }
}
