namespace Restore.Catalog;

/// <summary>Describes entries of versions and of file lists to users.</summary>
internal static class ListedEntries
{
    public static BackupEntry Of(VersionContent version, EntryId entry)
    {
        EntryRow row = version.Entries[entry];
        DateTimeOffset? time = row.TimeTicks == 0 ? null : new DateTimeOffset(row.TimeTicks, TimeSpan.Zero);
        return new(version.PathText(entry), row.Kind.ToPublic(), version.SizeOf(entry), time)
        {
            Hash = Convert.ToHexStringLower(HashOf(version, entry)),
        };
    }

    public static BackupEntry Of(in EntryInList entry) =>
        new(Encoding.UTF8.GetString(entry.Path), entry.Kind, entry.SizeBytes, entry.LastModified)
        {
            Hash = Convert.ToHexStringLower(entry.Hash),
        };

    /// <summary>
    /// The hash of the content for a file, or of the metadata (which has the target) for a link.
    /// </summary>
    public static ReadOnlySpan<byte> HashOf(VersionContent version, EntryId entry)
    {
        EntryRow row = version.Entries[entry];
        ContentId hashed =
            row.Kind.IsFile() ? row.Content
            : row.Kind == EntryKind.Symlink ? row.Metadata
            : ContentId.None;
        return hashed.IsNone || !version.HasFileHash(hashed) ? [] : version.FileHashOf(hashed);
    }
}
