namespace Restore.Mount;

/// <summary>
/// A read-only file system, as the kernel asks for it. Nodes have numbers; that of the root is 1. Every method is safe for concurrent use, and throws a
/// <see cref="FuseException"/>; any other exception is an input/output error.
/// </summary>
internal interface IMountedFiles
{
    /// <returns>What a folder has under a name; null if it has nothing.</returns>
    ValueTask<NodeFacts?> LookUpAsync(ulong folder, ReadOnlyMemory<byte> name, CancellationToken cancellationToken);

    ValueTask<NodeFacts> FactsAsync(ulong node, CancellationToken cancellationToken);

    ValueTask<byte[]> LinkTargetAsync(ulong node, CancellationToken cancellationToken);

    /// <summary>Lists a folder from a position on, until the writer is full.</summary>
    ValueTask ListAsync(ulong folder, long position, FolderWriter writer, CancellationToken cancellationToken);

    /// <summary>Whether the entries of a folder never change.</summary>
    bool IsLasting(ulong folder);

    /// <returns>The handle of an opened file.</returns>
    ValueTask<ulong> OpenAsync(ulong node, CancellationToken cancellationToken);

    /// <returns>The number of bytes read; fewer than asked for only at the end of the file.</returns>
    ValueTask<int> ReadAsync(ulong handle, long offset, Memory<byte> destination, CancellationToken cancellationToken);

    ValueTask CloseAsync(ulong handle);

    /// <returns>The names of the extended attributes, each with a NUL at its end.</returns>
    ValueTask<byte[]> AttributeNamesAsync(ulong node, CancellationToken cancellationToken);

    /// <returns>The value of an extended attribute; null if there is none of that name.</returns>
    ValueTask<byte[]?> AttributeAsync(ulong node, ReadOnlyMemory<byte> name, CancellationToken cancellationToken);
}

/// <summary>What the kernel wants to know of a file, folder or link.</summary>
/// <param name="Node">Its number, which is its inode number too.</param>
/// <param name="Mode">Type and mode bits.</param>
/// <param name="SizeBytes">Length of the content, or of the target of a link.</param>
/// <param name="Ticks">Last-modified time, UTC, in ticks of .NET.</param>
/// <param name="UserId">The owner.</param>
/// <param name="GroupId">The group.</param>
/// <param name="IsLasting">Whether it never changes, so that the kernel may remember it.</param>
internal readonly record struct NodeFacts(ulong Node, uint Mode, long SizeBytes, long Ticks, uint UserId, uint GroupId, bool IsLasting)
{
    public const uint Folder = 0x4000;
    public const uint File = 0x8000;
    public const uint Link = 0xA000;
    public const uint DefaultFolderMode = 0x1ED;
    public const uint DefaultFileMode = 0x1A4;
    public const uint LinkMode = 0x1FF;

    public bool IsFolder => (Mode & 0xF000) == Folder;

    public static uint TypeOf(BackupEntryKind kind) => kind switch
    {
        BackupEntryKind.Folder => Folder,
        BackupEntryKind.Symlink => Link,
        _ => File,
    };
}
