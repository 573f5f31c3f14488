namespace Restore.Cli.Shards;

/// <summary>
/// <c>restore run</c>: restores one shard of a saved plan, or all of them as processes of this
/// machine.
/// </summary>
internal sealed class RunCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<string?> shardName = Declare.Text(
        "--shard",
        "I/N",
        "SLURM_ARRAY_TASK_ID, or JOB_COMPLETION_INDEX + 1",
        "The shard to restore, from 1/N to N/N; I alone if the plan has the number of shards; all: all of them, as processes of this machine"
    );

    private readonly Option<int?> jobs = Declare.Count(
        "--jobs",
        1,
        256,
        "2",
        "With --shard=all: how many shards at the same time"
    );

    public string Name => "run";

    public bool RunsLong => true;

    public string Summary => "restore a shard of a saved plan";

    public IReadOnlyList<Operand> Operands => [Operand.PlanFile, Operand.OtherPlace];

    public IReadOnlyList<OptionGroup> Options =>
        [
            new("Shards", [shardName, shared.Shards, jobs]),
            shared.Waiting,
            shared.Writing,
            shared.Access,
            shared.Tuning,
            shared.Output,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        [
            "restore run /mnt/shared/job.rplan --shard=3/8",
            "restore run /mnt/shared/job.rplan --shard=all --shards=8 --jobs=4",
        ];

    public bool HasNoDryRun => true;

    public bool EndsWithReport => true;

    public async Task<int> RunAsync(CommandContext context)
    {
        var restore = await new WaitForOthers(context, shared).ForPlanAsync(Operand.PlanFileOf(context.Request));
        TargetPlace.CheckFiles(
            context.Request,
            context.Request.Operands.ElementAtOrDefault(1) ?? restore.Plan.Location
        );
        var (shard, count) = ShardChoice.Of(
            context.Line.Value(shardName),
            context.Line.Value(shared.Shards),
            context.Environment
        );
        var all = await restore.CountAsync(count);
        return shard is null
            ? await RunAllAsync(context, restore, all)
            : await RunAsync(context, restore, shard.Value, all);
    }

    private static Task<int> RunAsync(CommandContext context, ShardedRestore restore, int shard, int count)
    {
        var given = context.Request.Operands.ElementAtOrDefault(1);
        if (given is null && !StorageLocation.IsOnlyName(restore.Plan.Location))
        {
            throw new UsageException(
                "The plan gives rclone a remote with settings of its own, and such settings can start programs."
                    + " If you trust the plan, give the location of the backup after it"
            );
        }

        var request = context.Request with { Storage = given ?? restore.Plan.Location };
        context.Secrets.Add(request);
        return (context with { Request = request }).WithBackupAsync(async backup =>
        {
            // Asked before the run: afterwards every shard without a failure is done.
            var status = await restore.GetStatusAsync(count);
            var wasDone = status.Any(known =>
                known.Number == shard && known is { State: ShardState.Done, IsIncomplete: false }
            );
            var report = await context.ShowAsync(
                view =>
                {
                    var options = request.Execution with { Progress = view, StopToken = context.Environment.StopToken };
                    return restore.RunAsync(backup, shard, count, options, context.Environment.CancellationToken);
                },
                verifyOnly: false
            );
            context.Write(
                () => Json.SummaryOf(report),
                output =>
                {
                    var what =
                        $"{Units.Count(report.FilesRestored, "file")}, {Units.Bytes(report.BytesWritten)} written";
                    output.WriteLine($"Shard {shard} of {count}{(wasDone ? " was done before" : "")}: {what}");
                    IssueText.Write(output, report.Issues, context.ReportSize);
                }
            );
            return ExitCodes.Of(report);
        });
    }

    /// <summary>
    /// Restores all shards as processes of their own, a few at the same time, and then the last
    /// step. Shards that are done cost nothing.
    /// </summary>
    private async Task<int> RunAllAsync(CommandContext context, ShardedRestore restore, int count)
    {
        var processes = new ShardProcesses(context, restore, count);
        for (var isAgain = false; ; isAgain = true)
        {
            try
            {
                if (
                    await processes.RunAsync(context.Line.Value(jobs) ?? 2, context.Request.Backup.Passphrase) is
                    { } failed
                )
                {
                    return failed;
                }

                var report = await FinishCommand.FinishAsync(context, restore, count);
                FinishCommand.Show(context, report);
                return ExitCodes.Of(report);
            }
            catch (RestoreException failure) when (failure.Code == RestoreErrorCode.ShardTargetOther && !isAgain)
            {
                // On one machine, the files of a shard are not elsewhere: they were removed since
                // it was restored. It is open now.
                context.Messages.WriteLine(failure.What);
            }
        }
    }
}
