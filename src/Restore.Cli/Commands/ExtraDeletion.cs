namespace Restore.Cli.Commands;

/// <summary>
/// The deletion of what the backup does not have: found and confirmed before the restore, done when
/// everything is restored.
/// </summary>
internal sealed class ExtraDeletion(CommandContext context, Backup backup, ExtraEntries? extra)
{
    private const int MostNames = 20;

    public ExtraEntries? Extra => extra;

    /// <summary>
    /// Refuses a request in which a deletion could remove more than what the backup does not have.
    /// </summary>
    public static void Check(HostRequest request)
    {
        if (!request.Run.Delete)
        {
            return;
        }

        if (request.Restore.Target is not { } target)
        {
            throw new UsageException(
                "--delete needs --restore-path: among the original places everything else is not in the backup"
            );
        }

        if (!request.Restore.Overwrite)
        {
            throw new UsageException(
                "--delete needs --overwrite: without it a file that differs stays beside the restored one, and would be removed"
            );
        }

        if (request.Restore.SkipMetadata)
        {
            throw new UsageException(
                "--delete and --skip-metadata exclude each other: links would count as not in the backup"
            );
        }

        if (request.Rules.Count > 0 || request.Operands.Count > 1 || request.Operands.Any(filter => !IsFolder(filter)))
        {
            throw new UsageException(
                "--delete takes the whole backup or one folder of it ('/home/ann/'): what a filter leaves out would be removed"
            );
        }

        string[] own = [.. request.NamedFiles, .. request.Storage.Contains("://") ? [] : new[] { request.Storage }];
        if (own.FirstOrDefault(path => FolderPath.IsInside(path, target)) is { } mine)
        {
            throw new UsageException($"--delete: {mine} is in {target}, and would be removed");
        }
    }

    public static async Task<ExtraDeletion> FindAsync(CommandContext context, Backup backup, RestorePlan plan) =>
        new(
            context,
            backup,
            context.Request.Run.Delete ? await backup.FindExtraAsync(plan, context.Environment.StopToken) : null
        );

    public static string Describe(ExtraEntries extra) =>
        $"{Units.Count(extra.Files.Count, "file or link", "files and links")}, {Units.Count(extra.Folders.Count, "folder")}, {Units.Bytes(extra.Bytes)}";

    /// <summary>The paths to remove, folders with a separator at the end.</summary>
    public static IEnumerable<string> Paths(ExtraEntries extra) =>
        extra.Files.Concat(extra.Folders.Select(folder => folder + "/"));

    /// <summary>Names what goes, as far as it fits on a screen.</summary>
    public static void WriteNames(Action<string> writeLine, ExtraEntries extra, string indent)
    {
        foreach (var path in Paths(extra).Take(MostNames))
        {
            writeLine(indent + SafeText.Escape(path));
        }

        var more = extra.Files.Count + extra.Folders.Count - MostNames;
        if (more > 0)
        {
            writeLine($"{indent}and {more:N0} more");
        }
    }

    public bool Confirm()
    {
        if (extra is null || extra.Files.Count + extra.Folders.Count == 0 || context.Request.Yes)
        {
            return true;
        }

        context.RequireAnswer($"--delete would remove {Describe(extra)} from {context.Request.Restore.Target}");
        context.Messages.WriteLine(
            $"Not in the backup, and removed from {context.Request.Restore.Target} after the restore: {Describe(extra)}"
        );
        WriteNames(context.Messages.WriteLine, extra, "  ");
        return context.Confirm("Restore, and remove them?");
    }

    public async Task<RestoreReport> RunAsync(RestoreReport report)
    {
        if (extra is null || extra.Files.Count + extra.Folders.Count + extra.Staying.Count == 0)
        {
            return report;
        }

        if (report.Issues.Any(issue => issue.IsLoss))
        {
            context.Messages.WriteLine($"Not everything is restored, so nothing was removed: {Describe(extra)} stay");
            return report;
        }

        var issues = await backup.DeleteExtraAsync(extra, context.Environment.CancellationToken);
        context.Messages.WriteLine(
            $"Removed what the backup does not have: {Describe(extra)}{(issues.Count == 0 ? "" : $", but {issues.Count} stay")}"
        );
        return report with { Issues = [.. report.Issues, .. issues] };
    }

    // An @ in front makes the rest a literal path. Without it, brackets enclose a regular
    // expression, and * and ? are wildcards: both could leave out entries of a folder.
    private static bool IsFolder(string filter) =>
        filter is [.., '/' or '\\']
        && (filter.StartsWith('@') || (!filter.StartsWith('[') && filter.AsSpan().IndexOfAny('*', '?') < 0));
}
