namespace Restore.Cli.Rendering;

/// <summary>A report as text: the summary at the end.</summary>
internal static class ReportText
{
    public static void Write(TextWriter output, RestoreReport report, TimeProvider clock, bool all)
    {
        var what = $"{Units.Count(report.FilesRestored, "file")}, {Units.Count(report.FoldersRestored, "folder")}, {Units.Count(report.SymlinksRestored, "link")}";
        var version = $"version {report.Version.Index} of {Units.Time(report.Version.Time, clock)}";
        output.WriteLine(report.VerifyOnly
            ? $"Verified {what} of {version}; nothing was written"
            : $"Restored {what} of {version} to {PlanText.Place(report.Target)}");
        output.WriteLine($"  Content   {Units.Bytes(report.BytesRestored)} in {Units.Duration(report.Elapsed)} ({Units.Rate(report.BytesRestored, report.Elapsed)})");
        if (!report.VerifyOnly)
        {
            output.WriteLine($"  Written   {Units.Bytes(report.BytesWritten)}");
        }

        output.WriteLine($"  Fetched   {Units.Bytes(report.BytesFetched)}, {Units.Count(report.VolumesFetched, "volume")} with data");
        if (report.BytesReused > 0 || report.FilesUnchanged > 0)
        {
            output.WriteLine($"  Reused    {Units.Bytes(report.BytesReused)}; {Units.Count(report.FilesUnchanged, "file was", "files were")} right already");
        }

        IssueText.Write(output, report.Issues, all);
    }
}
