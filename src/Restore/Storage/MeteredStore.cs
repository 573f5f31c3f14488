namespace Restore.Storage;

/// <summary>Counts what is asked of a store and what comes from it, for the report.</summary>
internal sealed class MeteredStore(IVolumeStore inner) : IVolumeStore
{
    private long bytesFetched;
    private long requests;

    /// <summary>Bytes of files that the store handed over.</summary>
    public long BytesFetched => Interlocked.Read(ref bytesFetched);

    /// <summary>Reads and listings asked of the store, those that failed included.</summary>
    public long Requests => Interlocked.Read(ref requests);

    public string DisplayName => inner.DisplayName;

    public bool HasRanges => inner.HasRanges;

    public bool IsLocal => inner.IsLocal;

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default)
    {
        Interlocked.Increment(ref requests);
        return inner.ListAsync(cancellationToken);
    }

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        Interlocked.Increment(ref requests);
        int count = await inner.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);
        Interlocked.Add(ref bytesFetched, count);
        return count;
    }

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}
