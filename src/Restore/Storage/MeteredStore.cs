namespace Restore.Storage;

/// <summary>
/// Counts the requests to a store and the bytes from it. With retries between,
/// <paramref name="wire"/> counts: every try is a request.
/// </summary>
internal sealed class MeteredStore(IVolumeStore inner, MeteredStore? wire = null)
    : ForwardingStore(inner),
        IResumableListing
{
    // Bytes count for the operation that requested them, by its asynchronous flow of control: two
    // concurrent restores do not count each other's bytes.
    private readonly AsyncLocal<FetchCount?> current = new();
    private readonly AsyncLocal<ArrivingRead?> reading = new();
    private long bytesFetched;
    private long requests;

    /// <summary>Bytes of files that arrived, including broken transfers.</summary>
    public long BytesFetched => wire?.BytesFetched ?? Interlocked.Read(ref bytesFetched);

    /// <summary>Reads and listings, including failed ones.</summary>
    public long Requests => wire?.Requests ?? Interlocked.Read(ref requests);

    /// <summary>
    /// The rate limit of all transfers together (<c>throttle-download</c>); null for none.
    /// </summary>
    public long? BytesPerSecond { get; init; }

    public override IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) =>
        ListAfterAsync(null, cancellationToken);

    public IAsyncEnumerable<StoredFile> ListAfterAsync(string? lastName, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref requests);
        return Inner is IResumableListing resumable
            ? resumable.ListAfterAsync(lastName, cancellationToken)
            : Inner.ListAsync(cancellationToken);
    }

    /// <summary>
    /// Counts what the calling operation fetches from now on, with everything that it starts.
    /// </summary>
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

    public override async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        if (wire is not null)
        {
            return await Inner.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);
        }

        Interlocked.Increment(ref requests);
        ArrivingRead read = new(this, current.Value);

        // The store below gets the callback from the flow of control of this read, so that the
        // interface of stores needs no parameter for it.
        reading.Value = read;
        current.Value?.Begin();
        try
        {
            int count = await Inner.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);
            read.AddRest(count);
            return count;
        }
        catch (TransientStoreException failure)
        {
            read.AddRest(failure.BytesRead);
            throw;
        }
        finally
        {
            current.Value?.End();
        }
    }

    /// <summary>
    /// The callback that gets the bytes of the current read as they arrive; null outside of a read.
    /// </summary>
    public Action<int>? Arriving() => reading.Value is { } read ? read.Add : null;

    /// <summary>A request of the current operation failed and is repeated.</summary>
    public void Repeat(StoreRetry next) => current.Value?.Repeat(next);

    /// <summary>
    /// The bytes of one read. A store that does not say what comes is counted at the end of the
    /// read.
    /// </summary>
    private sealed class ArrivingRead(MeteredStore store, FetchCount? operation)
    {
        private long arrived;

        public void Add(int bytes)
        {
            Interlocked.Add(ref arrived, bytes);
            Interlocked.Add(ref store.bytesFetched, bytes);
            RestoreTelemetry.BytesFetched.Add(bytes);
            operation?.Add(bytes);
        }

        public void AddRest(int bytes) => Add((int)Math.Max(0, bytes - Interlocked.Read(ref arrived)));
    }
}
