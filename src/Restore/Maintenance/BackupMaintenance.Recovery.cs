using Restore.Catalog.Database;
using Restore.Maintenance.Repair;

namespace Restore.Maintenance;

/// <content>Bringing back what volumes have lost and this machine still has.</content>
public partial class BackupMaintenance
{
    /// <summary>
    /// Writes the file lists of versions again that the store does not have and the local database
    /// still knows. Open the backup with <see cref="BackupOptions.DatabasePath"/>. Changes and
    /// deletes nothing else.
    /// </summary>
    /// <param name="isDryRun">Whether to report the versions and write nothing.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation; lists that were written stay.</param>
    /// <returns>The lists that were made, and the versions that still have no list, with the
    /// reasons. Empty without a database.</returns>
    /// <exception cref="RestoreException">The database cannot be read, the passphrase is wrong,
    /// the store cannot be changed, or another program writes to it.</exception>
    public virtual Task<FileListRepairReport> RestoreFileListsAsync(
        bool isDryRun = false,
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    ) =>
        WithOptionalSinkAsync(
            "RestoreFileLists",
            isDryRun,
            async sink =>
            {
                FileListRepairReport report = Session.Catalog is DatabaseCatalog database
                    ? await new FileListMaking(
                        MaintenanceOf(),
                        database,
                        Backup.StartMeter(progress),
                        cancellationToken
                    )
                        .RunAsync(sink, BreakLock)
                        .ConfigureAwait(false)
                    : new FileListRepairReport();
                Log.Issues(Session.Logger, report.Issues);
                return report;
            }
        );

    /// <summary>
    /// Looks for blocks that are in no volume in the files that were backed up, and writes those
    /// that it finds into new volumes. Each block is verified by its hash. Changes and deletes
    /// nothing else.
    /// </summary>
    /// <param name="root">The folder under which the recorded paths are looked for, for example a
    /// mounted disk; null for the recorded places.</param>
    /// <param name="isDryRun">Whether to search and write nothing.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation; volumes that were written stay, and
    /// are of use.</param>
    /// <returns>What was found, and what is still lost.</returns>
    /// <exception cref="RestoreException">No file list can be read, the passphrase is wrong, the
    /// store cannot be changed, or another program writes to it.</exception>
    public virtual Task<BlockRepairReport> RestoreBlocksAsync(
        string? root = null,
        bool isDryRun = false,
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    ) =>
        WithOptionalSinkAsync(
            "RestoreBlocks",
            isDryRun,
            async sink =>
            {
                BlockMaking making = new(MaintenanceOf(), root, Backup.StartMeter(progress), cancellationToken);
                BlockRepairReport report = await making.RunAsync(sink, BreakLock).ConfigureAwait(false);
                Log.Issues(Session.Logger, report.Issues);
                return report;
            }
        );

    private Task<T> WithOptionalSinkAsync<T>(string operation, bool isDryRun, Func<RetryingSink?, Task<T>> use) =>
        isDryRun ? RestoreTelemetry.WatchAsync(operation, _ => use(null)) : WithSinkAsync<T>(operation, use);
}
