namespace Restore.Storage;

/// <summary>Counts the requests to a store and the bytes from it. With retries between, <paramref name="wire"/> counts: every try is a request.</summary>
internal sealed class MeteredStore(IVolumeStore inner, MeteredStore? wire = null) : IVolumeStore, IResumableListing
{
    // Bytes count for the operation in whose flow of control they are requested: two concurrent restores do not count each other's bytes.
    private readonly AsyncLocal<FetchCount?> current = new();
    private long bytesFetched;
    private long requests;

    /// <summary>Bytes of files that arrived, including broken transfers.</summary>
    public long BytesFetched => wire?.BytesFetched ?? Interlocked.Read(ref bytesFetched);

    /// <summary>Reads and listings, including failed ones.</summary>
    public long Requests => wire?.Requests ?? Interlocked.Read(ref requests);

    /// <summary>The rate limit of all transfers together (<c>throttle-download</c>); null for none.</summary>
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

    /// <summary>Counts what the calling operation fetches from now on, with everything that it starts.</summary>
    public FetchCount StartCount()
    {
        if (wire is not null)
        {
            return wire.StartCount();
        }

        FetchCount count = new();
        current.Value = count;
        return count;
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
        current.Value?.Add(bytes);
        if (wire is null)
        {
            RestoreTelemetry.BytesFetched.Add(bytes);
        }
    }
}

internal sealed class FetchCount
{
    private long bytes;

    public long Bytes => Interlocked.Read(ref bytes);

    public void Add(long more) => Interlocked.Add(ref bytes, more);
}
