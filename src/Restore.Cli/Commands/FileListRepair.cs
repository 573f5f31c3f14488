namespace Restore.Cli.Commands;

/// <summary>
/// The first step of a repair with a database: file lists that only the database knows are written
/// again. It comes first because what follows, the check and the update of the database, would take
/// the versions for deleted.
/// </summary>
internal static class FileListRepair
{
    public static Task<int> RunAsync(CommandContext context, SharedOptions shared)
    {
        if (context.Request.LocalDatabase is not { } path || !File.Exists(path))
        {
            return Task.FromResult(ExitCodes.Complete);
        }

        var backupOptions = context.Request.Backup with { DatabasePath = path };
        var withDatabase = context with { Request = context.Request with { Backup = backupOptions } };
        return withDatabase.WithBackupAsync(async backup =>
        {
            var stop = context.Environment.StopToken;
            var maintenance = shared.MaintenanceOf(backup, context.Line);
            await maintenance.RequireDatabaseAsync(path, stop);
            var report = await context.ShowAsync(view =>
                maintenance.RestoreFileListsAsync(context.Request.DryRun, view, stop)
            );
            if (report.Versions.Count > 0)
            {
                context.Write(() => JsonOf(report), output => Write(output, report, context));
            }

            return ExitCodes.OfLosses(report.Issues);
        });
    }

    private static void Write(TextWriter output, FileListRepairReport report, CommandContext context)
    {
        var known = Units.Count(report.Versions.Count, "version is", "versions are");
        output.WriteLine($"{known} only in the database, without a file list");
        foreach (var version in report.Versions)
        {
            output.WriteLine(
                $"            {Units.Time(version.Time, context.Environment.Clock)}  {SafeText.Escape(version.FileListName)}"
            );
        }

        output.WriteLine(
            context.Request.DryRun
                ? "  Dry run   nothing was written: without --dry-run these file lists are written again"
                : $"  Made      {Units.Count(report.Made.Count, "file list")}, {Units.Bytes(report.BytesWritten)}"
        );
        if (report.Issues.Count > 0)
        {
            IssueText.Write(output, report.Issues, context.ReportSize);
        }
    }

    private static JsonObject JsonOf(FileListRepairReport report) =>
        Json.Outcome(ExitCodes.OfLosses(report.Issues)).With(new() { ["fileLists"] = Json.Of(report) });
}
