using Restore.Catalog.Locating;

namespace Restore.Catalog;

/// <summary>
/// The source of versions, entries and block locations: the volumes themselves, or a local
/// database.
/// </summary>
internal interface ICatalog : IAsyncDisposable
{
    IReadOnlyList<BackupVersion> Versions { get; }

    IReadOnlyList<RestoreIssue> Differences { get; }

    /// <summary>
    /// Reads the selected entries of a version. The observer, if any, sees all entries.
    /// </summary>
    Task<VersionContent> ReadAsync(
        BackupVersion version,
        EntryFilter filter,
        EntryObserver? observer,
        CancellationToken cancellationToken
    );

    /// <summary>
    /// Lists the selected entries of a version; what is wrong in the list goes to the log.
    /// </summary>
    IAsyncEnumerable<BackupEntry> ListAsync(
        BackupVersion version,
        EntryFilter filter,
        IssueLog issues,
        CancellationToken cancellationToken
    );

    /// <summary>
    /// Passes the selected entries of a version on as they are read; what is wrong in the list goes
    /// to the log.
    /// </summary>
    Task PassAsync(
        BackupVersion version,
        EntryFilter filter,
        Action<EntryInList> receive,
        IssueLog issues,
        CancellationToken cancellationToken
    );

    /// <summary>
    /// What the catalog itself knows about the blocks of a version, for one search; null if only
    /// the volumes know.
    /// </summary>
    ILocationSource? LocationsFor(SearchState search, BlockNeeds needs);
}
