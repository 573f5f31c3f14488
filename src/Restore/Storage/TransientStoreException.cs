namespace Restore.Storage;

/// <summary>
/// A request failed in a way that the next try may not: the store was busy, did not answer, or broke off. Never leaves <see cref="RetryingStore"/>.
/// </summary>
internal sealed class TransientStoreException(string message, Exception? innerException = null) : IOException(message, innerException)
{
    /// <summary>Bytes that had arrived at the start of the destination, all of them good.</summary>
    public int BytesRead { get; init; }

    /// <summary>How long the store asks to be left alone, if it said so.</summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>Whether nothing was there to answer: name not found, connection refused. When that stays so, the store is gone, not the file.</summary>
    public bool StoreUnreachable { get; init; }
}
