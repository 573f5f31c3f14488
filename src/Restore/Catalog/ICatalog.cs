using Restore.Catalog.Locating;

namespace Restore.Catalog;

/// <summary>Where versions, entries and block locations come from: the volumes themselves, or a local database.</summary>
internal interface ICatalog : IAsyncDisposable
{
    /// <summary>The versions, newest first.</summary>
    IReadOnlyList<BackupVersion> Versions { get; }

    /// <summary>Reads the selected entries of a version; the observer, if any, is shown all of them.</summary>
    Task<VersionContent> ReadAsync(BackupVersion version, EntryFilter filter, EntryObserver? observer, CancellationToken cancellationToken);

    /// <summary>
    /// Tells <paramref name="needs"/> the blocks of the wanted contents and where they are, as far as this catalog itself knows; the index volumes are asked
    /// for the rest.
    /// </summary>
    Task LocateAsync(BlockNeeds needs, Action<RestoreIssue> onIssue, CancellationToken cancellationToken);
}
