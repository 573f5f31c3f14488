namespace Restore.Mount;

/// <summary>
/// A read-only file system, as the kernel asks for it. Nodes have numbers; the root is number 1.
/// Every method is safe for concurrent use, and throws a <see cref="FuseException"/>; any other
/// exception is an input/output error.
/// </summary>
internal interface IMountedFiles
{
    /// <returns>The entry of a folder with a name; null if there is no such entry.</returns>
    ValueTask<NodeFacts?> LookUpAsync(ulong folder, ReadOnlyMemory<byte> name, CancellationToken cancellationToken);

    ValueTask<NodeFacts> FactsAsync(ulong node, CancellationToken cancellationToken);

    ValueTask<byte[]> LinkTargetAsync(ulong node, CancellationToken cancellationToken);

    /// <summary>Lists a folder from a position on, until the writer is full.</summary>
    ValueTask ListAsync(ulong folder, long position, FolderWriter writer, CancellationToken cancellationToken);

    /// <summary>Whether the entries of a folder never change.</summary>
    bool IsLasting(ulong folder);

    /// <returns>The handle of an opened file.</returns>
    ValueTask<ulong> OpenAsync(ulong node, CancellationToken cancellationToken);

    /// <returns>The number of bytes read; fewer than asked for only at the end of the
    /// file.</returns>
    ValueTask<int> ReadAsync(ulong handle, long offset, Memory<byte> destination, CancellationToken cancellationToken);

    ValueTask CloseAsync(ulong handle);

    /// <returns>The names of the extended attributes, each with a NUL at its end.</returns>
    ValueTask<byte[]> AttributeNamesAsync(ulong node, CancellationToken cancellationToken);

    /// <returns>The value of an extended attribute; null if no attribute has that name.</returns>
    ValueTask<byte[]?> AttributeAsync(ulong node, ReadOnlyMemory<byte> name, CancellationToken cancellationToken);
}
