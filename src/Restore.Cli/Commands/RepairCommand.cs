using Restore.Cli.Options;
using Restore.Cli.Options.Groups;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore repair</c>: index volumes that are missing, made anew; or file lists without what is lost.</summary>
internal sealed class RepairCommand(SharedOptions shared) : ICliCommand
{
    private readonly RepairOptions repair = new();
    private readonly ChangeOptions change = new(shared);

    public string Name => "repair";

    public string Summary => "make missing index volumes anew, or leave lost files out of the file lists";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options => [repair, shared.Access, change, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
    [
        "restore repair /mnt/backup",
        "restore repair s3://bucket/folder --index-folder=/mnt/new-volumes",
        "restore repair /mnt/backup --purge-broken-files --dry-run",
    ];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context)
    {
        var folder = context.Request.DryRun ? null : repair.FolderOf(context.Line, context.Request.Storage);
        var purges = repair.Purges(context.Line);
        return context.WithOpenerAsync(async open =>
        {
            await using var backup = await open(context.Environment.StopToken);
            await KeptDatabase.RequireAsync(context, backup);
            var exitCode = await (purges ? PurgeAsync(context, backup) : RepairAsync(context, backup, folder));
            return exitCode == ExitCodes.Interrupted ? exitCode : await KeptDatabase.UpdateAsync(context, open, exitCode);
        });
    }

    private static async Task<int> RepairAsync(CommandContext context, Backup backup, string? folder)
    {
        CheckReport report;
        await using (var view = context.OpenProgressView(verifyOnly: true))
        {
            var stop = context.Environment.StopToken;
            report = await (folder is null ? backup.CheckAsync(view, stop) : backup.RepairAsync(folder, view, stop));
        }

        return CheckText.Write(context, report);
    }

    private async Task<int> PurgeAsync(CommandContext context, Backup backup)
    {
        PurgePlan plan;
        await using (var view = context.OpenProgressView(verifyOnly: true))
        {
            plan = await backup.PlanPurgeAsync(view, context.Environment.StopToken);
        }

        PurgeReport? report = null;
        var asks = !context.Request.Yes;
        if (!context.Request.DryRun && plan.IsNeeded)
        {
            var what = Units.Count(plan.Versions.Count(version => version.StaysBecause is null), "file list");
            context.RequireAnswer($"{what} would be replaced in {backup.Location} by new ones without the lost entries");
            if (!context.Confirm($"Replace {what}?", asks ? PurgeText.Lines(plan, context) : []))
            {
                return ExitCodes.Interrupted;
            }

            await using var view = context.OpenProgressView(verifyOnly: true);
            report = await backup.PurgeAsync(plan, change.BreaksLock(context.Line), view, context.Environment.StopToken);
        }

        PurgeText.Write(context, plan, report, isShown: report is not null && asks);
        return ExitCodes.OfLosses(report?.Issues ?? plan.Issues);
    }
}
