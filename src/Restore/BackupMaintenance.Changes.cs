using Restore.Maintenance;
using Restore.Maintenance.Compact;
using Restore.Maintenance.Delete;
using Restore.Maintenance.Purge;

namespace Restore;

/// <content>Keeping a backup small and sound: deleting versions, compacting volumes, purging file lists.</content>
public sealed partial class BackupMaintenance
{
    /// <summary>Decides which versions go, as Duplicati's delete does. Reads of each file list whether its backup was completed; changes nothing.</summary>
    /// <param name="rules">The rules.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What becomes of each version, and why.</returns>
    /// <exception cref="RestoreException">A version that is named does not exist, the passphrase is wrong, or no file list can be read.</exception>
    public Task<DeletionPlan> PlanDeletionAsync(
        RetentionRules rules, IProgress<RestoreProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(rules);
        BackupVersion[] versions = VersionsOfLists();
        foreach (int named in rules.Versions.Where(named => named < 0 || named >= versions.Length))
        {
            throw backup.NoVersion($"There is no version {named}");
        }

        return RestoreTelemetry.WatchAsync(
            "PlanDeletion", _ => new DeletionPlanning(MaintenanceOf(), versions, backup.StartMeter(progress), cancellationToken).PlanAsync(rules));
    }

    /// <summary>
    /// Deletes the file lists of the versions that go, the oldest first. Nothing else: the blocks that only they need go with a compact. Nothing is deleted if
    /// the backup has changed since it was opened.
    /// </summary>
    /// <param name="plan">A plan of this backup: made by it, loaded, or made by another one at the same place. It is compared with the backup.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation; what is deleted stays deleted.</param>
    /// <returns>What was deleted.</returns>
    /// <exception cref="RestoreException">The store cannot be changed, another program writes to the backup, or the backup has changed.</exception>
    public Task<DeletionReport> DeleteVersionsAsync(
        DeletionPlan plan, IProgress<RestoreProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(plan);
        SavedPlans.Require(plan.Versions.Select(fate => fate.Version).SequenceEqual(VersionsOfLists()), backup.Location);
        return WithSinkAsync("DeleteVersions", sink =>
            new DeletionRun(MaintenanceOf(), sink, backup.StartMeter(progress), cancellationToken).RunAsync(plan, BreakLock));
    }

    /// <summary>
    /// Finds out which block volumes have too many blocks that no version needs, or are too small, by Duplicati's rules. Reads all file lists and index
    /// volumes; changes nothing.
    /// </summary>
    /// <param name="options">When volumes are rewritten.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What a compact would do.</returns>
    /// <exception cref="RestoreException">
    /// It cannot be known what the versions need, because a part of the backup cannot be read, an option cannot be used, or the passphrase is wrong.
    /// </exception>
    public Task<CompactPlan> PlanCompactAsync(
        CompactOptions options, IProgress<RestoreProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        return RestoreTelemetry.WatchAsync(
            "PlanCompact", _ => new CompactPlanning(MaintenanceOf(), backup.StartMeter(progress), cancellationToken).PlanAsync(options));
    }

    /// <summary>
    /// Moves the needed blocks of the volumes to rewrite to new volumes, and then deletes the old ones and those without a needed block. Each block is
    /// verified by its hash. Interrupted at any moment, it leaves all versions as they were; the next compact removes what is left over.
    /// </summary>
    /// <param name="plan">A plan of this backup: made by it, loaded, or made by another one at the same place. It is compared with the backup.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What was done. Volumes that cannot be read whole stay, and are in its issues.</returns>
    /// <exception cref="RestoreException">The store cannot be changed, another program writes to the backup, or the backup has changed.</exception>
    public Task<CompactReport> CompactAsync(
        CompactPlan plan, IProgress<RestoreProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return WithSinkAsync("Compact", async sink =>
        {
            CompactPlan own = plan;
            if (!ReferenceEquals(plan.Work?.Volumes, session.Volumes.All))
            {
                own = await PlanCompactAsync(plan.Options, progress, cancellationToken).ConfigureAwait(false);
                SavedPlans.Require(plan.IsSameAs(own), backup.Location);
            }

            CompactReport report = await new CompactRun(MaintenanceOf(), sink, backup.StartMeter(progress), cancellationToken)
                .RunAsync(own, own.Work!, BreakLock).ConfigureAwait(false);
            Log.Issues(session.Logger, report.Issues);
            return report;
        });
    }

    /// <summary>
    /// Finds out which entries of which versions need blocks that are in no volume. Reads all file lists and index volumes; changes nothing. A block of a
    /// volume that is there counts as there: a drill finds damaged ones.
    /// </summary>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What a purge would do.</returns>
    /// <exception cref="RestoreException">
    /// It is not certain what is lost, because a part of the backup cannot be read, or the passphrase is wrong.
    /// </exception>
    public Task<PurgePlan> PlanPurgeAsync(IProgress<RestoreProgress>? progress = null, CancellationToken cancellationToken = default) =>
        RestoreTelemetry.WatchAsync(
            "PlanPurge", _ => new PurgePlanning(MaintenanceOf(), VersionsOfLists(), backup.StartMeter(progress), cancellationToken).PlanAsync());

    /// <summary>
    /// Replaces the file lists of a plan by new ones without the lost entries, each under the next second that no list has. The old lists are deleted when the
    /// store has all new ones. Interrupted at any moment, it leaves each version in one of both or in both; the next purge deletes what is left over.
    /// </summary>
    /// <param name="plan">A plan of this backup: made by it, loaded, or made by another one at the same place. It is compared with the backup.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What was done, and what is wrong still.</returns>
    /// <exception cref="RestoreException">The store cannot be changed, another program writes to the backup, or the backup has changed.</exception>
    public Task<PurgeReport> PurgeAsync(
        PurgePlan plan, IProgress<RestoreProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return WithSinkAsync("Purge", async sink =>
        {
            PurgePlan own = plan;
            if (!ReferenceEquals(plan.Work?.Volumes, session.Volumes.All))
            {
                own = await PlanPurgeAsync(progress, cancellationToken).ConfigureAwait(false);
                SavedPlans.Require(plan.IsSameAs(own), backup.Location);
            }

            PurgeReport report = await new PurgeRun(MaintenanceOf(), sink, backup.StartMeter(progress), cancellationToken)
                .RunAsync(own, own.Work!, BreakLock).ConfigureAwait(false);
            Log.Issues(session.Logger, report.Issues);
            return report;
        });
    }

    private Task<T> WithSinkAsync<T>(string operation, Func<RetryingSink, Task<T>> use) => RestoreTelemetry.WatchAsync(operation, async _ =>
    {
        RetryingSink sink = backup.OpenSink?.Invoke()
            ?? throw new RestoreException(RestoreErrorCode.StoreReadOnly, "Nothing can be written to this store", backup.Location);
        try
        {
            return await use(sink).ConfigureAwait(false);
        }
        finally
        {
            if (backup.OwnsSink)
            {
                await sink.DisposeAsync().ConfigureAwait(false);
            }
        }
    });
}
