namespace Restore;

/// <content>One entry in the versions.</content>
public partial class Backup
{
    /// <summary>
    /// Describes a file, a link, or a folder with all that is in it, as the file list of a version
    /// has it. Reads nothing else.
    /// </summary>
    /// <param name="version">One of <see cref="Versions"/>.</param>
    /// <param name="path">The full original path. The path of a folder may end with a
    /// separator.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>Its state; null if the version does not have it.</returns>
    /// <exception cref="RestoreException">The file list cannot be read, or the passphrase is
    /// wrong.</exception>
    public virtual async Task<EntryState?> DescribeAsync(
        BackupVersion version,
        string path,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(version);
        ArgumentException.ThrowIfNullOrEmpty(path);
        string name = EntryPath.WithoutSeparator(path).ToString();
        EntryFilter filter = EntryFilter.OfEntries(
            name.Length == 0 ? [path]
            : name.StartsWith('/') ? [name, name + '/']
            : [name, name + '\\', name + '/']
        );
        VersionContent content = await Session
            .Catalog.ReadAsync(version, filter, observer: null, cancellationToken)
            .ConfigureAwait(false);
        EntryId[] itself = [.. EntryId.UpTo(content.Entries.Count).AsEnumerable().Where(IsItself).Take(1)];
        if (itself.Length == 0 || content.Entries[itself[0]].Kind == EntryKind.Folder)
        {
            RequireComplete(content.Issues);
        }

        return content.Entries.Count == 0 ? null
            : itself.Length > 0 && content.Entries[itself[0]].Kind != EntryKind.Folder ? StateOf(content, itself[0])
            : FolderOf(content);

        bool IsItself(EntryId entry) => EntryPath.AreSame(EntryPath.WithoutSeparator(content.PathText(entry)), name);
    }

    private static EntryState StateOf(VersionContent content, EntryId entry)
    {
        BackupEntry described = ListedEntries.Of(content, entry);
        return new EntryState(described.Kind, 1, described.SizeBytes, described.LastModified, described.Hash);
    }

    private static EntryState FolderOf(VersionContent content)
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        byte[] length = new byte[sizeof(int)];
        (long files, long bytes, long newest) = (0, 0, 0);
        for (EntriesByPath entries = new(content); entries.HasMore; entries.MoveNext())
        {
            EntryId entry = entries.Current;
            BinaryPrimitives.WriteInt32LittleEndian(length, entries.Path.Length);
            hash.AppendData(length);
            hash.AppendData(entries.Path);
            hash.AppendData([(byte)content.Entries[entry].Kind]);
            hash.AppendData(ListedEntries.HashOf(content, entry));
            files += content.IsFile(entry) ? 1 : 0;
            bytes += content.SizeOf(entry);
            newest = Math.Max(newest, content.Entries[entry].TimeTicks);
        }

        DateTimeOffset? modified = newest == 0 ? null : new DateTimeOffset(newest, TimeSpan.Zero);
        return new EntryState(
            BackupEntryKind.Folder,
            files,
            bytes,
            modified,
            Convert.ToHexStringLower(hash.GetHashAndReset())
        );
    }
}
