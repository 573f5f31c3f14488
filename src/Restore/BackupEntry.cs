namespace Restore;

/// <summary>An entry of a version, as listed by <see cref="Backup.ListAsync"/>.</summary>
/// <param name="Path">The full original path.</param>
/// <param name="Kind">What it is.</param>
/// <param name="SizeBytes">Length of a file's content; 0 for the others.</param>
/// <param name="LastModified">The time of a file, in UTC and whole seconds; null if the list has no
/// time.</param>
public sealed record BackupEntry(string Path, BackupEntryKind Kind, long SizeBytes, DateTimeOffset? LastModified)
{
    /// <summary>
    /// The hash in hexadecimal digits: of the content for a file, of the metadata (which has the
    /// target) for a link. Empty for a folder, or if the list has no hash.
    /// </summary>
    public string Hash { get; init; } = "";
}
