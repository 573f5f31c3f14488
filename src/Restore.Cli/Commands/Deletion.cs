using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary>The deletion of what the backup does not have: found and confirmed before the restore, done when everything is restored.</summary>
/// <param name="context">The run.</param>
/// <param name="backup">The backup.</param>
/// <param name="extra">What goes; null if nothing may go.</param>
internal sealed class Deletion(CommandContext context, Backup backup, ExtraEntries? extra)
{
    /// <summary>What goes, for the plan.</summary>
    public ExtraEntries? Extra => extra;

    public static async Task<Deletion> FindAsync(CommandContext context, Backup backup, RestorePlan plan) =>
        new(context, backup, context.Request.Delete ? await backup.FindExtraAsync(plan, context.Environment.StopToken) : null);

    /// <summary>What goes, as a line.</summary>
    public static string Describe(ExtraEntries extra) =>
        $"{Units.Count(extra.Files.Count, "file or link", "files and links")}, {Units.Count(extra.Folders.Count, "folder")}, {Units.Bytes(extra.Bytes)}";

    /// <returns>Whether the run may go on.</returns>
    /// <exception cref="UsageException">There is nobody to ask.</exception>
    public bool Confirm()
    {
        if (extra is null || extra.Files.Count + extra.Folders.Count == 0 || context.Request.Yes)
        {
            return true;
        }

        context.RequireAnswer($"--delete would remove {Describe(extra)} from {context.Request.Restore.Target}");
        context.Messages.WriteLine($"Not in the backup, and removed from {context.Request.Restore.Target} after the restore: {Describe(extra)}");
        foreach (var path in extra.Files.Concat(extra.Folders.Select(folder => folder + "/")).Take(10))
        {
            context.Messages.WriteLine("  " + path);
        }

        return context.Confirm("Restore, and remove them?");
    }

    /// <summary>Removes it, if everything is restored.</summary>
    /// <returns>The report, with what could not be removed.</returns>
    public async Task<RestoreReport> RunAsync(RestoreReport report)
    {
        if (extra is null || extra.Files.Count + extra.Folders.Count == 0)
        {
            return report;
        }

        if (report.Issues.Any(ExitCodes.IsLoss))
        {
            context.Messages.WriteLine($"Not everything is restored, so nothing was removed: {Describe(extra)} stay");
            return report;
        }

        var issues = await backup.DeleteExtraAsync(extra, context.Environment.CancellationToken);
        context.Messages.WriteLine($"Removed what the backup does not have: {Describe(extra)}{(issues.Count == 0 ? "" : $", but {issues.Count} stay")}");
        return report with { Issues = [.. report.Issues, .. issues] };
    }
}
