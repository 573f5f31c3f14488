namespace Restore.Storage;

/// <summary>
/// A store in front of another store. Calls that it does not override are forwarded.
/// </summary>
/// <param name="ownsInner">Whether the other store is disposed with this one.</param>
internal abstract class ForwardingStore(IVolumeStore inner, bool ownsInner = true)
    : IVolumeStore,
        IFolderListing,
        IOpenFiles
{
    public string DisplayName => Inner.DisplayName;

    public bool HasRanges => Inner.HasRanges;

    public bool IsLocal => Inner.IsLocal;

    public IReadOnlyCollection<string> ListedFolders => Inner is IFolderListing folders ? folders.ListedFolders : [];

    protected IVolumeStore Inner { get; } = inner;

    public virtual IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) =>
        Inner.ListAsync(cancellationToken);

    public virtual ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    ) => Inner.ReadAsync(name, offset, destination, cancellationToken);

    public virtual IDisposable? KeepOpen(string name) => (Inner as IOpenFiles)?.KeepOpen(name);

    public virtual ValueTask DisposeAsync() => ownsInner ? Inner.DisposeAsync() : ValueTask.CompletedTask;
}
