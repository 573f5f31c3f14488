namespace Restore.Writing.Source;

/// <summary>Creates the metadata blob of an entry. Not safe for concurrent use.</summary>
internal sealed class MetadataReader(bool isSkipped, BlockLayout layout)
{
    // At most one blocklist: Duplicati never writes more for metadata.
    private readonly long maxBytes = (long)layout.HashesPerBlocklist * layout.BlockSizeBytes;
    private readonly OwnerNames owners = new();
    private readonly JsonOutput json = new();

    /// <summary>Whether the entry that was read last has an extended attribute that no backup can hold.</summary>
    public bool LeftOutAttribute { get; private set; }

    /// <summary>The blob of an entry; an empty object if metadata is not wanted, or is too long.</summary>
    /// <param name="folder">The handle of its folder, on Linux.</param>
    /// <exception cref="IOException">It is a link that cannot be read, or none any more.</exception>
    public byte[] Read(in SourceEntry entry, int folder)
    {
        byte[] blob = (isSkipped ? EntryMetadata.Empty : Describe(entry, folder)).Write(json);
        return blob.Length <= maxBytes ? blob : EntryMetadata.Empty.Write(json);
    }

    private EntryMetadata Describe(in SourceEntry entry, int folder)
    {
        SourceStatus status = entry.Status;
        bool isLink = entry.Kind == EntryKind.Symlink;
        bool areAll = true;
        IReadOnlyList<KeyValuePair<string, byte[]>> attributes =
            OperatingSystem.IsLinux() && !isLink ? LinuxSource.ExtendedAttributes(folder, entry.Path, out areAll) : [];
        LeftOutAttribute = !areAll;
        return new EntryMetadata
        {
            ExtendedAttributes = attributes,
            UserId = status.UserId,
            GroupId = status.GroupId,
            Mode = status.Mode,
            OwnerName = status.UserId is { } user ? owners.User(user) : null,
            GroupName = status.GroupId is { } group ? owners.Group(group) : null,
            Attributes = status.Attributes,
            LastWriteTicks = status.LastWriteTicks,
            CreationTicks = status.CreationTicks,
            SymlinkTarget = !isLink ? null
                : OperatingSystem.IsLinux() ? LinuxSource.LinkTarget(folder, entry.Path)
                : new FileInfo(entry.Path).LinkTarget ?? throw new IOException($"{entry.Path} is no link any more"),
        };
    }
}

/// <summary>The names of users and groups by id on this system. Not safe for concurrent use.</summary>
internal sealed unsafe class OwnerNames
{
    private const int MaxRecordBytes = 1 << 20;
    private const int RecordTooLong = 34;

    private readonly Dictionary<uint, string?> users = [];
    private readonly Dictionary<uint, string?> groups = [];

    private delegate int Query(uint id, void* record, byte* buffer, nint length, void** found);

    /// <summary>The user's name, or null if this system does not know it.</summary>
    public string? User(uint id) => Find(users, id, Libc.GetPwUid);

    /// <summary>The group's name, or null if this system does not know it.</summary>
    public string? Group(uint id) => Find(groups, id, Libc.GetGrGid);

    private static string? Find(Dictionary<uint, string?> known, uint id, Query query)
    {
        if (!known.TryGetValue(id, out string? name))
        {
            name = Ask(id, query);
            known.Add(id, name);
        }

        return name;
    }

    private static string? Ask(uint id, Query query)
    {
        // Room for struct passwd and struct group; both begin with a pointer to the name.
        byte** record = stackalloc byte*[32];
        for (int length = 1024; length <= MaxRecordBytes; length *= 4)
        {
            byte** found;
            fixed (byte* buffer = new byte[length])
            {
                int error = query(id, record, buffer, length, (void**)&found);
                if (error != RecordTooLong)
                {
                    return error == 0 && found is not null ? Marshal.PtrToStringUTF8((nint)found[0]) : null;
                }
            }
        }

        return null;
    }
}
