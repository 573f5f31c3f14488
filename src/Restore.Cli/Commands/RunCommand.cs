using Restore.Cli.Options;
using Restore.Cli.Options.Groups;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore run</c>: restores one shard of a saved plan, or all of them as processes of this machine.</summary>
internal sealed class RunCommand(SharedOptions shared) : ICliCommand
{
    private readonly ShardOptions shards = new(shared.Shards);
    private readonly WaitOptions wait = shared.Wait;

    public string Name => "run";

    public string Summary => "restore a shard of a saved plan";

    public IReadOnlyList<Operand> Operands => [Operand.PlanFile, Operand.OtherPlace];

    public IReadOnlyList<OptionGroup> Options => [shards, wait, shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
        ["restore run /mnt/shared/job.rplan --shard=3/8", "restore run /mnt/shared/job.rplan --shard=all --shards=8 --jobs=4"];

    public bool EndsWithReport => true;

    public async Task<int> RunAsync(CommandContext context)
    {
        var restore = await wait.Of(context).ForPlanAsync(Operand.PlanFileOf(context.Request));
        var (shard, count) = shards.Of(context.Line);
        var all = restore.CountOf(count);
        return shard is null ? await RunAllAsync(context, restore, all) : await RunAsync(context, restore, shard.Value, all);
    }

    private static Task<int> RunAsync(CommandContext context, ShardedRestore restore, int shard, int count)
    {
        var request = context.Request with { Storage = context.Request.Operands.ElementAtOrDefault(1) ?? restore.Plan.Location };
        foreach (var secret in StorageSecrets.In(request.Storage, request.Backup.StoreOptions))
        {
            context.Secrets.Add(secret);
        }

        return (context with { Request = request }).WithBackupAsync(async backup =>
        {
            RestoreReport report;
            await using (var view = context.OpenProgressView(verifyOnly: false))
            {
                var options = new ExecuteOptions { Progress = view, StopToken = context.Environment.StopToken };
                report = await restore.RunAsync(backup, shard, count, options, context.Environment.CancellationToken);
            }

            if (context.Request.Json)
            {
                Json.Write(context.Output, json => JsonProgress.Summary(json, report));
            }
            else
            {
                context.Output.WriteLine($"Shard {shard} of {count}: {Units.Count(report.FilesRestored, "file")}, {Units.Bytes(report.BytesWritten)} written");
                IssueText.Write(context.Output, report.Issues, context.Request.Verbose);
            }

            return ExitCodes.Of(report);
        });
    }

    /// <summary>
    /// Restores all shards as processes of their own, a few at the same time, and then the last step. Shards that are done cost nothing.
    /// </summary>
    private async Task<int> RunAllAsync(CommandContext context, ShardedRestore restore, int count)
    {
        var failed = await new ShardProcesses(context, restore, count).RunAsync(shards.JobsOf(context.Line), context.Request.Backup.Passphrase);
        return failed ?? await FinishCommand.FinishAsync(context, restore, count, new RunFiles(context));
    }
}
