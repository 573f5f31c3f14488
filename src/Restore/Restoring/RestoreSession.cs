using Microsoft.Extensions.Logging;
using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Ends;
using Restore.Ends.Drill;
using Restore.Memory;
using Restore.Planning;
using Restore.Storage;
using Restore.Volumes;

namespace Restore.Restoring;

/// <summary>An opened backup, as plans and runs use it.</summary>
internal sealed record RestoreSession(
    BackupOptions Options, MeteredStore Store, CachingStore? Cache, VolumeLoader Loader, VolumeSet Volumes, ICatalog Catalog)
{
    public BufferPool Pool => Loader.Pool;

    public ILogger Logger => Loader.Logger;

    /// <summary>What is wrong with the cache, if there is one.</summary>
    public IEnumerable<RestoreIssue> CacheIssues() =>
        Cache?.Problem is string problem ? [new RestoreIssue(IssueKind.Warning, Options.CacheDirectory!, problem) { Code = IssueCode.CacheUnusable }] : [];

    /// <summary>The parts that make and execute plans with these options.</summary>
    public Engine EngineFor(RestoreOptions options) => new(
        this, options, FlowSettings.Resolve(options.Tuning, Environment.ProcessorCount, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes, Store.IsLocal));

    /// <summary>What a plan is made with.</summary>
    public PlanningContext PlanningFor(Engine engine, IRestoreTarget target, IRestoreTarget? originalPlaces) => new(
        Store.DisplayName,
        Catalog,
        Volumes.All,
        (needs, issues, progress, cancellationToken) => LocateAsync(engine, needs, issues, progress, cancellationToken),
        engine.Scan,
        target,
        originalPlaces,
        new FetchCosts(engine.Ranges, Store.HasRanges),
        engine.LeavesBlocksToFiles,
        Pool,
        Options.TimeProvider.LocalTimeZone);

    /// <summary>What original places are relative to; on Windows the names of drives and shares come below it.</summary>
    private static string FileSystemRoot => OperatingSystem.IsWindows() ? @"\\?\" : "/";

    /// <summary>Looks for blocks elsewhere that a pass did not bring.</summary>
    public async Task<Locations> FindAgainAsync(Engine engine, RunResult run, CancellationToken cancellationToken)
    {
        (PassPlan plan, PassLosses losses, IssueLog issues) = (run.LastPlan, run.Losses, run.Issues);
        Locations left = plan.Locations.Without([.. run.FinalLosses()]).Without([.. run.LossesToRetry()], mayReturn: true);
        Locations found = await LocatorOf(engine).FindAgainAsync(plan.Content, left, losses.Blocks, issues, cancellationToken).ConfigureAwait(false);
        issues.AddRange(CacheIssues());
        return found;
    }

    private async Task<Locations> LocateAsync(
        Engine engine, BlockNeeds needs, IssueLog issues, ProgressMeter progress, CancellationToken cancellationToken)
    {
        progress.Begin(RestorePhase.LocatingBlocks, volumes: Volumes.Indexes.Count);
        Locations locations = await LocatorOf(engine).LocateAsync(needs, issues, progress.Volumes, cancellationToken).ConfigureAwait(false);
        issues.AddRange(CacheIssues());
        return locations;
    }

    public BlockLocator LocatorOf(Engine engine) => new(Loader, Volumes, Catalog, engine.Ranges, engine.Blocks.ReadAsync);

    /// <summary>Opens the place that a restore goes to.</summary>
    public static IRestoreTarget OpenTarget(RestoreOptions options) =>
        options.VerifyOnly ? new VerifyOnlyTarget(options.Target) : FileSystemTarget.Open(options.Target ?? FileSystemRoot);

    /// <summary>Opens the original places to take blocks from, when that is asked for and they are not the target themselves.</summary>
    public static IRestoreTarget? OpenOriginalPlaces(RestoreOptions options) =>
        options is { RestoreWithLocalBlocks: true, Target: not null, VerifyOnly: false } ? FileSystemTarget.Open(FileSystemRoot) : null;
}
