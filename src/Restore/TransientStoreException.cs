namespace Restore;

/// <summary>
/// A request to a store failed in a way that the next try may not: the store was busy, did not answer, or the connection broke. The library tries again.
/// </summary>
/// <param name="message">What happened, as a sentence without a full stop and without credentials.</param>
/// <param name="innerException">The cause, or null.</param>
public sealed class TransientStoreException(string message, Exception? innerException = null) : IOException(message, innerException)
{
    /// <summary>For a read: how many bytes at the start of the destination are good. The next try continues after them.</summary>
    public int BytesRead { get; init; }

    /// <summary>How long the store asks to be left alone; null if it did not say. More than five minutes are taken as five minutes.</summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>
    /// Whether nothing answered: name not found, connection refused, silence. When that happens to three files in a row, each with all its tries, the store is
    /// gone and the run ends.
    /// </summary>
    public bool StoreUnreachable { get; init; }
}
