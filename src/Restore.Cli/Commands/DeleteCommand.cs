using Restore.Cli.Options;
using Restore.Cli.Options.Groups;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore delete</c>: versions that are not to be kept.</summary>
internal sealed class DeleteCommand(SharedOptions shared) : ICliCommand
{
    private readonly RetentionOptions retention = new(shared.Version, shared.Clock);
    private readonly ChangeOptions change = new(shared);

    public string Name => "delete";

    public string Summary => "delete versions from the backup";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options => [retention, shared.Access, change, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
        ["restore delete /mnt/backup --keep-versions=10", "restore delete /mnt/backup --retention-policy=7D:1D,4W:1W,12M:1M --dry-run"];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context)
    {
        var rules = retention.RulesOf(context.Line);
        return context.WithOpenerAsync(async open =>
        {
            await using var backup = await open(context.Environment.StopToken);
            await KeptDatabase.RequireAsync(context, backup);
            var numbers = retention.NumbersOf(context.Line)?.Expand(backup.Versions.Count) ?? [];
            DeletionPlan plan;
            await using (var view = context.OpenProgressView(verifyOnly: true))
            {
                plan = await backup.PlanDeletionAsync(rules with { Versions = numbers }, view, context.Environment.StopToken);
            }

            DeletionReport? report = null;
            var asks = !context.Request.Yes;
            if (!context.Request.DryRun && plan.Deleted.Any())
            {
                var what = Units.Count(plan.Deleted.Count(), "version");
                context.RequireAnswer($"{what} would be deleted from {backup.Location}");
                if (!context.Confirm($"Delete {what}?", asks ? DeletionText.Lines(plan, context.Environment.Clock) : []))
                {
                    return ExitCodes.Interrupted;
                }

                report = await backup.DeleteVersionsAsync(plan, change.BreaksLock(context.Line), cancellationToken: context.Environment.StopToken);
            }

            DeletionText.Write(context, plan, report, isShown: report is not null && asks);
            return await KeptDatabase.UpdateAsync(context, open, ExitCodes.OfLosses(plan.Issues));
        });
    }
}
