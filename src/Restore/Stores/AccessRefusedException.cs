namespace Restore.Stores;

/// <summary>
/// A store refuses access to a file, or to its listing, with these credentials; a retry would not
/// help. The file counts as refused, not as damaged. If the listing is refused, the restore ends.
/// </summary>
/// <param name="message">What was refused, without a full stop and without credentials.</param>
/// <param name="innerException">The cause, or null.</param>
public sealed class AccessRefusedException(string message, Exception? innerException = null)
    : IOException(message, innerException)
{
    /// <summary>
    /// Whether the file is in archive storage: the store has to restore it first, and no other user
    /// can read it either.
    /// </summary>
    public bool IsArchived { get; init; }
}
