namespace Restore.Reporting;

/// <summary>
/// Counts what an operation gets from the store, as it arrives. Safe for concurrent use.
/// </summary>
internal sealed class FetchCount
{
    private long bytes;
    private int openRequests;
    private volatile StoreRetry? retry;

    public long Bytes => Interlocked.Read(ref bytes);

    public int OpenRequests => Volatile.Read(ref openRequests);

    /// <summary>
    /// The request that failed last and is repeated; null if bytes have come since.
    /// </summary>
    public StoreRetry? Retry => retry;

    /// <summary>Called after each change.</summary>
    public Action Changed { get; set; } = static () => { };

    public void Add(long more)
    {
        Interlocked.Add(ref bytes, more);

        // Bytes have come, so the store answers again.
        retry = more > 0 ? null : retry;
        Changed();
    }

    public void Begin()
    {
        Interlocked.Increment(ref openRequests);
        Changed();
    }

    public void End()
    {
        Interlocked.Decrement(ref openRequests);
        Changed();
    }

    public void Repeat(StoreRetry next)
    {
        retry = next;
        Changed();
    }
}
