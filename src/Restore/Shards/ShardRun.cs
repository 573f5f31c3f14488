using Restore.Restoring;

namespace Restore.Shards;

/// <summary>What follows the run of a plan.</summary>
internal delegate Task<RestoreReport> Completion(
    RestorePlan plan,
    ExecuteOptions options,
    RestoreReport report,
    CancellationToken cancellationToken
);

/// <summary>
/// Restores a part of a split plan: takes its lease, runs it, and leaves a record beside the plan.
/// A part that is done is not restored again. It needs only the names of other parts: the shard
/// that needs a folder first creates it, and links, times of folders and shared files are left to
/// <see cref="ShardFinish"/>.
/// </summary>
internal sealed class ShardRun(RestorePlan plan, ShardFiles files, int shard, int count)
{
    public LeaseTiming Timing { get; init; } = LeaseTiming.Default;

    public async Task<RestoreReport> RunAsync(
        RestoreSession session,
        ExecuteOptions options,
        ProgressMeter progress,
        Completion complete,
        CancellationToken cancellationToken
    )
    {
        await session.RequireFitsAsync(plan, cancellationToken).ConfigureAwait(false);
        files.MakeFolder();
        using CancellationTokenSource waiting = CancellationTokenSource.CreateLinkedTokenSource(
            cancellationToken,
            options.StopToken
        );
        await ReopenAsync(session).ConfigureAwait(false);
        using ShardLease? lease = await files
            .TakeLeaseAsync(
                shard,
                Timing,
                () => Done() is not null,
                progress,
                session.Options.TimeProvider,
                waiting.Token
            )
            .ConfigureAwait(false);
        return lease is null
            ? Done()!.Report!
            : await RunAsync(session, options, progress, complete, lease, cancellationToken).ConfigureAwait(false);
    }

    private async Task<RestoreReport> RunAsync(
        RestoreSession session,
        ExecuteOptions options,
        ProgressMeter progress,
        Completion complete,
        ShardLease lease,
        CancellationToken cancellationToken
    )
    {
        using CancellationTokenSource ending = CancellationTokenSource.CreateLinkedTokenSource(
            cancellationToken,
            lease.Lost
        );
        ShardRecord head = new()
        {
            Plan = files.PlanId,
            Shard = shard,
            Shards = count,
            Split = "",
            Machine = Environment.MachineName,
        };
        try
        {
            PlanSplit split = PlanSplit.Of(plan.Pass, count);
            RestorePlan part = plan.With(PlanVolumes.Rebind(split.ToPart(shard - 1), session.Volumes), []);
            ShardIdentity identity = ShardIdentity.Of(files.PlanId, shard, lease.Attempt) with
            {
                IsHeld = () => lease.Look() == true,
                RequireHeld = () => Require(lease.MayWrite()),
            };
            head = head with { Split = split.Fingerprint() };
            Execution execution = new(session, options);

            // The plan says what was at the target before all attempts. From the second one on,
            // files of an earlier attempt are there too.
            if (lease.Attempt > 1)
            {
                part = await ShardScan
                    .LookAsync(execution, plan, part, identity, progress, ending.Token)
                    .ConfigureAwait(false);
            }

            part = await new KeptFiles(session, part).CheckAsync(ending.Token).ConfigureAwait(false);
            RestoreRun run = new(execution, part, progress) { Shard = identity };
            PartResult result = await run.RunPartAsync(ending.Token).ConfigureAwait(false);
            result = result with
            {
                Report = await complete(part, options, result.Report, ending.Token).ConfigureAwait(false),
            };

            // The last look before the record: after a takeover, the record of the new owner must
            // not be replaced. If the file cannot be read, the owner goes on, because its files are
            // whole.
            Require(lease.Look() != false);
            NotedFiles noted = await AtTargetAsync(session, split, restored => restored.Note(shard - 1, result))
                .ConfigureAwait(false);
            files.Write(
                Doubt(result.Report) is { } doubt
                    ? head with
                    {
                        Failure = doubt.Reason,
                    }
                    : ShardRecord.Of(head, result, noted)
            );
            lease.End();
            return result.Report;
        }
        catch (OperationCanceledException)
            when (lease.Lost.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw Taken();
        }
        catch (RestoreException failure)
        {
            if (lease.Look() == true)
            {
                files.Write(head with { Failure = failure.Message });
            }

            lease.End();
            throw;
        }
        catch (OperationCanceledException)
        {
            lease.End();
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

    private RestoreException Taken() =>
        new(
            RestoreErrorCode.ShardTaken,
            $"Shard {shard} of {count} was taken over by another process, because this one gave no sign of life"
        );

    /// <summary>
    /// What the device did not take has to be restored again: such a part is not done.
    /// </summary>
    private static RestoreIssue? Doubt(RestoreReport report) =>
        report.Issues.FirstOrDefault(issue => issue.Kind == IssueKind.Doubtful);

    /// <summary>
    /// A part that is done is restored again if something of it is lost or failed, since the volume
    /// or the device may be back; or if something of it is not at the target any more.
    /// </summary>
    private async Task ReopenAsync(RestoreSession session)
    {
        if (Done() is { } done)
        {
            if (done.HasLosses)
            {
                files.Remove(shard);
                return;
            }

            ShardIdentity identity = ShardIdentity.LastStep(files.PlanId);
            bool isAnyGone = await AtTargetAsync(
                    session,
                    PlanSplit.Of(plan.Pass, count),
                    restored => restored.IsAnyGone(done, identity)
                )
                .ConfigureAwait(false);
            if (isAnyGone)
            {
                files.Remove(shard);
            }
        }
    }

    private Task<T> AtTargetAsync<T>(RestoreSession session, PlanSplit split, Func<RestoredFiles, T> look) =>
        new OwnThreads().RunAsync(() =>
        {
            using IRestoreTarget target = session.OpenTarget(plan.Options, true);
            return look(new RestoredFiles(plan, split, target));
        });

    /// <summary>The record of the part, if it is done.</summary>
    /// <exception cref="RestoreException">The record is one of another plan, or of another number
    /// of parts.</exception>
    private ShardRecord? Done() => files.Read(shard, count) is { Report: not null } done ? done : null;
}
