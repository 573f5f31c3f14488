using Restore.Catalog.Locating;

namespace Restore.Catalog.Database;

/// <summary>
/// The catalog of Duplicati's local database. It takes blocks and locations from a few large scans
/// instead of index volumes, and the entries of versions that lost their file list. The volumes
/// decide: the search looks in them for what the database does not know or has wrong.
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

    /// <summary>
    /// Opens a database and compares it with the folder; <see cref="Differences"/> has what
    /// differs.
    /// </summary>
    /// <exception cref="RestoreException">The database cannot be used, or belongs to another
    /// backup.</exception>
    public static async Task<DatabaseCatalog> OpenAsync(
        string path,
        VolumeLoader loader,
        VolumeSet volumes,
        CancellationToken cancellationToken
    )
    {
        DatabaseFile file = new(path);
        DatabaseOverview overview = await file.ReadAsync(
                connection => DatabaseOverview.Read(file, connection, volumes),
                cancellationToken
            )
            .ConfigureAwait(false);
        return new DatabaseCatalog(file, overview, loader, volumes);
    }

    /// <summary>
    /// Reads the file list, if the folder has it and it can be used. The entries in the database
    /// count only if the list cannot be used.
    /// </summary>
    public async Task<VersionContent> ReadAsync(
        BackupVersion version,
        EntryFilter filter,
        EntryObserver? observer,
        CancellationToken cancellationToken
    )
    {
        long? filesetId = overview.Versions.First(source => source.Version == version).FilesetId;
        bool isListed = fallback.Versions.Any(listed => listed.FileListName == version.FileListName);
        RestoreException? unusable = null;
        if (isListed || filesetId is null)
        {
            try
            {
                // With a fileset in the database, a damaged list is not salvaged here: the database
                // may have all entries, and a salvaged list only the ones before the damage.
                return filesetId is null
                    ? await fallback.ReadAsync(version, filter, observer, cancellationToken).ConfigureAwait(false)
                    : await fallback.ReadWholeAsync(version, filter, observer, cancellationToken).ConfigureAwait(false);
            }
            catch (RestoreException failure)
                when (filesetId is not null && failure.Code != RestoreErrorCode.WrongPassphrase)
            {
                unusable = failure;
            }
        }

        // Otherwise no volume would be opened before the fetch, and a wrong passphrase would show
        // too late.
        await passphrase.RequireAnyAsync(version.FileListName, cancellationToken).ConfigureAwait(false);
        VersionContent content;
        try
        {
            content = await ReadEntriesAsync(version, filesetId!.Value, filter, observer, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (RestoreException failure)
            when (unusable is not null && failure.Code == RestoreErrorCode.DatabaseUnusable)
        {
            // Neither source is whole: the rest of the list is better than nothing.
            return await fallback.ReadAsync(version, filter, observer, cancellationToken).ConfigureAwait(false);
        }

        if (unusable is not null)
        {
            content.Issues.Add(
                new RestoreIssue(
                    IssueKind.Warning,
                    version.FileListName,
                    $"The entries come from the database: {unusable.Message}"
                )
            );
        }

        return content;
    }

    /// <summary>
    /// Whether the backup of a version was completed, according to the database. A version without
    /// this information counts as complete.
    /// </summary>
    public Task<bool> IsFullAsync(BackupVersion version, CancellationToken cancellationToken) =>
        file.ReadAsync(
            connection =>
            {
                long? fileset = overview.Versions.First(source => source.Version == version).FilesetId;

                // Databases of old schemas do not have the column.
                using DatabaseQuery column = connection.Query(
                    "SELECT COUNT(*) FROM pragma_table_info('Fileset') WHERE \"name\" = 'IsFullBackup'"
                );
                if (fileset is null || !column.Read() || column.Number(0) == 0)
                {
                    return true;
                }

                using DatabaseQuery query = connection.Query(
                    "SELECT \"IsFullBackup\" FROM \"Fileset\" WHERE \"ID\" = ?",
                    fileset.Value
                );
                return !query.Read() || query.IsNull(0) || query.Number(0) != 0;
            },
            cancellationToken
        );

    private Task<VersionContent> ReadEntriesAsync(
        BackupVersion version,
        long filesetId,
        EntryFilter filter,
        EntryObserver? observer,
        CancellationToken cancellationToken
    ) =>
        file.ReadAsync(
            connection =>
            {
                VersionContent content = new(version, overview.Layout);
                using EntryReader reader = new(connection, file.DisplayPath, content, filter, observer);

                // Even the backup of an empty folder has an entry.
                return reader.TryRead(filesetId)
                    ? content
                    : throw file.Unusable(
                        $"The file list of version {version.Index} cannot be read ({version.FileListName}), and the database has no entry of it"
                    );
            },
            cancellationToken
        );

    /// <summary>Lists the entries of a version, sorted: a database has them in no order.</summary>
    public async IAsyncEnumerable<BackupEntry> ListAsync(
        BackupVersion version,
        EntryFilter filter,
        IssueLog issues,
        [EnumeratorCancellation] CancellationToken cancellationToken
    )
    {
        VersionContent content = await ReadAsync(version, filter, observer: null, cancellationToken)
            .ConfigureAwait(false);
        issues.AddRange(content.Issues);
        foreach (EntryId entry in EntryId.UpTo(content.Entries.Count))
        {
            yield return ListedEntries.Of(content, entry);
        }
    }

    public async Task PassAsync(
        BackupVersion version,
        EntryFilter filter,
        Action<EntryInList> receive,
        IssueLog issues,
        CancellationToken cancellationToken
    )
    {
        VersionContent content = await ReadAsync(version, filter, observer: null, cancellationToken)
            .ConfigureAwait(false);
        issues.AddRange(content.Issues);
        Pass(content, receive);
    }

    private static void Pass(VersionContent content, Action<EntryInList> receive)
    {
        byte[] path = [];
        foreach (EntryId entry in EntryId.UpTo(content.Entries.Count))
        {
            EntryRow row = content.Entries[entry];
            ReadOnlySpan<byte> metadata =
                row.Metadata.IsNone || !content.HasFileHash(row.Metadata) ? [] : content.FileHashOf(row.Metadata);
            receive(
                new EntryInList(
                    content.PathOf(entry, ref path),
                    row.Kind,
                    content.SizeOf(entry),
                    row.TimeTicks,
                    ListedEntries.HashOf(content, entry),
                    metadata
                )
            );
        }
    }

    public ILocationSource? LocationsFor(SearchState search, BlockNeeds needs) =>
        new DatabaseSource(file, overview.BlockVolumes, search, needs);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
