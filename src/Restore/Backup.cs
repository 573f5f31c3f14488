using Restore.Catalog.Database;
using Restore.Catalog.Locating;
using Restore.Ends;
using Restore.Maintenance;
using Restore.Planning.Paths;
using Restore.Restoring;
using Restore.Volumes.Parity;

namespace Restore;

/// <summary>
/// A Duplicati backup, opened for reading. Safe for concurrent use; any number can be open in one
/// process.
/// </summary>
public partial class Backup : IAsyncDisposable
{
    private readonly RestoreSession? session;
    private readonly BackupMaintenance? maintenance;

    private Backup(RestoreSession session)
    {
        this.session = session;
        maintenance = new BackupMaintenance(this);
    }

    /// <summary>
    /// For a fake in the tests of a caller: it has no store, and overrides the members that the
    /// caller uses. Every other member throws a <see cref="NotSupportedException"/>.
    /// </summary>
    protected Backup() { }

    /// <summary>
    /// Check, repair, delete, compact, purge and the local database. To break a lock, create a
    /// <see cref="BackupMaintenance"/> with that option.
    /// </summary>
    public virtual BackupMaintenance Maintenance => maintenance ?? throw Faked();

    /// <summary>The location of the backup, without credentials.</summary>
    public virtual string Location => Session.Store.DisplayName;

    /// <summary>The prefix of the names of its volumes.</summary>
    public virtual string Prefix => Session.Volumes.Prefix;

    /// <summary>
    /// The rate limit of downloads (<c>throttle-download</c>, as an option or in the URL), in bytes
    /// per second; null for none.
    /// </summary>
    public virtual long? ThrottleBytesPerSecond => Session.Store.BytesPerSecond;

    /// <summary>Its versions, newest first.</summary>
    public virtual IReadOnlyList<BackupVersion> Versions => Session.Catalog.Versions;

    /// <summary>
    /// What is suspicious about the files of the backup by their names: files that are left out,
    /// dates in the future.
    /// </summary>
    public virtual IReadOnlyList<RestoreIssue> Issues => Session.Volumes.Issues;

    internal RestoreSession Session => session ?? throw Faked();

    /// <summary>Opens the store for writing; null if nothing can be written to it.</summary>
    internal Func<RetryingSink>? OpenSink { get; private set; }

    /// <summary>Whether what <see cref="OpenSink"/> opens is to be disposed.</summary>
    internal bool OwnsSink { get; private set; }

    /// <summary>The source of its buffers. When nothing runs, no buffer is rented.</summary>
    internal BufferPool Pool => Session.Pool;

    /// <summary>
    /// Opens the backup in a folder or at a storage URL: lists its volumes and, if given, opens its
    /// database. Reads no volume.
    /// </summary>
    /// <param name="location">A folder, or a URL in Duplicati's form.</param>
    /// <param name="options">How to open it.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The opened backup.</returns>
    /// <exception cref="RestoreException">There is no backup, there are several, or it cannot be
    /// opened.</exception>
    public static async Task<Backup> OpenAsync(
        string location,
        BackupOptions? options = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(location);
        options ??= new BackupOptions();
        (location, string? prefix) = BackupFolders.Split(location, options.Prefix);
        options = options with { Prefix = prefix };
        MeteredStore store = StoreFactory.Open(
            location,
            options.Stores,
            options.StoreOptions,
            options.TimeProvider,
            LoggerOf(options)
        );
        Backup backup;
        try
        {
            backup = await RestoreTelemetry
                .WatchAsync("Open", _ => OpenListedAsync(store, options, cancellationToken))
                .ConfigureAwait(false);
        }
        catch (RestoreException failure) when (IsWithoutBackup(failure) && store.ListedFolders.Count > 0)
        {
            throw await BackupFolders
                .DescribeAsync(failure, store.ListedFolders, Below, cancellationToken)
                .ConfigureAwait(false);
        }

        backup.OpenSink = () =>
            StoreFactory.OpenSink(
                location,
                options.Stores,
                options.StoreOptions,
                options.TimeProvider,
                LoggerOf(options)
            );
        backup.OwnsSink = true;
        return backup;

        // One look at each folder is enough for a hint.
        MeteredStore Below(string folder) =>
            StoreFactory.Open(
                BackupFolders.Below(location, folder),
                options.Stores,
                new Dictionary<string, string>(options.StoreOptions) { ["number-of-retries"] = "0" },
                options.TimeProvider,
                LoggerOf(options)
            );
    }

    /// <summary>
    /// Opens the backup in a store of your own: lists its volumes and, if given, opens its
    /// database. Reads no volume.
    /// </summary>
    /// <param name="store">The store; the backup disposes it, even if it cannot be opened. If it
    /// is an <see cref="IVolumeSink"/> too, the backup can be changed. The options about retries of
    /// <see cref="BackupOptions.StoreOptions"/> apply to it.</param>
    /// <param name="options">How to open it.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The opened backup.</returns>
    /// <exception cref="RestoreException">There is no backup, there are several, or it cannot be
    /// opened.</exception>
    public static async Task<Backup> OpenAsync(
        IVolumeStore store,
        BackupOptions? options = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(store);
        options ??= new BackupOptions();
        MeteredStore metered;
        try
        {
            metered = StoreFactory.Wrap(
                store,
                options.Stores,
                options.StoreOptions,
                options.TimeProvider,
                LoggerOf(options)
            );
        }
        catch
        {
            await store.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        Backup backup = await RestoreTelemetry
            .WatchAsync("Open", _ => OpenListedAsync(metered, options, cancellationToken))
            .ConfigureAwait(false);
        backup.OpenSink = store is IVolumeSink sink
            ? () =>
                StoreFactory.Wrap(sink, options.Stores, options.StoreOptions, options.TimeProvider, LoggerOf(options))
            : null;
        return backup;
    }

    /// <summary>
    /// Whether the store has the file list of a version. Without it only the local database knows
    /// the version, which may have been deleted.
    /// </summary>
    /// <param name="version">One of <see cref="Versions"/>.</param>
    public virtual bool HasFileList(BackupVersion version)
    {
        ArgumentNullException.ThrowIfNull(version);
        return Session.Volumes.Find(version.FileListName) is { IsMissing: false };
    }

    /// <summary>
    /// Whether a version is partial: its backup was stopped, or took no file. Reads a small part of
    /// its file list; null if that cannot be read, or the store does not have it.
    /// </summary>
    /// <param name="version">One of <see cref="Versions"/>.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="RestoreException">The passphrase is wrong.</exception>
    public virtual async ValueTask<bool?> IsPartialAsync(
        BackupVersion version,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(version);
        if (Session.Volumes.Find(version.FileListName) is not { IsMissing: false } list)
        {
            return null;
        }

        RangePolicy ranges = new Execution(Session, new ExecuteOptions()).Ranges;
        (bool? isFull, _) = await new FilesetReading(Session.Loader, Session.Volumes, ranges)
            .ReadAsync(list, cancellationToken)
            .ConfigureAwait(false);
        return !isFull;
    }

    /// <summary>Finds a version by its number.</summary>
    /// <exception cref="RestoreException">The version does not exist; the message lists the
    /// existing versions.</exception>
    public virtual BackupVersion GetVersion(int index) =>
        index >= 0 && index < Versions.Count ? Versions[index] : throw NoVersion($"There is no version {index}");

    /// <summary>Finds the newest version made at or before a time.</summary>
    /// <exception cref="RestoreException">All versions are newer; the message lists
    /// them.</exception>
    public virtual BackupVersion GetVersion(DateTimeOffset time) =>
        Versions.FirstOrDefault(version => version.Time <= time)
        ?? throw NoVersion($"There is no version made at or before {time:u}");

    /// <summary>
    /// Makes a plan for a drill of several versions: it verifies each block once, however many
    /// versions have it, and reads each volume once. A version with an unreadable file list is an
    /// issue of the plan. Entries that a restore would refuse, because another entry has the same
    /// path, are verified too.
    /// </summary>
    /// <param name="versions">Which of <see cref="Versions"/>; at least one.</param>
    /// <param name="options">What; nothing is written.</param>
    /// <param name="sample">Verifies only some entries, chosen at random; null for all.</param>
    /// <param name="execution">How to read; a plan does not contain it.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The plan, for <see cref="ExecuteAsync"/>; <see cref="RestorePlan.Drill"/> says what
    /// it covers.</returns>
    /// <exception cref="RestoreException">Nothing is selected, no file list can be read, or the
    /// passphrase is wrong.</exception>
    public virtual async Task<RestorePlan> PlanDrillAsync(
        IReadOnlyList<BackupVersion> versions,
        RestoreOptions options,
        DrillSample? sample = null,
        ExecuteOptions? execution = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(versions);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentOutOfRangeException.ThrowIfZero(versions.Count);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(sample?.Share ?? 1);
        options = options with { Target = null, VerifyOnly = true };
        return await RestoreTelemetry
            .WatchAsync(
                "Plan",
                _ =>
                    MakePlanAsync(
                        options,
                        execution ?? new ExecuteOptions(),
                        builder => builder.BuildAsync(versions, sample, cancellationToken),
                        cancellationToken
                    )
            )
            .ConfigureAwait(false);
    }

    /// <summary>
    /// Executes a plan. Entries that fail are in the report; only a failure of the whole restore
    /// throws.
    /// </summary>
    /// <param name="plan">A plan of this backup: made by <see
    /// cref="PlanAsync(BackupVersion, RestoreOptions, ExecuteOptions?, CancellationToken)"/>, loaded, or a part
    /// of one.</param>
    /// <param name="options">Listeners, tuning, what follows at the end, and the token for a
    /// graceful stop.</param>
    /// <param name="cancellationToken">Stops immediately; unfinished files are removed.</param>
    /// <returns>What was restored, and what was not.</returns>
    /// <exception cref="RestoreException">The plan is one of another backup or of a version that
    /// is gone, the passphrase is wrong or missing, or the whole restore failed: the target is full
    /// or not writable, or the store is lost.</exception>
    /// <exception cref="OperationCanceledException">The restore was stopped or
    /// cancelled.</exception>
    public virtual Task<RestoreReport> ExecuteAsync(
        RestorePlan plan,
        ExecuteOptions? options = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        options ??= new ExecuteOptions();
        return RestoreTelemetry.WatchAsync(
            "Execute",
            async _ =>
            {
                await Session.RequireFitsAsync(plan, cancellationToken).ConfigureAwait(false);
                RestorePlan bound = plan.With(PlanVolumes.Rebind(plan.Pass, Session.Volumes));
                bound = await new KeptFiles(Session, bound).CheckAsync(cancellationToken).ConfigureAwait(false);
                RestoreRun run = new(
                    new Execution(Session, options),
                    bound,
                    StartMeter(options.Progress, plan.BytesFetched)
                );
                RestoreReport report = await run.RunAsync(cancellationToken).ConfigureAwait(false);
                report = plan.Effort?.AddTo(report) ?? report;
                return await CompleteAsync(bound, options, report, cancellationToken).ConfigureAwait(false);
            }
        );
    }

    /// <summary>
    /// What follows a run, if the options ask for it: another look at the device, and a search in
    /// other versions.
    /// </summary>
    internal async Task<RestoreReport> CompleteAsync(
        RestorePlan plan,
        ExecuteOptions options,
        RestoreReport report,
        CancellationToken cancellationToken
    )
    {
        if (options.VerifyAfter && !plan.Options.VerifyOnly)
        {
            using IRestoreTarget target = await Session
                .OpenTargetAsync(plan.Options, !options.SkipFlush)
                .ConfigureAwait(false);
            DeviceCheck check = new(plan, target, Session.Pool);
            report = await new OwnThreads()
                .RunAsync(() => check.Check(report, cancellationToken))
                .ConfigureAwait(false);
        }

        return plan.Options.SalvageVersions
            ? await WithWholeAsync(report, cancellationToken).ConfigureAwait(false)
            : report;
    }

    /// <summary>Closes the store and the database.</summary>
    public virtual async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        if (session is null)
        {
            return;
        }

        await Session.Catalog.DisposeAsync().ConfigureAwait(false);
        await Session.Store.DisposeAsync().ConfigureAwait(false);
        Session.Loader.Mender?.Dispose();
        Session.Loader.Spool?.Dispose();
        Session.Loader.Directories.Dispose();
        Pool.DropIdle();
    }

    /// <summary>
    /// A plan holds the full path of its target, because the current folder can differ where it is
    /// executed.
    /// </summary>
    private static RestoreOptions Absolute(RestoreOptions options) =>
        string.IsNullOrEmpty(options.Target) ? options : options with { Target = Path.GetFullPath(options.Target) };

    private async Task<RestorePlan> MakePlanAsync(
        RestoreOptions options,
        ExecuteOptions execution,
        Func<PlanBuilder, Task<RestorePlan>> build,
        CancellationToken cancellationToken,
        TargetRules? rules = null
    )
    {
        options = Absolute(options);
        using IRestoreTarget target = await Session
            .OpenTargetAsync(options, !execution.SkipFlush)
            .ConfigureAwait(false);
        using IRestoreTarget? originalPlaces = RestoreSession.OpenOriginalPlaces(options);
        ProgressMeter meter = StartMeter(execution.Progress);
        IndexesAhead indexes = Session.ReadIndexesAhead(cancellationToken);
        RestorePlan plan;
        await using (indexes.ConfigureAwait(false))
        {
            PlanningContext context = new Execution(Session, execution).PlanningFor(
                target,
                originalPlaces,
                indexes
            ) with
            {
                Rules = rules ?? TargetRules.ForThisSystem,
            };
            PlanBuilder builder = new(context, options, meter);
            plan = await build(builder).ConfigureAwait(false);
            meter.End();
            plan.Effort = new PlanningEffort(meter.Elapsed, meter.BytesFetched, [.. meter.Phases], builder.Profile);
        }

        Log.Issues(
            Session.Logger,
            plan.PlanningIssues,
            except: Session.Volumes.Issues.Concat(Session.Catalog.Differences)
        );
        Log.Planned(Session.Logger, plan.Version.Index, plan.Files, plan.Bytes, plan.BytesToFetch, plan.Volumes.Count);
        if (plan.Volumes.Count > 0 && Session.Logger.IsEnabled(LogLevel.Information))
        {
            Log.Costs(Session.Logger, plan.Costs.Ranges.Describe(plan.Volumes));
        }

        return plan;
    }

    private static async Task<Backup> OpenListedAsync(
        MeteredStore store,
        BackupOptions options,
        CancellationToken cancellationToken
    ) => new(await BackupOpening.OpenAsync(store, options, cancellationToken).ConfigureAwait(false));

    private static bool IsWithoutBackup(RestoreException failure) =>
        failure.Code is RestoreErrorCode.BackupNotFound or RestoreErrorCode.PrefixNotFound;

    /// <summary>Starts to count the bytes and the time of the calling operation.</summary>
    internal ProgressMeter StartMeter(IProgress<RestoreProgress>? progress, long fetchedBefore = 0)
    {
        ProgressMeter meter = new(Session.Options.TimeProvider, Session.Store.StartCount())
        {
            FetchedBefore = fetchedBefore,
        };
        meter.Listen(progress);
        return meter;
    }

    internal static ILogger LoggerOf(BackupOptions options) =>
        options.LoggerFactory.CreateLogger(RestoreTelemetry.Name);

    internal RestoreException NoVersion(string what) =>
        new(
            RestoreErrorCode.VersionNotFound,
            $"{what}, only: {string.Join(", ", Versions.Select(version => $"{version.Index} ({version.Time:yyyy-MM-dd HH:mm:ss}Z)"))}",
            Location
        );

    private static NotSupportedException Faked() =>
        new("This backup was not opened: it is a fake, which does not override what it is asked for");
}
