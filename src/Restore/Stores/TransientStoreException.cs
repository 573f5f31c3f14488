namespace Restore.Stores;

/// <summary>
/// A request to a store failed, but a retry may succeed: the store was busy, did not answer, or the
/// connection broke. The library retries.
/// </summary>
/// <param name="message">What happened, without a full stop and without credentials.</param>
/// <param name="innerException">The cause, or null.</param>
public sealed class TransientStoreException(string message, Exception? innerException = null)
    : IOException(message, innerException)
{
    /// <summary>
    /// For a read: how many bytes at the start of the destination are good. The next try continues
    /// after them.
    /// </summary>
    public int BytesRead { get; init; }

    /// <summary>
    /// How long the store asks to wait; null if it did not say. The limit is five minutes.
    /// </summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>
    /// Whether there was no answer: name not found, connection refused, timeout. If that happens to
    /// three files in a row, each with all retries, the store is lost and the restore ends.
    /// </summary>
    public bool StoreUnreachable { get; init; }

    /// <summary>
    /// Whether there is no server at the address: the connection was refused or not answered, or no
    /// host has the name. If that happens before the store has answered at all, the address is
    /// probably wrong, and the tries follow within seconds.
    /// </summary>
    public bool NothingListens { get; init; }
}
