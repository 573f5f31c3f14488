namespace Restore.Cli.Shards;

/// <summary><c>restore finish</c>: the last step of a restore in shards.</summary>
internal sealed class FinishCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "finish";

    public string Summary => "the last step, when all shards are restored";

    public IReadOnlyList<Operand> Operands => [Operand.PlanFile];

    public IReadOnlyList<OptionGroup> Options =>
        [new("Shards", [shared.Shards]), shared.Waiting, shared.Writing, shared.Output, shared.Report, shared.Program];

    public IReadOnlyList<string> Examples =>
        ["restore finish /mnt/shared/job.rplan", "restore finish /mnt/shared/job.rplan --report=/mnt/shared/job.html"];

    public bool HasNoDryRun => true;

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) =>
        ReportedRun.RunAsync(
            context,
            async (files, notification) =>
            {
                var waiting = new WaitForOthers(context, shared);
                var restore = await waiting.ForPlanAsync(Operand.PlanFileOf(context.Request));
                notification.Tell(restore.Plan);
                files.Check(restore.Plan);
                var count = await restore.CountAsync(context.Line.Value(shared.Shards));
                await waiting.ForShardsAsync(restore, count);
                var report = await FinishAsync(context, restore, count);
                var code = files.Write(report);
                Show(context, report);
                await notification.SendAsync(code, report);
                return code;
            }
        );

    public static async Task<RestoreReport> FinishAsync(CommandContext context, ShardedRestore restore, int count)
    {
        try
        {
            await using var view = context.OpenProgressView(verifyOnly: false);
            var options = context.Request.Execution with { Progress = view };
            return await restore.FinishAsync(count, options, context.Environment.Clock, context.Environment.StopToken);
        }
        catch (RestoreException failure) when (failure.Code == RestoreErrorCode.ShardsMissing)
        {
            var status = await restore.GetStatusAsync(count);
            foreach (var shard in status.Where(shard => shard.State != ShardState.Done))
            {
                context.Messages.WriteLine(
                    $"restore run {ShellText.Quoted(restore.PlanFile)} --shard={shard.Number}/{count}"
                );
            }

            throw;
        }
    }

    public static void Show(CommandContext context, RestoreReport report) =>
        context.Write(
            () => Json.SummaryOf(report),
            output => ReportText.Write(output, report, context.Environment.Clock, context.ReportSize)
        );
}
