using Restore.Catalog.Locating;
using Restore.Planning.Scanning;
using Restore.Reading;

namespace Restore.Restoring;

/// <summary>
/// How plans of an opened backup are made and executed on this machine: the options, resolved for
/// it and for the store.
/// </summary>
internal sealed class Execution
{
    /// <param name="settings">The tuning options, resolved; null to resolve them for this
    /// machine.</param>
    /// <param name="meterOf">Creates the meter of a copy of a process (by its name); null measures
    /// if the options ask for a profile.</param>
    public Execution(
        RestoreSession session,
        ExecuteOptions options,
        FlowSettings? settings = null,
        Func<string, Meter?>? meterOf = null
    )
    {
        TimeProvider time = session.Options.TimeProvider;
        settings ??= FlowSettings.Resolve(
            options.Tuning,
            Environment.ProcessorCount,
            GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
            session.Store.IsLocal
        );
        (Session, Options) = (session, options);
        Settings = options.Legacy ? settings.Sequential() : settings;
        MeterOf = meterOf ?? (_ => options.Profile ? new Meter(time) : null);
        Ranges = RangePolicy.Resolve(
            options.Tuning,
            session.Store,
            readsParts: !options.Legacy,
            keepsIndexes: session.Cache is not null
        );
        Blocks = new BlockStream(session.Loader, Ranges, Settings.Reading, MeterOf, time) { Pause = options.Pause };
    }

    public RestoreSession Session { get; }

    public ExecuteOptions Options { get; }

    public FlowSettings Settings { get; }

    public Func<string, Meter?> MeterOf { get; }

    public RangePolicy Ranges { get; }

    public BlockStream Blocks { get; }

    public PlanningContext PlanningFor(
        IRestoreTarget target,
        IRestoreTarget? originalPlaces,
        IndexesAhead? indexes = null
    ) =>
        new(
            Session.Store.DisplayName,
            Session.Catalog,
            Session.Volumes.All,
            (needs, issues, progress, cancellationToken) =>
                LocateAsync(indexes, needs, issues, progress, cancellationToken),
            new ScanNetwork(Settings.FileProcessors, Settings.ChannelCapacity, MeterOf),
            target,
            originalPlaces,
            new FetchCosts(Ranges, Session.Store.HasRanges),
            Session.Pool,
            Session.Options.TimeProvider.LocalTimeZone
        )
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

        // A copy that was damaged or missing is not tried again, unless it can have been damaged on
        // its way. A copy in a volume that could not be read at all is, once.
        Locations left = plan
            .Locations.Without([.. run.FinalLosses()])
            .Without([.. run.LossesToRetry()], mayReturn: true);
        left = await MendAsync(plan, left, losses.Blocks, cancellationToken).ConfigureAwait(false);
        Locations found = await LocatorOf()
            .FindAgainAsync(plan.Content, left, losses.Blocks, issues, cancellationToken)
            .ConfigureAwait(false);
        issues.AddRange(Session.Issues());
        return found;
    }

    /// <summary>Repairs the volumes of lost blocks without another copy.</summary>
    private async Task<Locations> MendAsync(
        PassPlan plan,
        Locations left,
        IEnumerable<BlockId> lost,
        CancellationToken cancellationToken
    )
    {
        List<Replica> mended = [];
        if (Session.Loader.Mender is { CanMend: true } mender)
        {
            foreach (
                IGrouping<VolumeId, BlockId> blocks in lost.Where(block => left.VolumeOf(block).IsNone)
                    .GroupBy(plan.Locations.VolumeOf)
            )
            {
                if (
                    !blocks.Key.IsNone
                    && await mender.MendAsync(plan.Volumes[blocks.Key], cancellationToken).ConfigureAwait(false)
                        is not null
                )
                {
                    mended.AddRange(blocks.Select(block => new Replica(block, blocks.Key)));
                }
            }
        }

        return mended.Count == 0 ? left : left.With(mended, []);
    }

    private async Task<Locations> LocateAsync(
        IndexesAhead? indexes,
        BlockNeeds needs,
        IssueLog issues,
        ProgressMeter progress,
        CancellationToken cancellationToken
    )
    {
        progress.Begin(RestorePhase.LocatingBlocks, volumes: Session.Volumes.Indexes.Count);
        Locations locations = await LocatorOf(indexes)
            .LocateAsync(needs, issues, progress.Volumes, cancellationToken)
            .ConfigureAwait(false);
        issues.AddRange(Session.Issues());
        return locations;
    }

    public BlockLocator LocatorOf(IndexesAhead? indexes = null) =>
        new(indexes?.Loader ?? Session.Loader, Session.Volumes, Session.Catalog, Ranges, Blocks.ReadAsync);
}
