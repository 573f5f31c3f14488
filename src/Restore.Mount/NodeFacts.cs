namespace Restore.Mount;

/// <summary>What the kernel wants to know of a file, folder or link.</summary>
/// <param name="Node">Its number, which is its inode number too.</param>
/// <param name="Mode">Type and mode bits.</param>
/// <param name="SizeBytes">Length of the content, or of the target of a link.</param>
/// <param name="Ticks">Last-modified time, UTC, in ticks of .NET.</param>
/// <param name="UserId">The owner.</param>
/// <param name="GroupId">The group.</param>
/// <param name="IsLasting">Whether it never changes, so that the kernel may remember it.</param>
internal readonly record struct NodeFacts(
    ulong Node,
    uint Mode,
    long SizeBytes,
    long Ticks,
    uint UserId,
    uint GroupId,
    bool IsLasting
)
{
    public const uint Folder = 0x4000;
    public const uint File = 0x8000;
    public const uint Link = 0xA000;
    public const uint DefaultFolderMode = 0x1ED;
    public const uint DefaultFileMode = 0x1A4;

    // The recorded mode may have been for the owner alone.
    public const uint LostFolderMode = 0x1C0;
    public const uint LostFileMode = 0x180;
    public const uint LinkMode = 0x1FF;

    public bool IsFolder => (Mode & 0xF000) == Folder;

    public static uint TypeOf(BackupEntryKind kind) =>
        kind switch
        {
            BackupEntryKind.Folder => Folder,
            BackupEntryKind.Symlink => Link,
            _ => File,
        };
}
