using System.Runtime.ExceptionServices;
using Restore.Catalog.Locating;

namespace Restore.Catalog;

/// <summary>
/// The catalog that needs only the volumes: file lists for the entries, index volumes for the
/// locations.
/// </summary>
internal sealed class VolumeCatalog(VolumeLoader loader, VolumeSet volumes) : ICatalog
{
    private readonly FileListReading reading = new(loader, volumes);

    public IReadOnlyList<BackupVersion> Versions { get; } =
    [.. volumes.FileLists.Select((volume, index) => new BackupVersion(index, volume.Name.Time, volume.FileName))];

    public IReadOnlyList<RestoreIssue> Differences { get; init; } = [];

    public Task<VersionContent> ReadAsync(
        BackupVersion version,
        EntryFilter filter,
        EntryObserver? observer,
        CancellationToken cancellationToken
    ) => reading.ReadAsync(FileListOf(version), version, filter, observer, cancellationToken);

    /// <summary>The same, if the file list is whole.</summary>
    public Task<VersionContent> ReadWholeAsync(
        BackupVersion version,
        EntryFilter filter,
        EntryObserver? observer,
        CancellationToken cancellationToken
    ) => reading.ReadAsync(FileListOf(version), version, filter, observer, cancellationToken, salvages: false);

    public IAsyncEnumerable<BackupEntry> ListAsync(
        BackupVersion version,
        EntryFilter filter,
        IssueLog issues,
        CancellationToken cancellationToken
    ) => reading.ListAsync(FileListOf(version), version, filter, issues, cancellationToken);

    public async Task PassAsync(
        BackupVersion version,
        EntryFilter filter,
        Action<EntryInList> receive,
        IssueLog issues,
        CancellationToken cancellationToken
    )
    {
        try
        {
            await reading
                .PassAsync(
                    FileListOf(version),
                    version,
                    new SelectedEntries(filter, Receive, issues),
                    issues,
                    cancellationToken
                )
                .ConfigureAwait(false);
        }
        catch (ReceiverException failure)
        {
            ExceptionDispatchInfo.Throw(failure.InnerException!);
        }

        // What goes wrong there says nothing about the list.
        void Receive(EntryInList entry)
        {
            try
            {
                receive(entry);
            }
            catch (Exception failure)
            {
                throw new ReceiverException(failure);
            }
        }
    }

    /// <summary>Null: without a database, only the volumes have locations.</summary>
    public ILocationSource? LocationsFor(SearchState search, BlockNeeds needs) => null;

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private Volume FileListOf(BackupVersion version) =>
        volumes.FileLists.Single(volume => volume.FileName == version.FileListName);
}
