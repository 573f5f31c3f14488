using Restore.Planning.Paths;

namespace Restore;

/// <summary>
/// An entry of a version with its metadata, for an <see cref="IEntrySink"/>. Values that the backup
/// does not have are null.
/// </summary>
/// <param name="Entry">Path, kind, size and time, as listed.</param>
public sealed record ExportedEntry(BackupEntry Entry)
{
    /// <summary>The target of a link, as recorded; null for all other entries.</summary>
    public string? LinkTarget { get; init; }

    /// <summary>
    /// Last-modified time, UTC, to 100 ns; the time of the list if the metadata has none.
    /// </summary>
    public DateTimeOffset? LastModified { get; init; }

    /// <summary>Creation time, UTC, to 100 ns.</summary>
    public DateTimeOffset? Created { get; init; }

    /// <summary>File attributes of Windows.</summary>
    public FileAttributes? Attributes { get; init; }

    /// <summary>Mode bits, 0777 only.</summary>
    public UnixFileMode? Mode { get; init; }

    /// <summary>Number of the owner.</summary>
    public uint? UserId { get; init; }

    /// <summary>Number of the group.</summary>
    public uint? GroupId { get; init; }

    /// <summary>Name of the owner.</summary>
    public string? OwnerName { get; init; }

    /// <summary>Name of the group.</summary>
    public string? GroupName { get; init; }

    /// <summary>Extended attributes by name.</summary>
    public IReadOnlyList<KeyValuePair<string, byte[]>> ExtendedAttributes { get; init; } = [];

    /// <summary>
    /// The target of a link in a tree of another system than Windows: of a Windows backup, relative
    /// to the folder of the link and with '/' between names, if it is on the drive of the link,
    /// which is a folder of the tree; else as recorded.
    /// </summary>
    public string? PortableLinkTarget =>
        LinkTarget is { Length: > 0 } target && WindowsLink.IsWindows(Entry.Path)
            ? WindowsLink.Translate(Entry.Path, target, prefixLength: 0) ?? target
            : LinkTarget;

    internal static ExportedEntry Of(BackupEntry entry, EntryMetadata metadata) =>
        new(entry)
        {
            LinkTarget = entry.Kind == BackupEntryKind.Symlink ? metadata.SymlinkTarget : null,
            LastModified = TimeOf(metadata.LastWriteTicks) ?? entry.LastModified,
            Created = TimeOf(metadata.CreationTicks),
            Attributes = metadata.Attributes,
            Mode = (UnixFileMode?)metadata.Mode,
            UserId = metadata.UserId,
            GroupId = metadata.GroupId,
            OwnerName = metadata.OwnerName,
            GroupName = metadata.GroupName,
            ExtendedAttributes = metadata.ExtendedAttributes,
        };

    private static DateTimeOffset? TimeOf(long? ticks) =>
        ticks is long known ? new DateTimeOffset(known, TimeSpan.Zero) : null;
}
