using Restore.Cli.Options;
using Restore.Cli.Options.Groups;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore compact</c>: volumes with blocks that no version needs, and small ones.</summary>
internal sealed class CompactCommand(SharedOptions shared) : ICliCommand
{
    private readonly CompactingOptions compacting = new(shared);
    private readonly ChangeOptions change = new(shared);

    public string Name => "compact";

    public string Summary => "win back the space of what no version needs";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options => [compacting, shared.Access, change, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore compact /mnt/backup --dry-run", "restore compact s3://bucket/folder --threshold=40 --yes"];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context)
    {
        var options = compacting.Of(context.Line);
        return context.WithOpenerAsync(async open =>
        {
            await using var backup = await open(context.Environment.StopToken);
            await KeptDatabase.RequireAsync(context, backup);
            CompactPlan plan;
            await using (var view = context.OpenProgressView(verifyOnly: true))
            {
                plan = await backup.PlanCompactAsync(options, view, context.Environment.StopToken);
            }

            CompactReport? report = null;
            var asks = !context.Request.Yes;
            if (!context.Request.DryRun && plan.IsNeeded)
            {
                var what = Units.Count(plan.Dead.Count + plan.Rewritten.Count, "block volume");
                context.RequireAnswer($"{what} would be deleted from {backup.Location}, after {Units.Bytes(plan.BytesToWrite)} of new ones");
                if (!context.Confirm("Compact?", asks ? CompactText.Lines(plan, context.Request.Verbose) : []))
                {
                    return ExitCodes.Interrupted;
                }

                await using var view = context.OpenProgressView(verifyOnly: true);
                report = await backup.CompactAsync(plan, change.BreaksLock(context.Line), view, context.Environment.StopToken);
            }

            CompactText.Write(context, plan, report, isShown: report is not null && asks);
            return await KeptDatabase.UpdateAsync(context, open, ExitCodes.OfLosses(report?.Issues ?? plan.Issues));
        });
    }
}
