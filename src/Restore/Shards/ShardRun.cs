using Restore.Catalog;
using Restore.Planning;
using Restore.Planning.Records;
using Restore.Restoring;
using Restore.Threads;

namespace Restore.Shards;

/// <summary>What follows the run of a plan.</summary>
internal delegate Task<RestoreReport> Completion(RestorePlan plan, RestoreReport report, CancellationToken cancellationToken);

/// <summary>
/// Restores a part of a split plan: claims it, runs it, and leaves a record beside the plan. A part that is done is not restored again. What it needs
/// of other parts are their names alone: folders are made by whoever needs them first, and links, times of folders and shared files are left to <see
/// cref="ShardFinish"/>.
/// </summary>
/// <param name="plan">The whole plan.</param>
/// <param name="planId">Its id.</param>
/// <param name="files">The files beside the plan.</param>
/// <param name="shard">The number of the part, from 1 on.</param>
/// <param name="count">The number of parts.</param>
internal sealed class ShardRun(RestorePlan plan, string planId, ShardFiles files, int shard, int count)
{
    public ClaimTiming Timing { get; init; } = ClaimTiming.Default;

    public async Task<RestoreReport> RunAsync(
        RestoreSession session, ExecuteOptions options, ProgressMeter progress, Completion complete, CancellationToken cancellationToken)
    {
        await session.RequireFitsAsync(plan, cancellationToken).ConfigureAwait(false);
        files.MakeFolder();
        using CancellationTokenSource waiting = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, options.StopToken);
        using ShardClaim? claim = await ClaimAsync(progress, session.Options.TimeProvider, waiting.Token).ConfigureAwait(false);
        return claim is null ? Done()!.Report! : await RunAsync(session, options, progress, complete, claim, cancellationToken).ConfigureAwait(false);
    }

    private async Task<RestoreReport> RunAsync(
        RestoreSession session, ExecuteOptions options, ProgressMeter progress, Completion complete, ShardClaim claim, CancellationToken cancellationToken)
    {
        using CancellationTokenSource ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, claim.Lost);
        ShardRecord head = new() { Plan = planId, Shard = shard, Shards = count, Split = "", Machine = Environment.MachineName };
        try
        {
            PassPlan whole = PlanVolumes.Rebind(plan.Pass, session.Volumes);
            PlanSplit split = PlanSplit.Of(plan.Pass, count);
            RestorePlan part = plan.ToPart(PlanVolumes.Rebind(split.ToPart(shard - 1), session.Volumes), []);
            ShardIdentity identity = new(ShardedRestore.PrefixOf(planId), shard, claim.Attempt)
            {
                IsHeld = claim.IsHeld,
                RequireHeld = () => Require(claim.MayWrite()),
            };
            head = head with { Split = split.Fingerprint(), Target = await MarkAsync(session, whole, ending.Token).ConfigureAwait(false) };
            Engine engine = session.EngineFor(plan.Options);
            if (claim.Attempt > 1)
            {
                part = await ShardScan.LookAsync(session, engine, plan, part, identity, progress, ending.Token).ConfigureAwait(false);
            }

            RestoreRun run = new(session, engine, part, options, progress) { Shard = identity };
            PartResult result = await run.RunPartAsync(ending.Token).ConfigureAwait(false);
            result = result with { Report = await complete(part, result.Report, ending.Token).ConfigureAwait(false) };
            Require(claim.MayWrite(looks: true));
            files.Write(Doubt(result.Report) is { } doubt ? head with { Failure = doubt.Reason } : ShardRecord.Of(head, result));
            claim.End();
            return result.Report;
        }
        catch (OperationCanceledException) when (claim.Lost.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw Taken();
        }
        catch (RestoreException failure)
        {
            if (claim.IsHeld())
            {
                files.Write(head with { Failure = failure.Message });
            }

            claim.End();
            throw;
        }
        catch (OperationCanceledException)
        {
            claim.End();
            throw;
        }
    }

    private void Require(bool isHeld)
    {
        if (!isHeld)
        {
            throw Taken();
        }
    }

    private RestoreException Taken() => new(
        RestoreErrorCode.ShardTaken, $"Shard {shard} of {count} was taken over by another process, because this one gave no sign of life");

    /// <summary>What the device did not take has to be restored again: such a part is not done.</summary>
    private static RestoreIssue? Doubt(RestoreReport report) => report.Issues.FirstOrDefault(issue => issue.Kind == IssueKind.Doubtful);

    private async Task<ShardClaim?> ClaimAsync(ProgressMeter progress, TimeProvider time, CancellationToken cancellationToken)
    {
        bool isWaiting = false;
        try
        {
            return await ShardClaim.TakeAsync(files.ClaimOf(shard), Timing, IsDone, Wait, time, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw ShardFiles.NotWritable(files.Folder, failure);
        }

        void Wait()
        {
            if (!isWaiting)
            {
                progress.Begin(RestorePhase.WaitingForShard);
                isWaiting = true;
            }
        }
    }

    private async Task<string> MarkAsync(RestoreSession session, PassPlan whole, CancellationToken cancellationToken)
    {
        using IRestoreTarget target = await new OwnThreads().RunAsync(() => session.OpenTarget(plan.Options)).ConfigureAwait(false);
        string folder = RecordFolder.Of(whole.Entries, plan.Options);
        return await TargetMark.ReadOrMakeAsync(target, folder, ShardedRestore.PrefixOf(planId), session.Options.TimeProvider, cancellationToken)
            .ConfigureAwait(false);
    }

    private bool IsDone() => Done() is not null;

    /// <summary>The record of the part, if it is done.</summary>
    /// <exception cref="RestoreException">The record is one of another plan, or of another number of parts.</exception>
    private ShardRecord? Done() => ShardedRestore.Read(files, planId, shard, count) is { Report: not null } done ? done : null;
}
