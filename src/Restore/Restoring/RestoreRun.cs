using Restore.Ends;
using Restore.Planning.Paths;
using Restore.Resume;

namespace Restore.Restoring;

/// <summary>
/// Executes a plan: pass after pass while missing blocks may have another location, then links and
/// folders, then the report.
/// <code>
/// losses = Execute(plan); plan = plan.Next(losses, locations)
/// </code>
/// </summary>
internal sealed class RestoreRun(Execution execution, RestorePlan plan, ProgressMeter progress)
{
    // Further files are closed, least recently used first, and opened again when their next block
    // comes.
    private const int MostOpenEntries = 64;

    private readonly OwnThreads threads = new();
    private readonly RestoreSession session = execution.Session;
    private readonly ExecuteOptions options = execution.Options;
    private readonly RestoreNetwork network = new(execution.Settings, execution.Blocks, execution.MeterOf);

    /// <summary>
    /// The part of a split plan that the plan is; null for a whole plan. A part makes no links, and
    /// finishes no folders and no shared files.
    /// </summary>
    public ShardIdentity? Shard { get; init; }

    public async Task<RestoreReport> RunAsync(CancellationToken cancellationToken) =>
        (await RunPartAsync(cancellationToken).ConfigureAwait(false)).Report;

    public async Task<PartResult> RunPartAsync(CancellationToken cancellationToken)
    {
        KnownAccounts.Require(plan.Options);

        // 1. Read the records of earlier runs, create the record of this run, and remove partial
        //    files that this plan does not continue. Refuse what does not fit.
        // 2. Run passes, as long as a missing block has another location.
        // 3. In a drill, compute the file hashes that are still open.
        // 4. Keep damaged files, create links, and finish folders.
        // 5. Wait for the device, and only then remove the records: after a crash before, the next
        //    run needs them.
        // 6. Finish the folder of the record, and report.
        using IRestoreTarget target = await session
            .OpenTargetAsync(plan.Options, !options.SkipFlush)
            .ConfigureAwait(false);
        using IRestoreTarget? originalPlaces = RestoreSession.OpenOriginalPlaces(plan.Options);
        using RunRecord record = RecordOf(plan, target, Shard?.RunId ?? session.NewRunId(), !options.SkipFlush);
        IssueLog unusable = new();
        using EarlierRuns earlier = await threads
            .RunAsync(() => EarlierRuns.Read(target, record.Folder, unusable, Shard is null ? null : Shard.Owns))
            .ConfigureAwait(false);

        // A killed run can have left folders open to their owner. Its record has their modes.
        target.TakeModes(earlier.Modes(), record.Opening);
        HashSet<string> included = earlier.IsEmpty
            ? []
            : [.. plan.Pass.Included().SelectMany(plan.Pass.Entries.PathsOf)];
        if (Shard is null)
        {
            RivalRuns rivals = new(plan, target, record, earlier);
            await rivals
                .BeginAloneAsync(threads, session.Options.TimeProvider, cancellationToken)
                .ConfigureAwait(false);
        }

        await threads
            .RunAsync(() => earlier.RemovePartials(target, included.Contains, plan.Pass.Entries.PartialPaths()))
            .ConfigureAwait(false);

        // Only now, because the partial files that were removed gave back their room.
        RestorePlan planned = plan;
        plan = await threads
            .RunAsync(() => RoomAtTarget.Check(planned, target, !options.Tuning.PreallocateSize, Shard))
            .ConfigureAwait(false);
        EntryStates states = new(plan.Pass.Entries.Count);
        foreach (EntryId entry in plan.Pass.Included().Where(entry => plan.Pass.Entries.IsBegun(entry)))
        {
            states.SetStarted(entry);
        }

        RenameRule renaming = new(plan.Version.Time, session.Options.TimeProvider.LocalTimeZone);

        EntryResults results = new(plan, options.Entries);
        LeftOutAttributes leftOut = new(plan);
        RunResult run = new(plan, states, isRemote: !session.Store.IsLocal);
        using FileSalvage? salvage = plan.Options is { SalvageVersions: true, VerifyOnly: false }
            ? new FileSalvage(execution, plan, target)
            : null;

        // Between the passes, nothing is in progress that a stop would have to end in order.
        using CancellationTokenSource ending = CancellationTokenSource.CreateLinkedTokenSource(
            options.StopToken,
            cancellationToken
        );
        progress.Begin(
            RestorePhase.Restoring,
            plan.FilesToWrite,
            plan.BytesToWrite,
            plan.Pass.Fetch.Volumes.Count,
            plan.BytesToFetch
        );
        for (
            PassPlan? pass = plan.Pass;
            pass is not null;
            pass = await PlanNextAsync(run, salvage, ending.Token).ConfigureAwait(false)
        )
        {
            FileContext context = new(
                pass,
                target,
                originalPlaces,
                plan.Options,
                states,
                session.Pool,
                results,
                leftOut,
                record
            )
            {
                OpenEntries = OpenHandles.Entries(
                    OpenHandles.Spare(),
                    execution.Settings.FileProcessors,
                    MostOpenEntries
                ),
                Time = session.Options.TimeProvider,
                PreallocatesSize = options.Tuning.PreallocateSize,
                Shard = Shard,
                Renaming = renaming,
            };
            if (run.Passes.Count > 0)
            {
                progress.AddToFetch(plan.Costs.BytesOf(pass.Fetch), pass.Fetch.Volumes.Count);
            }

            progress.CurrentPath = () =>
                context.Current is { IsNone: false } current ? context.Plan.Content.PathText(current) : null;
            Log.PassBegins(session.Logger, run.Passes.Count + 1, pass.Fetch.Volumes.Count);
            PassResult result = await RestoreTelemetry
                .WatchAsync("Pass", _ => network.RunPassAsync(context, progress, options.StopToken, cancellationToken))
                .ConfigureAwait(false);

            // A stop lets the pass end with the volumes that are in memory. The run ends here.
            options.StopToken.ThrowIfCancellationRequested();
            run.Add(pass, result);
            Log.PassEnded(session.Logger, run.Passes.Count, result.FilesRestored, run.Losses.Blocks.Count);
        }

        await OpenHashes
            .VerifyAsync(run, execution.Blocks, execution.Settings.StoreBytes, ending.Token)
            .ConfigureAwait(false);
        progress.Begin(RestorePhase.Finishing);
        Finishing finishing = new(plan, target, states, record, renaming, results, leftOut);
        IEnumerable<FileOutcome> deferred = run.Passes.SelectMany(pass => pass.Deferred);
        Shard?.RequireHeld();
        await threads
            .RunAsync(Shard is null ? () => finishing.Finish(deferred, cancellationToken) : finishing.KeepDamaged)
            .ConfigureAwait(false);
        Flushing flushing = new(plan, target, states);
        IReadOnlyList<RestoreIssue> doubtful = await FlushAsync(flushing).ConfigureAwait(false);
        if (doubtful.Count == 0)
        {
            await threads
                .RunAsync(() => RemoveRecords(record, earlier, target, included, finishing))
                .ConfigureAwait(false);
        }

        if (Shard is null)
        {
            await threads
                .RunAsync(() => finishing.FinishLast(afterInterruption: !earlier.IsEmpty))
                .ConfigureAwait(false);
        }

        finishing.Note(record.Problem);
        finishing.Issues.AddRange(
            unusable.ToList().Where(issue => plan.PlanningIssues.All(known => known.Path != issue.Path))
        );
        progress.Begin(RestorePhase.Done);
        RestoreReport report = new ReportBuilder(
            plan,
            run,
            finishing,
            leftOut,
            doubtful,
            isPart: Shard is not null
        ).Build(progress, Choices(run));
        Log.Issues(session.Logger, report.Issues, except: planned.PlanningIssues);
        Log.Restored(
            session.Logger,
            plan.Version.Index,
            report.FilesRestored,
            report.BytesRestored,
            report.Issues.Count
        );
        return new PartResult(report, [.. Finishing.Fold(deferred)], run.MissedBlocks(), leftOut, PlaceOf);

        string PlaceOf(EntryId entry) => run.States.PlaceOf(entry) ?? plan.Pass.Entries.TargetPath(entry);
    }

    /// <summary>
    /// The run has ended well, and the device has everything: nothing needs the records any more.
    /// </summary>
    private static void RemoveRecords(
        RunRecord record,
        EarlierRuns earlier,
        IRestoreTarget target,
        HashSet<string> included,
        Finishing finishing
    )
    {
        finishing.Note(earlier.RemoveRecords(target, included.Contains));
        record.Remove();
    }

    public static RunRecord RecordOf(RestorePlan plan, IRestoreTarget target, ulong id, bool flushes)
    {
        PassPlan pass = plan.Pass;
        RecordedEntries entries = new(
            pass.Entries.Count,
            pass.Entries.TargetPath,
            entry =>
                !pass.Entries.IsShared(entry)
                && (pass.WritesFile(entry) || (pass.Entries[entry] == EntryAction.Replace && pass.Includes(entry)))
        );
        return new RunRecord(target, RecordFolder.Of(pass.Entries, plan.Options), id, entries)
        {
            IsOff = plan.Options.VerifyOnly,
            IsFlushed = flushes,
        };
    }

    private async Task<IReadOnlyList<RestoreIssue>> FlushAsync(Flushing flushing)
    {
        if (options.SkipFlush || plan.Options.VerifyOnly)
        {
            return [];
        }

        progress.Begin(RestorePhase.Flushing);
        return await threads.RunAsync(flushing.Flush).ConfigureAwait(false);
    }

    /// <summary>
    /// Searches other locations for blocks that were missing or wrong: in the store, then in files,
    /// if the options ask for that.
    /// </summary>
    /// <returns>A plan for the missing blocks that have another location, or null if no block has
    /// one.</returns>
    private async Task<PassPlan?> PlanNextAsync(
        RunResult run,
        FileSalvage? salvage,
        CancellationToken cancellationToken
    ) =>
        await PlanNextAsync(run, cancellationToken).ConfigureAwait(false)
        ?? (salvage is null ? null : await salvage.NextAsync(run, cancellationToken).ConfigureAwait(false));

    private async Task<PassPlan?> PlanNextAsync(RunResult run, CancellationToken cancellationToken)
    {
        if (run.Losses.Blocks.Count == 0)
        {
            return null;
        }

        Locations found = await execution.FindAgainAsync(run, cancellationToken).ConfigureAwait(false);
        Log.SecondCopies(
            session.Logger,
            run.Losses.Blocks.Count(block => !found.VolumeOf(block).IsNone),
            run.Losses.Blocks.Count
        );
        return run.LastPlan.Next(run.Losses, found, session.Loader.Mender?.Current(run.LastPlan.Volumes));
    }

    private IReadOnlyList<string> Choices(RunResult run) =>
        [
            $"copies: {execution.Settings.Reading.VolumeDownloaders} VolumeDownloader, {execution.Settings.Reading.VolumeDecryptors} VolumeDecryptor, "
                + $"{execution.Settings.Reading.VolumeDecompressors} VolumeDecompressor, {execution.Settings.FileProcessors} FileProcessor",
            .. network.Choices,
            $"block store: at most {execution.Settings.StoreBytes >> 20:N0} MiB, {run.Passes.Max(pass => pass.PeakStoreBytes) >> 20:N0} MiB used",
            session.Loader.Codecs.Description,
        ];
}
