using Restore.Catalog.Locating;

namespace Restore.Catalog.Database;

/// <summary>
/// The catalog of Duplicati's local database: entries, blocks and locations by a few large scans instead of file lists and index volumes.
/// The volumes decide: the search looks in them for what the database does not know or has wrong.
/// </summary>
internal sealed class DatabaseCatalog : ICatalog
{
    private readonly DatabaseFile file;
    private readonly DatabaseOverview overview;
    private readonly PassphraseCheck passphrase;
    private readonly VolumeCatalog fallback;

    private DatabaseCatalog(DatabaseFile file, DatabaseOverview overview, VolumeLoader loader, VolumeSet volumes)
    {
        this.file = file;
        this.overview = overview;
        passphrase = new PassphraseCheck(loader, volumes);
        fallback = new VolumeCatalog(loader, volumes);
        Versions = [.. overview.Versions.Select(source => source.Version)];
    }

    public IReadOnlyList<BackupVersion> Versions { get; }

    public IReadOnlyList<RestoreIssue> Differences => overview.Issues;

    /// <summary>Opens a database and compares it with the folder; <see cref="Differences"/> has what differs.</summary>
    /// <exception cref="RestoreException">The database cannot be used, or belongs to another backup.</exception>
    public static async Task<DatabaseCatalog> OpenAsync(string path, VolumeLoader loader, VolumeSet volumes, CancellationToken cancellationToken)
    {
        DatabaseFile file = new(path);
        DatabaseOverview overview = await file.ReadAsync(
            connection => DatabaseOverview.Read(file, connection, volumes), cancellationToken).ConfigureAwait(false);
        return new DatabaseCatalog(file, overview, loader, volumes);
    }

    public async Task<VersionContent> ReadAsync(BackupVersion version, EntryFilter filter, EntryObserver? observer, CancellationToken cancellationToken)
    {
        if (overview.Versions.First(source => source.Version == version).FilesetId is not long filesetId)
        {
            return await fallback.ReadAsync(version, filter, observer, cancellationToken).ConfigureAwait(false);
        }

        // Otherwise no volume would be opened before the fetch, and a wrong passphrase would show too late.
        await passphrase.RequireAnyAsync(version.FileListName, cancellationToken).ConfigureAwait(false);
        if (!fallback.Versions.Any(listed => listed.FileListName == version.FileListName))
        {
            return await ReadEntriesAsync(version, filesetId, filter, observer, cancellationToken).ConfigureAwait(false);
        }

        // An observer sees only entries that count, and which do is known after the comparison.
        VersionContent content = await ReadEntriesAsync(version, filesetId, filter, observer: null, cancellationToken).ConfigureAwait(false);
        (bool isContradicted, RestoreIssue? doubt) = await CompareAsync(content, version, filter, cancellationToken).ConfigureAwait(false);
        if (isContradicted)
        {
            content = await fallback.ReadAsync(version, filter, observer, cancellationToken).ConfigureAwait(false);
        }
        else if (observer is not null)
        {
            content = await ReadEntriesAsync(version, filesetId, filter, observer, cancellationToken).ConfigureAwait(false);
        }

        if (doubt is not null)
        {
            content.Issues.Add(doubt);
        }

        return content;
    }

    /// <summary>Compares what the database says of the selected entries with the file list.</summary>
    private async Task<(bool IsContradicted, RestoreIssue? Doubt)> CompareAsync(
        VersionContent content, BackupVersion version, EntryFilter filter, CancellationToken cancellationToken)
    {
        using EntrySum known = new();
        using EntrySum listed = new();
        Pass(content, known.Add);
        try
        {
            await fallback.PassAsync(version, filter, listed.Add, new IssueLog(), cancellationToken).ConfigureAwait(false);
        }
        catch (RestoreException failure) when (failure.Code != RestoreErrorCode.WrongPassphrase)
        {
            return (false, Warning($"The entries come from the database, and cannot be compared with the file list: {failure.Message}"));
        }

        return known.IsSameAs(listed)
            ? (false, null)
            : (true, Warning("The database says something else about the entries than the file list, which is used"));

        RestoreIssue Warning(string reason) => new(IssueKind.Warning, version.FileListName, reason);
    }

    private Task<VersionContent> ReadEntriesAsync(
        BackupVersion version, long filesetId, EntryFilter filter, EntryObserver? observer, CancellationToken cancellationToken) => file.ReadAsync(
        connection =>
        {
            VersionContent content = new(version, overview.Layout);
            using EntryReader reader = new(connection, content, filter, observer);
            reader.Read(filesetId);
            return content;
        },
        cancellationToken);

    /// <summary>Lists the entries of a version. They are sorted first, as the database has them in no order.</summary>
    public async IAsyncEnumerable<BackupEntry> ListAsync(
        BackupVersion version, EntryFilter filter, IssueLog issues, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        VersionContent content = await ReadAsync(version, filter, observer: null, cancellationToken).ConfigureAwait(false);
        issues.AddRange(content.Issues);
        foreach (EntryId entry in EntryId.UpTo(content.Entries.Count))
        {
            yield return BackupEntry.Of(content, entry);
        }
    }

    public async Task PassAsync(
        BackupVersion version, EntryFilter filter, Action<EntryInList> receive, IssueLog issues, CancellationToken cancellationToken)
    {
        VersionContent content = await ReadAsync(version, filter, observer: null, cancellationToken).ConfigureAwait(false);
        issues.AddRange(content.Issues);
        Pass(content, receive);
    }

    private static void Pass(VersionContent content, Action<EntryInList> receive)
    {
        byte[] path = [];
        foreach (EntryId entry in EntryId.UpTo(content.Entries.Count))
        {
            EntryRow row = content.Entries[entry];
            ReadOnlySpan<byte> metadata = row.Metadata.IsNone || !content.HasFileHash(row.Metadata) ? [] : content.FileHashOf(row.Metadata);
            receive(new EntryInList(
                content.PathOf(entry, ref path), row.Kind, content.SizeOf(entry), row.TimeTicks, BackupEntry.HashOf(content, entry), metadata));
        }
    }

    /// <summary>What the database knows; null for a version that it does not know.</summary>
    public ILocationSource? LocationsFor(SearchState search, BlockNeeds needs) =>
        needs.Content.BlocksetIds.Count > 0 ? new DatabaseSource(file, overview.BlockVolumes, search, needs) : null;

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
