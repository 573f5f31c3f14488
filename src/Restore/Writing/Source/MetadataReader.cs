using Restore.Format;

namespace Restore.Writing.Source;

/// <summary>Creates the metadata blob of an entry. Not safe for concurrent use.</summary>
internal sealed class MetadataReader(bool isSkipped, BlockLayout layout)
{
    // At most one blocklist: Duplicati never writes more for metadata.
    private readonly long maxBytes = (long)layout.HashesPerBlocklist * layout.BlockSizeBytes;
    private readonly OwnerNames owners = new();
    private readonly JsonOutput json = new();

    /// <summary>The blob of an entry; an empty object if metadata is not wanted, or is too long.</summary>
    public byte[] Read(in SourceEntry entry)
    {
        byte[] blob = (isSkipped ? EntryMetadata.Empty : Describe(entry)).Write(json);
        return blob.Length <= maxBytes ? blob : EntryMetadata.Empty.Write(json);
    }

    private EntryMetadata Describe(in SourceEntry entry)
    {
        SourceStatus status = entry.Status;
        bool isLink = entry.Kind == EntryKind.Symlink;
        return new EntryMetadata
        {
            ExtendedAttributes = OperatingSystem.IsLinux() && !isLink ? LinuxSource.UserAttributes(entry.Path) : [],
            UserId = status.UserId,
            GroupId = status.GroupId,
            Mode = status.Mode,
            OwnerName = status.UserId is { } user ? owners.User(user) : null,
            GroupName = status.GroupId is { } group ? owners.Group(group) : null,
            Attributes = status.Attributes,
            LastWriteTicks = status.LastWriteTicks,
            CreationTicks = status.CreationTicks,
            SymlinkTarget = isLink ? new FileInfo(entry.Path).LinkTarget : null,
        };
    }
}
