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

    internal static BackupEntry Of(VersionContent version, EntryId entry)
    {
        EntryRow row = version.Entries[entry];
        DateTimeOffset? time = row.TimeTicks == 0 ? null : new DateTimeOffset(row.TimeTicks, TimeSpan.Zero);
        return new(version.PathText(entry), KindOf(row.Kind), version.SizeOf(entry), time)
        {
            Hash = Convert.ToHexStringLower(HashOf(version, entry)),
        };
    }

    internal static BackupEntry Of(in EntryInList entry) =>
        new(Encoding.UTF8.GetString(entry.Path), entry.Kind, entry.SizeBytes, entry.LastModified)
        {
            Hash = Convert.ToHexStringLower(entry.Hash),
        };

    internal static BackupEntryKind KindOf(EntryKind kind) =>
        kind switch
        {
            EntryKind.Folder => BackupEntryKind.Folder,
            EntryKind.Symlink => BackupEntryKind.Symlink,
            _ => BackupEntryKind.File,
        };

    /// <summary>
    /// The hash of the content for a file, or of the metadata (which has the target) for a link.
    /// </summary>
    internal static ReadOnlySpan<byte> HashOf(VersionContent version, EntryId entry)
    {
        EntryRow row = version.Entries[entry];
        ContentId hashed =
            row.Kind.IsFile() ? row.Content
            : row.Kind == EntryKind.Symlink ? row.Metadata
            : ContentId.None;
        return hashed.IsNone || !version.HasFileHash(hashed) ? [] : version.FileHashOf(hashed);
    }
}
