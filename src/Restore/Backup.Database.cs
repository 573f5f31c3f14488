using Restore.Maintenance;
using Restore.Maintenance.Database;
using Restore.Restoring;
using Restore.Volumes;

namespace Restore;

/// <content>The local database, made anew.</content>
public sealed partial class Backup
{
    /// <summary>
    /// Makes Duplicati's local database of this backup anew, of schema version 19, from the file lists and index volumes; block volumes are read only for what
    /// no index volume has. The file appears when it is complete and checked.
    /// </summary>
    /// <param name="path">Where to write it; there must be no file yet.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation; nothing is left.</param>
    /// <returns>What the database has, and what it lacks because data is lost.</returns>
    /// <exception cref="RestoreException">The file exists or cannot be written, no file list can be read, or the passphrase is wrong.</exception>
    public async Task<DatabaseReport> WriteDatabaseAsync(
        string path, IProgress<RestoreProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return await RestoreTelemetry.WatchAsync("WriteDatabase", async _ =>
        {
            using DatabaseRun run = new(MaintenanceOf(), path, StartMeter(progress), cancellationToken);
            BackupVersion[] versions =
            [
                .. session.Volumes.FileLists.Select((list, index) => new BackupVersion(index, list.Name.Time, list.FileName)),
            ];
            DatabaseReport report = await run.RunAsync(versions).ConfigureAwait(false);
            Log.Issues(session.Logger, report.Issues);
            return report;
        }).ConfigureAwait(false);
    }

    private MaintenanceContext MaintenanceOf()
    {
        Engine engine = session.EngineFor(new RestoreOptions());
        return new MaintenanceContext(
            Location,
            session.Loader,
            session.Volumes,
            engine.Ranges,
            RangePolicy.Resolve(new RestoreTuning(), session.Store, readsParts: false),
            engine.Blocks.ReadAsync,
            session.Options.Passphrase,
            session.Options.TimeProvider);
    }
}
