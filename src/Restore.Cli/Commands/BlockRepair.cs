namespace Restore.Cli.Commands;

/// <summary>A repair of lost blocks from the local files that were backed up.</summary>
internal static class BlockRepair
{
    public static async Task<int> RunAsync(CommandContext context, BackupMaintenance maintenance, string? root)
    {
        var report = await context.ShowAsync(view =>
            maintenance.RestoreBlocksAsync(root, context.Request.DryRun, view, context.Environment.StopToken)
        );
        var code = ExitCodes.OfLosses(report.Issues);
        context.Write(() => Json.Outcome(code).With(Json.Of(report)), output => Write(output, report, context));
        return code;
    }

    private static void Write(TextWriter output, BlockRepairReport report, CommandContext context)
    {
        output.WriteLine(
            $"Searched {Units.Count(report.FilesRead, "local file")} for "
                + $"{Units.Count(report.LostBlocks, "lost block")} in {Units.Duration(report.Elapsed)}"
        );
        output.WriteLine($"  Found     {Units.Count(report.FoundBlocks, "block")}, {Units.Bytes(report.FoundBytes)}");
        if (context.Request.DryRun)
        {
            output.WriteLine("  Dry run   nothing was written: without --dry-run they go into new volumes");
        }
        else
        {
            output.WriteLine(
                $"  Made      {Units.Count(report.Made.Count, "volume")}, {Units.Bytes(report.BytesWritten)}"
            );
            foreach (var name in report.Made.Take(context.ReportSize.Rows()))
            {
                output.WriteLine($"            {SafeText.Escape(name)}");
            }
        }

        IssueText.Write(output, report.Issues, context.ReportSize, "no block that an entry needs is lost any more");
    }
}
