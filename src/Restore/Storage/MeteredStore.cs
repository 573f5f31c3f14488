namespace Restore.Storage;

/// <summary>Counts what is asked of a store and what comes from it, for the report.</summary>
/// <param name="inner">The store.</param>
/// <param name="wire">What counts instead, when retries stand between: every try is a request, and its bytes have come.</param>
internal sealed class MeteredStore(IVolumeStore inner, MeteredStore? wire = null) : IVolumeStore, IResumableListing
{
    private long bytesFetched;
    private long requests;

    /// <summary>Bytes of files that arrived, those of broken transfers included.</summary>
    public long BytesFetched => wire?.BytesFetched ?? Interlocked.Read(ref bytesFetched);

    /// <summary>Reads and listings asked of the store, those that failed included.</summary>
    public long Requests => wire?.Requests ?? Interlocked.Read(ref requests);

    /// <summary>The rate that all transfers together keep to (<c>throttle-download</c>); null without one.</summary>
    public long? BytesPerSecond { get; init; }

    public string DisplayName => inner.DisplayName;

    public bool HasRanges => inner.HasRanges;

    public bool IsLocal => inner.IsLocal;

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) => ListAfterAsync(null, cancellationToken);

    public IAsyncEnumerable<StoredFile> ListAfterAsync(string? lastName, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref requests);
        return inner is IResumableListing resumable ? resumable.ListAfterAsync(lastName, cancellationToken) : inner.ListAsync(cancellationToken);
    }

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        Interlocked.Increment(ref requests);
        try
        {
            int count = await inner.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);
            Count(count);
            return count;
        }
        catch (TransientStoreException failure)
        {
            Count(failure.BytesRead);
            throw;
        }
    }

    public ValueTask DisposeAsync() => inner.DisposeAsync();

    private void Count(int bytes)
    {
        Interlocked.Add(ref bytesFetched, bytes);
        if (wire is null)
        {
            RestoreTelemetry.BytesFetched.Add(bytes);
        }
    }
}
