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

    public async Task<int> RunAsync(CommandContext context)
    {
        var files = new RunFiles(context);
        files.Check();
        var waiting = new WaitForOthers(context, shared);
        var restore = await waiting.ForPlanAsync(Operand.PlanFileOf(context.Request));
        files.Check(restore.Plan);
        var count = await restore.CountAsync(context.Line.Value(shared.Shards));
        await waiting.ForShardsAsync(restore, count);
        return await FinishAsync(context, restore, count, files);
    }

    /// <summary>Finishes, and shows the report.</summary>
    public static async Task<int> FinishAsync(CommandContext context, ShardedRestore restore, int count, RunFiles files)
    {
        RestoreReport report;
        try
        {
            await using var view = context.OpenProgressView(verifyOnly: false);
            var options = context.Request.Execution with { Progress = view };
            report = await restore.FinishAsync(
                count,
                options,
                context.Environment.Clock,
                context.Environment.StopToken
            );
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

        var code = files.Write(report);
        context.Write(
            () => Json.SummaryOf(report),
            output => ReportText.Write(output, report, context.Environment.Clock, context.ReportSize)
        );
        return code;
    }
}
