namespace Restore.Mount;

/// <summary>A folder of a file system as a file system of its own.</summary>
internal sealed class RootedFiles(IMountedFiles files, ulong root) : IMountedFiles
{
    private const ulong Root = 1;

    /// <summary>Finds a folder.</summary>
    /// <param name="files">The file system.</param>
    /// <param name="folder">Where the path begins.</param>
    /// <param name="path">An original path. A drive of Windows is a folder of the mount: C:\x is
    /// C/x.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What is there; null if nothing is.</returns>
    public static async Task<NodeFacts?> FindAsync(
        IMountedFiles files,
        ulong folder,
        string path,
        CancellationToken cancellationToken
    )
    {
        var isOfWindows = path is [_, ':', '/', ..] or [_, ':'] || path.StartsWith("//", StringComparison.Ordinal);
        var names = EntryPath.TargetNames(isOfWindows ? path.Replace('/', '\\') : path);
        var found = await files.FactsAsync(folder, cancellationToken);
        foreach (var name in names)
        {
            if (
                !found.IsFolder
                || await files.LookUpAsync(found.Node, Encoding.UTF8.GetBytes(name), cancellationToken) is not { } next
            )
            {
                return null;
            }

            found = next;
        }

        return found;
    }

    public ValueTask<NodeFacts?> LookUpAsync(
        ulong folder,
        ReadOnlyMemory<byte> name,
        CancellationToken cancellationToken
    ) => files.LookUpAsync(Of(folder), name, cancellationToken);

    public async ValueTask<NodeFacts> FactsAsync(ulong node, CancellationToken cancellationToken) =>
        await files.FactsAsync(Of(node), cancellationToken) with
        {
            Node = node,
        };

    public ValueTask<byte[]> LinkTargetAsync(ulong node, CancellationToken cancellationToken) =>
        files.LinkTargetAsync(Of(node), cancellationToken);

    public ValueTask ListAsync(ulong folder, long position, FolderWriter writer, CancellationToken cancellationToken) =>
        files.ListAsync(Of(folder), position, writer, cancellationToken);

    public bool IsLasting(ulong folder) => files.IsLasting(Of(folder));

    public ValueTask<ulong> OpenAsync(ulong node, CancellationToken cancellationToken) =>
        files.OpenAsync(Of(node), cancellationToken);

    public ValueTask<int> ReadAsync(
        ulong handle,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken
    ) => files.ReadAsync(handle, offset, destination, cancellationToken);

    public ValueTask CloseAsync(ulong handle) => files.CloseAsync(handle);

    public ValueTask<byte[]> AttributeNamesAsync(ulong node, CancellationToken cancellationToken) =>
        files.AttributeNamesAsync(Of(node), cancellationToken);

    public ValueTask<byte[]?> AttributeAsync(
        ulong node,
        ReadOnlyMemory<byte> name,
        CancellationToken cancellationToken
    ) => files.AttributeAsync(Of(node), name, cancellationToken);

    private ulong Of(ulong node) => node == Root ? root : node;
}
