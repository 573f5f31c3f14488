namespace Restore.Maintenance.Delete;

/// <summary>
/// Deletes the file lists of versions, the oldest first: whenever it is interrupted, the versions
/// that are left are whole.
/// </summary>
internal sealed class DeletionRun(
    MaintenanceContext context,
    RetryingSink sink,
    ProgressMeter progress,
    CancellationToken cancellationToken
)
{
    /// <exception cref="RestoreException">The store cannot be changed, another program writes to
    /// it, or the backup has changed.</exception>
    public async Task<DeletionReport> RunAsync(DeletionPlan plan, bool breaksLock)
    {
        WriterLock taken = await BackupState
            .LockAsync(sink, context, allowsNew: true, breaksLock, cancellationToken)
            .ConfigureAwait(false);
        await using (taken.ConfigureAwait(false))
        {
            List<string> deleted = [];

            // The oldest first, so that the newest versions are left after an interruption.
            foreach (BackupVersion version in plan.Deleted.OrderBy(version => version.Time))
            {
                await context.Volumes.DeleteAsync(sink, version.FileListName, cancellationToken).ConfigureAwait(false);
                deleted.Add(version.FileListName);
                await taken.CompleteAsync(cancellationToken).ConfigureAwait(false);
            }

            return new DeletionReport
            {
                Deleted = deleted,
                VersionsLeft = plan.Versions.Count - deleted.Count,
                Elapsed = progress.Elapsed,
            };
        }
    }
}
