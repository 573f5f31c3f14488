namespace Restore.Storage;

/// <summary>
/// The name that a volume has until it is whole. No volume can have such a name, and it includes
/// the prefix of the backup. It does not begin with a dot, because FTP servers hide such names.
/// </summary>
internal static class PartialName
{
    private const string Mark = "incomplete_";

    public static string Of(string name) => Mark + name.Replace('-', '=');

    /// <summary>
    /// Removes what interrupted uploads of a backup have left. The caller has the lock of writers.
    /// </summary>
    public static async Task RemoveAsync(
        RetryingSink sink,
        string prefix,
        IEnumerable<StoredFile> files,
        CancellationToken cancellationToken
    )
    {
        foreach (StoredFile part in files.Where(file => sink.CanDelete && IsOf(prefix, file.Name)))
        {
            await sink.DeleteAsync(part.Name, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Whether it is such a name, of whatever backup.</summary>
    public static bool IsPartial(string name) =>
        name.StartsWith(Mark, StringComparison.Ordinal) && !name.Contains('-', StringComparison.Ordinal);

    /// <summary>
    /// Whether a file was left by an interrupted upload of a volume or a lock of this backup.
    /// </summary>
    public static bool IsOf(string prefix, string name) =>
        name.StartsWith($"{Mark}{prefix}=", StringComparison.Ordinal)
        || name.StartsWith(Of(WriterLock.MarkOf(prefix)), StringComparison.Ordinal);
}
