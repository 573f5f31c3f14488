namespace Restore;

/// <summary>An entry as the file list of a version has it.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Files">1, or the number of files in a folder and all folders below it.</param>
/// <param name="SizeBytes">The length of their contents.</param>
/// <param name="LastModified">The time of a file, in UTC and whole seconds; for a folder, the time
/// of its newest file. Null if the list has no time.</param>
/// <param name="Hash">The hash in hexadecimal digits. For a file, the hash of its content by the
/// algorithm of the backup (SHA-256 by default); for a link, the hash of its metadata; for a
/// folder, a SHA-256 over the paths, kinds and hashes in it. Empty if the list has no hash.
/// </param>
public sealed record EntryState(
    BackupEntryKind Kind,
    long Files,
    long SizeBytes,
    DateTimeOffset? LastModified,
    string Hash
)
{
    /// <summary>Whether a version has the same content as another one.</summary>
    public bool HasContentOf(EntryState? other) =>
        other is not null && Kind == other.Kind && SizeBytes == other.SizeBytes && Hash == other.Hash;
}
