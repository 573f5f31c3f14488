using Microsoft.Extensions.Logging;
using Restore.Catalog.Locating;
using Restore.Ends;
using Restore.Ends.Drill;
using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>An opened backup, as planning and execution use it.</summary>
internal sealed record RestoreSession(
    BackupOptions Options, MeteredStore Store, CachingStore? Cache, VolumeLoader Loader, VolumeSet Volumes, ICatalog Catalog)
{
    public BufferPool Pool => Loader.Pool;

    /// <summary>Opens the target of a restore; the second argument is whether its files are flushed.</summary>
    public Func<RestoreOptions, bool, IRestoreTarget> OpenTarget { get; init; } = (options, flushesFiles) =>
        options.VerifyOnly ? new VerifyOnlyTarget(options.Target) : FileSystemTarget.Open(options.Target ?? FileSystemRoot, flushesFiles);

    public Func<ulong> NewRunId { get; init; } = () => BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8));

    public ILogger Logger => Loader.Logger;

    /// <summary>The problem of the cache, if there is one.</summary>
    public IEnumerable<RestoreIssue> CacheIssues() =>
        Cache?.Problem is string problem ? [new RestoreIssue(IssueKind.Warning, Options.CacheDirectory!, problem) { Code = IssueCode.CacheUnusable }] : [];

    private IEnumerable<RestoreIssue> SessionIssues() => [.. CacheIssues(), .. Loader.Mender?.Issues.ToList() ?? []];

    /// <summary>Refuses a plan of another backup, and a passphrase that does not open the backup: either would lose all blocks of the plan.</summary>
    /// <exception cref="RestoreException">The plan does not fit the backup, or the passphrase is wrong or missing.</exception>
    public Task RequireFitsAsync(RestorePlan plan, CancellationToken cancellationToken)
    {
        PlanVolumes.RequireFits(plan, Volumes, Store.DisplayName);
        return new PassphraseCheck(Loader, Volumes).RequireAnyAsync(plan.Version.FileListName, cancellationToken);
    }

    public PlanningContext PlanningFor(Execution execution, IRestoreTarget target, IRestoreTarget? originalPlaces, IndexesAhead? indexes = null) => new(
        Store.DisplayName,
        Catalog,
        Volumes.All,
        (needs, issues, progress, cancellationToken) => LocateAsync(execution, indexes, needs, issues, progress, cancellationToken),
        new ScanNetwork(execution.Settings.FileProcessors, execution.Settings.ChannelCapacity, execution.MeterOf),
        target,
        originalPlaces,
        new FetchCosts(execution.Ranges, Store.HasRanges),
        Pool,
        Options.TimeProvider.LocalTimeZone)
    {
        OpeningIssues = Volumes.Issues,
        AllowsGpgKeys = Options.AllowGpgKeys,
        MaxBlockBytes = Options.MaxBlockSizeBytes,
        PreallocatesSize = execution.Options.Tuning.PreallocateSize,
    };

    /// <summary>The root of original places; on Windows the names of drives and shares come below it.</summary>
    public static string FileSystemRoot => OperatingSystem.IsWindows() ? @"\\?\" : "/";

    /// <summary>Searches other locations for blocks that a pass did not bring.</summary>
    public async Task<Locations> FindAgainAsync(Execution execution, RunResult run, CancellationToken cancellationToken)
    {
        (PassPlan plan, PassLosses losses, IssueLog issues) = (run.LastPlan, run.Losses, run.Issues);
        Locations left = plan.Locations.Without([.. run.FinalLosses()]).Without([.. run.LossesToRetry()], mayReturn: true);
        left = await MendAsync(plan, left, losses.Blocks, cancellationToken).ConfigureAwait(false);
        Locations found = await LocatorOf(execution).FindAgainAsync(plan.Content, left, losses.Blocks, issues, cancellationToken).ConfigureAwait(false);
        issues.AddRange(SessionIssues());
        return found;
    }

    /// <summary>Repairs the volumes of lost blocks without another copy.</summary>
    /// <returns>The locations with the blocks of repaired volumes.</returns>
    private async Task<Locations> MendAsync(PassPlan plan, Locations left, IEnumerable<BlockId> lost, CancellationToken cancellationToken)
    {
        List<Replica> mended = [];
        if (Loader.Mender is { HasParity: true } mender)
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
        Execution execution, IndexesAhead? indexes, BlockNeeds needs, IssueLog issues, ProgressMeter progress, CancellationToken cancellationToken)
    {
        progress.Begin(RestorePhase.LocatingBlocks, volumes: Volumes.Indexes.Count);
        Locations locations = await LocatorOf(execution, indexes).LocateAsync(needs, issues, progress.Volumes, cancellationToken).ConfigureAwait(false);
        issues.AddRange(SessionIssues());
        return locations;
    }

    /// <summary>Begins to read index volumes, before it is known which blocks are needed. A local store and a local database need no such thing.</summary>
    public IndexesAhead ReadIndexesAhead(CancellationToken cancellationToken) =>
        new(Loader, Store.IsLocal || !string.IsNullOrEmpty(Options.DatabasePath) ? [] : Volumes.Indexes, cancellationToken);

    public BlockLocator LocatorOf(Execution execution, IndexesAhead? indexes = null) =>
        new(indexes?.Loader ?? Loader, Volumes, Catalog, execution.Ranges, execution.Blocks.ReadAsync);

    /// <summary>Opens the original places to take blocks from, if the options ask for that and the target is another place.</summary>
    public static IRestoreTarget? OpenOriginalPlaces(RestoreOptions options) =>
        options is { RestoreWithLocalBlocks: true, Target: not null, VerifyOnly: false } ? FileSystemTarget.Open(FileSystemRoot) : null;
}
