using Restore.Cli.Options;
using Restore.Cli.Options.Groups;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore finish</c>: the last step of a restore in shards.</summary>
internal sealed class FinishCommand(SharedOptions shared) : ICliCommand
{
    private readonly ShardCountOptions shards = new(shared.Shards);
    private readonly WaitOptions wait = shared.Wait;

    public string Name => "finish";

    public string Summary => "the last step, when all shards are restored";

    public IReadOnlyList<Operand> Operands => [Operand.PlanFile];

    public IReadOnlyList<OptionGroup> Options => [shards, wait, shared.Output, shared.Report, shared.Program];

    public IReadOnlyList<string> Examples => ["restore finish /mnt/shared/job.rplan", "restore finish /mnt/shared/job.rplan --report=/mnt/shared/job.html"];

    public bool EndsWithReport => true;

    public async Task<int> RunAsync(CommandContext context)
    {
        var files = new RunFiles(context);
        files.Check();
        var waiting = wait.Of(context);
        var restore = await waiting.ForPlanAsync(Operand.PlanFileOf(context.Request));
        files.Check(restore.Plan);
        var count = restore.CountOf(shards.Of(context.Line));
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
            var options = new ExecuteOptions { Progress = view };
            report = await restore.FinishAsync(count, options, context.Environment.Clock, context.Environment.StopToken);
        }
        catch (RestoreException failure) when (failure.Code == RestoreErrorCode.ShardsMissing)
        {
            foreach (var shard in restore.Look(count).Where(shard => shard.State != ShardState.Done))
            {
                context.Messages.WriteLine($"restore run {ShellText.Quoted(restore.PlanFile)} --shard={shard.Number}/{count}");
            }

            throw;
        }

        var code = files.Write(report);
        if (context.Request.Json)
        {
            Json.Write(context.Output, json => JsonProgress.Summary(json, report));
        }
        else
        {
            ReportText.Write(context.Output, report, context.Environment.Clock, context.Request.Verbose);
        }

        return code;
    }
}
