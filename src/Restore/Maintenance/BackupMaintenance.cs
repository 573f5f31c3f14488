using Restore.Catalog.Locating;
using Restore.Maintenance.Compact;
using Restore.Maintenance.Database;
using Restore.Maintenance.Delete;
using Restore.Maintenance.Purge;
using Restore.Maintenance.Repair;
using Restore.Restoring;

namespace Restore.Maintenance;

/// <summary>
/// Maintenance of a backup: its local database, check and repair, deleting versions, compacting
/// volumes, purging file lists. Safe for concurrent use.
/// </summary>
public partial class BackupMaintenance
{
    private readonly Backup? backup;

    /// <summary>Creates the maintenance of a backup.</summary>
    /// <param name="backup">The backup, which must stay open.</param>
    public BackupMaintenance(Backup backup)
    {
        ArgumentNullException.ThrowIfNull(backup);
        this.backup = backup;
    }

    /// <summary>
    /// For a fake in the tests of a caller: it overrides the members that the caller uses, and
    /// every other member throws a <see cref="NotSupportedException"/>.
    /// </summary>
    protected BackupMaintenance() { }

    /// <summary>
    /// Whether to change the backup although it is locked: by a program that ended without removing
    /// its lock.
    /// </summary>
    public virtual bool BreakLock { get; init; }

    private Backup Backup =>
        backup
        ?? throw new NotSupportedException(
            "This maintenance is of no backup: it is a fake, which does not override what it is asked for"
        );

    private RestoreSession Session => Backup.Session;

    /// <summary>
    /// Rebuilds Duplicati's local database of this backup, of schema version 19, from the file
    /// lists and index volumes; block volumes are read only for what no index volume has. The file
    /// appears when it is complete and checked.
    /// </summary>
    /// <param name="path">Where to write it; there must be no file yet.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation; nothing is left.</param>
    /// <returns>What the database has, and what it lacks because data is lost.</returns>
    /// <exception cref="RestoreException">The file exists or cannot be written, no file list can be
    /// read, or the passphrase is wrong.</exception>
    public virtual async Task<DatabaseReport> WriteDatabaseAsync(
        string path,
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return await MakeDatabaseAsync("WriteDatabase", path, old: null, progress, cancellationToken)
            .ConfigureAwait(false);
    }

    /// <summary>
    /// Makes sure, before the backup is changed, that <see cref="UpdateDatabaseAsync"/> will be
    /// able to update a local database. Changes nothing, except that a transaction that a killed
    /// program left unfinished is rolled back, as by every program that opens the database.
    /// </summary>
    /// <param name="path">The database; it need not exist.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="RestoreException">The database belongs to another backup, does not have
    /// version 19, is in use, or is unusable.</exception>
    public virtual async Task RequireDatabaseAsync(string path, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        if (Path.Exists(path))
        {
            await new OldDatabase(path).IsTrueAsync(Session.Volumes, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>
    /// Updates Duplicati's local database after the backup was changed: rebuilds it
    /// (<see cref="WriteDatabaseAsync"/>), takes over what only the old database knows (settings,
    /// logs, notes about volumes), and replaces its content in one transaction. Creates the file if
    /// it does not exist.
    /// </summary>
    /// <param name="path">The database.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation; the old database stays.</param>
    /// <returns>What the database has; null if it described the backup as it is already, and was
    /// left alone.</returns>
    /// <exception cref="RestoreException">The database belongs to another backup, does not have
    /// version 19, is in use, is unusable or cannot be written; or a file list cannot be used, and
    /// the database may still know its version. The database is unchanged.</exception>
    public virtual async Task<DatabaseReport?> UpdateDatabaseAsync(
        string path,
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        if (!Path.Exists(path))
        {
            return await WriteDatabaseAsync(path, progress, cancellationToken).ConfigureAwait(false);
        }

        OldDatabase old = new(path);
        if (await old.IsTrueAsync(Session.Volumes, cancellationToken).ConfigureAwait(false))
        {
            return null;
        }

        return await MakeDatabaseAsync("UpdateDatabase", path, old, progress, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Compares file lists, index volumes and the names and sizes of block volumes with each other.
    /// Reads no content of block volumes: a drill (<see cref="Backup.PlanDrillAsync"/>) does that.
    /// </summary>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What there is, and what is wrong.</returns>
    /// <exception cref="RestoreException">No file list can be read, or the passphrase is
    /// wrong.</exception>
    public virtual Task<CheckReport> CheckAsync(
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    ) => RepairAsync("Check", folder: null, readsVolumes: false, progress, cancellationToken);

    /// <summary>
    /// Does the same as <c>CheckAsync</c>, and reads each block volume whole: its bytes must have
    /// the hash that an index volume gives, and be authentic if it is encrypted. If a volume has
    /// neither an index volume nor encryption, only its directory is checked.
    /// </summary>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What there is, and what is wrong. A damaged volume that no version needs is a
    /// warning.</returns>
    /// <exception cref="RestoreException">No file list can be read, or the passphrase is
    /// wrong.</exception>
    public virtual Task<CheckReport> CheckVolumesAsync(
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    ) => RepairAsync("Check", folder: null, readsVolumes: true, progress, cancellationToken);

    /// <summary>
    /// Makes an index volume for each block volume that no index volume describes, from its
    /// verified blocks. Changes and deletes nothing. If the call is interrupted, all index volumes
    /// that it made are whole, and the next call makes the others.
    /// </summary>
    /// <param name="folder">Where to write them, a folder or a storage URL: the place of the
    /// backup, or another one. Made if it does not exist.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What was made, and what is wrong.</returns>
    /// <exception cref="RestoreException">No file list can be read, the passphrase is wrong, or the
    /// place cannot be written.</exception>
    public virtual Task<CheckReport> RepairAsync(
        string folder,
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        return RepairAsync("Repair", folder, readsVolumes: false, progress, cancellationToken);
    }

    /// <summary>
    /// Decides which versions to delete, as Duplicati's delete does. Reads from each file list
    /// whether its backup was completed; changes nothing.
    /// </summary>
    /// <param name="rules">The rules.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What becomes of each version, and why.</returns>
    /// <exception cref="RestoreException">A version that is named does not exist, the passphrase is
    /// wrong, or no file list can be read.</exception>
    public virtual Task<DeletionPlan> PlanDeletionAsync(
        RetentionRules rules,
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(rules);
        BackupVersion[] versions = VersionsOfLists();
        rules = rules with { Versions = [.. rules.Versions.Select(NumberAmongLists)] };

        return RestoreTelemetry.WatchAsync(
            "PlanDeletion",
            async _ =>
            {
                DeletionPlan plan = await new DeletionPlanning(
                    MaintenanceOf(),
                    versions,
                    Backup.StartMeter(progress),
                    cancellationToken
                )
                    .PlanAsync(rules)
                    .ConfigureAwait(false);
                DeletionPlan decided =
                    rules.AllowsRemovalOfLastGood || !plan.Deleted.Any()
                        ? plan
                        : await KeepLastGoodAsync(plan, cancellationToken).ConfigureAwait(false);
                return DeletionPlanning.WithLeftOvers(decided, Session.Volumes);
            }
        );

        // A database can know versions that have lost their lists, so the numbers differ.
        int NumberAmongLists(int named)
        {
            int number =
                named < 0 || named >= Backup.Versions.Count
                    ? -1
                    : Array.FindIndex(versions, one => one.FileListName == Backup.Versions[named].FileListName);
            return number >= 0 ? number : throw Backup.NoVersion($"There is no version {named} with a file list");
        }
    }

    /// <summary>
    /// Deletes the file lists of the versions to delete, the oldest first, and nothing else: a
    /// compact removes the blocks that only they need. Nothing is deleted if the backup has changed
    /// since it was opened.
    /// </summary>
    /// <param name="plan">A plan of this backup, or of another one opened at the same place. It is
    /// compared with the backup.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation; what is deleted stays
    /// deleted.</param>
    /// <returns>What was deleted.</returns>
    /// <exception cref="RestoreException">The store cannot be changed, another program writes to
    /// the backup, or the backup has changed.</exception>
    public virtual Task<DeletionReport> DeleteVersionsAsync(
        DeletionPlan plan,
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        PlanFit.Require(plan.Versions.Select(fate => fate.Version).SequenceEqual(VersionsOfLists()), Backup.Location);
        return WithSinkAsync(
            "DeleteVersions",
            sink =>
                new DeletionRun(MaintenanceOf(), sink, Backup.StartMeter(progress), cancellationToken).RunAsync(
                    plan,
                    BreakLock
                )
        );
    }

    /// <summary>
    /// Finds out which block volumes have too many blocks that no version needs, or are too small,
    /// by Duplicati's rules. Reads all file lists and index volumes; changes nothing.
    /// </summary>
    /// <param name="options">When volumes are rewritten.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What a compact would do.</returns>
    /// <exception cref="RestoreException">It cannot be known what the versions need, because a
    /// part of the backup cannot be read, an option cannot be used, or the passphrase is wrong.
    /// </exception>
    public virtual Task<CompactPlan> PlanCompactAsync(
        CompactOptions options,
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(options);
        return PlanAsync(
            "PlanCompact",
            progress,
            meter => new CompactPlanning(MaintenanceOf(), meter, cancellationToken).PlanAsync(options),
            (plan, work) => plan with { Findings = new(Session.Volumes, plan, work) }
        );
    }

    /// <summary>
    /// Moves the needed blocks of the volumes to rewrite to new volumes, and then deletes the old
    /// volumes and volumes without a needed block. Each block is verified by its hash. If the call
    /// is interrupted at any moment, all versions are as they were; the next compact removes what
    /// is left over.
    /// </summary>
    /// <param name="plan">A plan of this backup, or of another one opened at the same place. It is
    /// compared with the backup.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What was done. Volumes that cannot be read whole stay, and are in its
    /// issues.</returns>
    /// <exception cref="RestoreException">The store cannot be changed, another program writes to
    /// the backup, or the backup has changed.</exception>
    public virtual Task<CompactReport> CompactAsync(
        CompactPlan plan,
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        return WithSinkAsync(
            "Compact",
            async sink =>
            {
                (_, CompactPlan own, CompactWork work) = await OwnAsync(
                        plan.Findings,
                        async () =>
                            (
                                await PlanCompactAsync(plan.Options, progress, cancellationToken).ConfigureAwait(false)
                            ).Findings,
                        plan.IsSameAs
                    )
                    .ConfigureAwait(false);
                CompactReport report = await new CompactRun(
                    MaintenanceOf(),
                    sink,
                    Backup.StartMeter(progress),
                    cancellationToken
                )
                    .RunAsync(own, work, BreakLock)
                    .ConfigureAwait(false);
                Log.Issues(Session.Logger, report.Issues);
                return report;
            }
        );
    }

    /// <summary>
    /// Finds the entries, in all versions, that need blocks that no volume has. Reads all file
    /// lists and index volumes; changes nothing. A block counts as present if its volume exists; a
    /// drill finds damaged blocks.
    /// </summary>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What a purge would do.</returns>
    /// <exception cref="RestoreException">It is not certain what is lost, because a part of the
    /// backup cannot be read, or the passphrase is wrong.</exception>
    public virtual Task<PurgePlan> PlanPurgeAsync(
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    ) =>
        PlanAsync(
            "PlanPurge",
            progress,
            meter => new PurgePlanning(MaintenanceOf(), VersionsOfLists(), meter, cancellationToken).PlanAsync(),
            (plan, losses) => plan with { Findings = new(Session.Volumes, plan, losses) }
        );

    /// <summary>
    /// Replaces the file lists in a plan with new lists without the lost entries. Each new list has
    /// the next second that no other list has as its time. The old lists are deleted when the store
    /// has all new ones. If the call is interrupted at any moment, each version is still in its old
    /// list, its new list, or both; the next purge deletes what is left over.
    /// </summary>
    /// <param name="plan">A plan of this backup, or of another one opened at the same place. It is
    /// compared with the backup.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What was done, and what is still wrong.</returns>
    /// <exception cref="RestoreException">The store cannot be changed, another program writes to
    /// the backup, or the backup has changed.</exception>
    public virtual Task<PurgeReport> PurgeAsync(
        PurgePlan plan,
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        return WithSinkAsync(
            "Purge",
            async sink =>
            {
                (_, PurgePlan own, ContentStates losses) = await OwnAsync(
                        plan.Findings,
                        async () => (await PlanPurgeAsync(progress, cancellationToken).ConfigureAwait(false)).Findings,
                        plan.IsSameAs
                    )
                    .ConfigureAwait(false);
                PurgeReport report = await new PurgeRun(
                    MaintenanceOf(),
                    sink,
                    Backup.StartMeter(progress),
                    cancellationToken
                )
                    .RunAsync(own, losses, BreakLock)
                    .ConfigureAwait(false);
                Log.Issues(Session.Logger, report.Issues);
                return report;
            }
        );
    }

    private async Task<TPlan> PlanAsync<TPlan, TFound>(
        string operation,
        IProgress<RestoreProgress>? progress,
        Func<ProgressMeter, Task<(TPlan Plan, TFound Found)>> make,
        Func<TPlan, TFound, TPlan> with
    )
    {
        (TPlan plan, TFound found) = await RestoreTelemetry
            .WatchAsync(operation, _ => make(Backup.StartMeter(progress)))
            .ConfigureAwait(false);
        return with(plan, found);
    }

    /// <summary>
    /// The plan with what was found for it. A plan that was made by another backup is made again.
    /// The plan that the caller gave must do the same.
    /// </summary>
    private async Task<PlanFindings<TPlan, TFound>> OwnAsync<TPlan, TFound>(
        PlanFindings<TPlan, TFound>? findings,
        Func<Task<PlanFindings<TPlan, TFound>?>> makeAgain,
        Predicate<TPlan> isSame
    )
    {
        PlanFindings<TPlan, TFound> own =
            findings is not null && ReferenceEquals(findings.Volumes, Session.Volumes)
                ? findings
                : await makeAgain().ConfigureAwait(false)
                    ?? throw new InvalidOperationException("A plan that was just made has no findings");
        PlanFit.Require(isSame(own.Plan), Backup.Location);
        return own;
    }

    /// <summary>The versions that have a file list, regardless of a database.</summary>
    private BackupVersion[] VersionsOfLists() =>
        [.. Session.Volumes.FileLists.Select((list, index) => new BackupVersion(index, list.Name.Time, list.FileName))];

    private Task<CheckReport> RepairAsync(
        string operation,
        string? folder,
        bool readsVolumes,
        IProgress<RestoreProgress>? progress,
        CancellationToken cancellationToken
    ) =>
        RestoreTelemetry.WatchAsync(
            operation,
            async _ =>
            {
                RetryingSink? sink = folder is null ? null : OpenSink(folder);
                try
                {
                    RepairRun run = new(MaintenanceOf(), Backup.StartMeter(progress), cancellationToken)
                    {
                        ReadsVolumes = readsVolumes,
                    };
                    CheckReport report = await run.RunAsync(sink).ConfigureAwait(false);
                    Log.Issues(Session.Logger, report.Issues);
                    return report;
                }
                finally
                {
                    if (sink is not null)
                    {
                        await sink.DisposeAsync().ConfigureAwait(false);
                    }
                }
            }
        );

    private RetryingSink OpenSink(string location) =>
        StoreFactory.OpenSink(
            location,
            Session.Options.Stores,
            Session.Options.StoreOptions,
            Session.Options.TimeProvider,
            Session.Logger
        );

    private Task<DatabaseReport> MakeDatabaseAsync(
        string operation,
        string path,
        OldDatabase? old,
        IProgress<RestoreProgress>? progress,
        CancellationToken cancellationToken
    ) =>
        RestoreTelemetry.WatchAsync(
            operation,
            async _ =>
            {
                using DatabaseRun run = new(MaintenanceOf(), path, old, Backup.StartMeter(progress), cancellationToken);
                DatabaseReport report = await run.RunAsync(VersionsOfLists()).ConfigureAwait(false);
                Log.Issues(Session.Logger, report.Issues);
                return report;
            }
        );

    private MaintenanceContext MaintenanceOf()
    {
        Execution reading = new(Session, new ExecuteOptions());
        return new MaintenanceContext(
            Backup.Location,
            Session.Loader,
            Session.Volumes,
            reading.Ranges,
            RangePolicy.Resolve(new RestoreTuning(), Session.Store, readsParts: false),
            reading.Blocks,
            Session.Options.Passphrase,
            Session.Options.TimeProvider
        )
        {
            MaxBlockBytes = Session.Options.MaxBlockSizeBytes,
        };
    }

    private Task<T> WithSinkAsync<T>(string operation, Func<RetryingSink, Task<T>> use) =>
        RestoreTelemetry.WatchAsync(
            operation,
            async _ =>
            {
                RetryingSink sink =
                    Backup.OpenSink?.Invoke()
                    ?? throw new RestoreException(
                        RestoreErrorCode.StoreReadOnly,
                        "Nothing can be written to this store",
                        Backup.Location
                    );
                try
                {
                    return await use(sink).ConfigureAwait(false);
                }
                finally
                {
                    if (Backup.OwnsSink)
                    {
                        await sink.DisposeAsync().ConfigureAwait(false);
                    }
                }
            }
        );
}
