using Restore.Catalog.Locating;
using Restore.Ends;
using Restore.Ends.Drill;
using Restore.Planning.Scanning;
using Restore.Reading;

namespace Restore.Restoring;

/// <summary>An opened backup, as planning and execution use it.</summary>
internal sealed record RestoreSession(
    BackupOptions Options, MeteredStore Store, CachingStore? Cache, VolumeLoader Loader, VolumeSet Volumes, ICatalog Catalog)
{
    public BufferPool Pool => Loader.Pool;

    /// <summary>Opens the target of a restore; the second argument is whether its files are flushed.</summary>
    public Func<RestoreOptions, bool, IRestoreTarget> OpenTarget { get; init; } = (options, flushesFiles) =>
        options.VerifyOnly ? new VerifyOnlyTarget(options.Target) : FileSystemTarget.Open(options.Target ?? FileSystemRoot, flushesFiles);

    /// <summary>The same on a thread of its own: a share whose server is gone holds the caller of the system.</summary>
    public Task<IRestoreTarget> OpenTargetAsync(RestoreOptions options, bool flushesFiles) =>
        new OwnThreads().RunAsync(() => OpenTarget(options, flushesFiles));

    public Func<ulong> NewRunId { get; init; } = () => BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8));

    /// <summary>What was found for a plan of maintenance and is not in it, for its execution. A plan is a value: it holds no live tables.</summary>
    public ConditionalWeakTable<object, object> FoundFor { get; } = [];

    public ILogger Logger => Loader.Logger;

    public IEnumerable<RestoreIssue> CacheIssues() =>
        Cache?.Problem is string problem ? [new RestoreIssue(IssueKind.Warning, Options.CacheDirectory!, problem) { Code = IssueCode.CacheUnusable }] : [];

    /// <summary>The problems of the cache and of repairs so far.</summary>
    public IEnumerable<RestoreIssue> Issues() => [.. CacheIssues(), .. Loader.Mender?.Issues.ToList() ?? []];

    /// <summary>Refuses a plan of another backup, and a passphrase that does not open the backup: either would lose all blocks of the plan.</summary>
    /// <exception cref="RestoreException">The plan does not fit the backup, or the passphrase is wrong or missing.</exception>
    public Task RequireFitsAsync(RestorePlan plan, CancellationToken cancellationToken)
    {
        PlanVolumes.RequireFits(plan, Volumes, Store.DisplayName);
        return new PassphraseCheck(Loader, Volumes).RequireAnyAsync(plan.Version.FileListName, cancellationToken);
    }

    /// <summary>The root of original places; on Windows the names of drives and shares come below it.</summary>
    public static string FileSystemRoot => OperatingSystem.IsWindows() ? @"\\?\" : "/";

    /// <summary>Begins to read index volumes, before it is known which blocks are needed. A local store and a local database need no such thing.</summary>
    public IndexesAhead ReadIndexesAhead(CancellationToken cancellationToken) =>
        new(Loader, Store.IsLocal || !string.IsNullOrEmpty(Options.DatabasePath) ? [] : Volumes.Indexes, cancellationToken);

    /// <summary>Opens the original places to take blocks from, if the options ask for that and the target is another place.</summary>
    public static IRestoreTarget? OpenOriginalPlaces(RestoreOptions options) =>
        options is { RestoreWithLocalBlocks: true, Target: not null, VerifyOnly: false } ? FileSystemTarget.Open(FileSystemRoot, opensFolders: false) : null;
}

/// <summary>How plans of an opened backup are made and executed on this machine: the options, resolved for it and for the store.</summary>
internal sealed class Execution
{
    /// <param name="settings">The tuning options, resolved; null to resolve them for this machine.</param>
    /// <param name="meterOf">Creates the meter of a copy of a process (by its name); null measures if the options ask for a profile.</param>
    public Execution(RestoreSession session, ExecuteOptions options, FlowSettings? settings = null, Func<string, Meter?>? meterOf = null)
    {
        TimeProvider time = session.Options.TimeProvider;
        settings ??= FlowSettings.Resolve(
            options.Tuning, Environment.ProcessorCount, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes, session.Store.IsLocal);
        (Session, Options) = (session, options);
        Settings = options.Legacy ? settings.Sequential() : settings;
        MeterOf = meterOf ?? (_ => options.Profile ? new Meter(time) : null);
        Ranges = RangePolicy.Resolve(options.Tuning, session.Store, readsParts: !options.Legacy, keepsIndexes: session.Cache is not null);
        Blocks = new BlockStream(session.Loader, Ranges, Settings.Reading, MeterOf, time);
    }

    public RestoreSession Session { get; }

    public ExecuteOptions Options { get; }

    public FlowSettings Settings { get; }

    public Func<string, Meter?> MeterOf { get; }

    public RangePolicy Ranges { get; }

    public BlockStream Blocks { get; }

    public PlanningContext PlanningFor(IRestoreTarget target, IRestoreTarget? originalPlaces, IndexesAhead? indexes = null) => new(
        Session.Store.DisplayName,
        Session.Catalog,
        Session.Volumes.All,
        (needs, issues, progress, cancellationToken) => LocateAsync(indexes, needs, issues, progress, cancellationToken),
        new ScanNetwork(Settings.FileProcessors, Settings.ChannelCapacity, MeterOf),
        target,
        originalPlaces,
        new FetchCosts(Ranges, Session.Store.HasRanges),
        Session.Pool,
        Session.Options.TimeProvider.LocalTimeZone)
    {
        OpeningIssues = Session.Volumes.Issues,
        AllowsGpgKeys = Session.Options.AllowGpgKeys,
        AllowsUnencrypted = Session.Options.AllowUnencrypted,
        MaxBlockBytes = Session.Options.MaxBlockSizeBytes,
        PreallocatesSize = Options.Tuning.PreallocateSize,
    };

    /// <summary>Searches other locations for blocks that a pass did not bring.</summary>
    public async Task<Locations> FindAgainAsync(RunResult run, CancellationToken cancellationToken)
    {
        (PassPlan plan, PassLosses losses, IssueLog issues) = (run.LastPlan, run.Losses, run.Issues);
        Locations left = plan.Locations.Without([.. run.FinalLosses()]).Without([.. run.LossesToRetry()], mayReturn: true);
        left = await MendAsync(plan, left, losses.Blocks, cancellationToken).ConfigureAwait(false);
        Locations found = await LocatorOf().FindAgainAsync(plan.Content, left, losses.Blocks, issues, cancellationToken).ConfigureAwait(false);
        issues.AddRange(Session.Issues());
        return found;
    }

    /// <summary>Repairs the volumes of lost blocks without another copy.</summary>
    private async Task<Locations> MendAsync(PassPlan plan, Locations left, IEnumerable<BlockId> lost, CancellationToken cancellationToken)
    {
        List<Replica> mended = [];
        if (Session.Loader.Mender is { CanMend: true } mender)
        {
            foreach (IGrouping<VolumeId, BlockId> blocks in lost.Where(block => left.VolumeOf(block).IsNone).GroupBy(plan.Locations.VolumeOf))
            {
                if (!blocks.Key.IsNone && await mender.MendAsync(plan.Volumes[blocks.Key], cancellationToken).ConfigureAwait(false) is not null)
                {
                    mended.AddRange(blocks.Select(block => new Replica(block, blocks.Key)));
                }
            }
        }

        return mended.Count == 0 ? left : left.With(mended, []);
    }

    private async Task<Locations> LocateAsync(
        IndexesAhead? indexes, BlockNeeds needs, IssueLog issues, ProgressMeter progress, CancellationToken cancellationToken)
    {
        progress.Begin(RestorePhase.LocatingBlocks, volumes: Session.Volumes.Indexes.Count);
        Locations locations = await LocatorOf(indexes).LocateAsync(needs, issues, progress.Volumes, cancellationToken).ConfigureAwait(false);
        issues.AddRange(Session.Issues());
        return locations;
    }

    public BlockLocator LocatorOf(IndexesAhead? indexes = null) =>
        new(indexes?.Loader ?? Session.Loader, Session.Volumes, Session.Catalog, Ranges, Blocks.ReadAsync);
}

/// <summary>The tuning options, resolved for this machine and checked.</summary>
/// <param name="FileProcessors">Copies of FileProcessor and TargetScanner.</param>
/// <param name="ChannelCapacity">Capacity of each channel in batches.</param>
/// <param name="WorkCapacity">Capacity of the channel of each FileProcessor in batches.</param>
internal sealed record FlowSettings(
    ReadingSettings Reading, int FileProcessors, int ChannelCapacity, int WorkCapacity, long StoreBytes, int EvictPercent)
{
    // More copies than this only add memory: a copy is a task, and each stage is bound by cores or by the link.
    private const int MaxCopies = 256;

    // 4,096 batches of 1 MiB are 4 GiB: more would only cost memory.
    private const int MaxCapacity = 4096;

    // A large file keeps one FileProcessor busy; the blocks of the next file must pass to the others. All channels together, and
    // for each of many FileProcessors: what waits grows with the cores, not with their square.
    private const int WorkBatches = 8;
    private const int WorkBatchesOfEach = 4;

    // A batch usually has 1 MiB. The messages in the channels of one kind take at most a sixteenth of the memory.
    private const long BatchBytes = 1 << 20;
    private const int WaitingShare = 16;

    // Two cores are busy with the volumes that are in memory: one volume is authenticated and decrypted, another one restored. Usual volumes have 50 MiB.
    private const int CoresPerVolume = 2;
    private const int UsualVolumeMebibytes = 50;

    // As many as a server usually allows one client; the flow finds out how many of them should transfer at once. An idle copy costs nothing.
    private const int RemoteDownloaders = 16;

    // Parts of volumes are also decrypted by the downloader, so a single copy would leave cores idle.
    private const int LocalDownloaders = 2;

    /// <summary>The settings of the legacy flow: one of everything, each volume through a temporary file, each block written when it comes.</summary>
    public FlowSettings Sequential()
    {
        ReadingSettings reading = new(1, AdaptsDownloads: false, 1, 1, ChannelCapacity: 1, Reading.BytesInFlight) { VolumesInFlight = 1, UsesSpool = true };
        return this with { Reading = reading, FileProcessors = 1, ChannelCapacity = 1, WorkCapacity = 1, StoreBytes = 0 };
    }

    /// <summary>Resolves the tuning options; the exception names an invalid value and its range.</summary>
    public static FlowSettings Resolve(RestoreTuning tuning, int cores, long memoryBytes, bool isLocal)
    {
        // Every stage except the downloader is bound by the processor. With as many copies as cores no core is idle, whichever stage is the heaviest for
        // the data; more never run than there are cores, so the rest costs nothing. Capacities depend on the cores, within the memory.
        int byCores = Math.Clamp(cores, 1, MaxCopies);
        long affordable = memoryBytes / WaitingShare / BatchBytes;
        int processors = Checked(nameof(tuning.FileProcessors), tuning.FileProcessors ?? byCores, 1, MaxCopies);
        int workCapacity = (int)Math.Clamp(affordable / processors, 1, Math.Max(WorkBatches / processors, Math.Min(byCores, WorkBatchesOfEach)));
        int downloaders = isLocal ? Math.Max(Math.Min(LocalDownloaders, byCores), byCores / 2) : RemoteDownloaders;
        int capacityByCores = (int)Math.Clamp(affordable, 1, byCores);
        int capacity = Checked(nameof(tuning.ChannelBufferSize), tuning.ChannelBufferSize ?? capacityByCores, 1, MaxCapacity);
        ReadingSettings reading = new(
            Checked(nameof(tuning.VolumeDownloaders), tuning.VolumeDownloaders ?? downloaders, 1, MaxCopies),
            tuning.VolumeDownloaders is null && !isLocal,
            Checked(nameof(tuning.VolumeDecryptors), tuning.VolumeDecryptors ?? Math.Max(1, byCores / 2), 1, MaxCopies),
            Checked(nameof(tuning.VolumeDecompressors), tuning.VolumeDecompressors ?? byCores, 1, MaxCopies),
            capacity,
            tuning.VolumeCacheHintBytes is long hint ? Checked(nameof(tuning.VolumeCacheHintBytes), hint, 1, long.MaxValue) : null)
        {
            VolumesInFlight = (int)Math.Max(2, Math.Min(byCores / CoresPerVolume, affordable / UsualVolumeMebibytes)),
        };
        return new FlowSettings(
            reading,
            processors,
            capacity,
            tuning.ChannelBufferSize ?? workCapacity,
            Math.Min(Checked(nameof(tuning.CacheMaxBytes), tuning.CacheMaxBytes, 0, long.MaxValue), memoryBytes / 4),
            Checked(nameof(tuning.CacheEvictPercent), tuning.CacheEvictPercent, 1, 100));
    }

    private static T Checked<T>(string option, T value, T least, T most)
        where T : IComparable<T> =>
        value.CompareTo(least) >= 0 && value.CompareTo(most) <= 0
            ? value
            : throw new RestoreException(
                RestoreErrorCode.OptionInvalid, $"{option} cannot be {value}: the range is {least} to {most}");
}
