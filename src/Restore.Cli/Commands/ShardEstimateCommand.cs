using Restore.Cli.Options;
using Restore.Cli.Options.Groups;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore shard-estimate</c>: what a restore in 1 to 256 shards would fetch, take and cost.</summary>
internal sealed class ShardEstimateCommand(SharedOptions shared) : ICliCommand
{
    private static readonly int[] Counts = [1, 2, 4, 8, 16, 32, 64, 128, 256];

    private readonly ShardRateOptions rates = new(shared.EgressPrice);

    public string Name => "shard-estimate";

    public string Summary => "estimate a restore in 1 to 256 shards";

    public IReadOnlyList<Operand> Operands => [Operand.PlanFile];

    public IReadOnlyList<OptionGroup> Options => [rates, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore shard-estimate /mnt/shared/job.rplan --store-rate=2gb --machine-price=0.40 --plot=/tmp/job.svg"];

    public Task<int> RunAsync(CommandContext context)
    {
        if (rates.PlotOf(context.Line) is { } file)
        {
            AtomicFile.Check("--plot", file);
        }

        var plan = ShardedRestore.Load(Operand.PlanFileOf(context.Request)).Plan;
        var estimates = ShardEstimate.Of(plan, Counts, rates.Of(context.Line));
        if (context.Request.Json)
        {
            Json.Write(context.Output, json => ShardEstimateText.Write(json, estimates));
        }
        else
        {
            ShardEstimateText.Write(context.Output, estimates);
        }

        if (rates.PlotOf(context.Line) is { } plot)
        {
            AtomicFile.Write(plot, text => ShardEstimateText.Plot(text, estimates));
        }

        return Task.FromResult(ExitCodes.Complete);
    }
}
