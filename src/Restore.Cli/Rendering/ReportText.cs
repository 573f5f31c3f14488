namespace Restore.Cli.Rendering;

/// <summary>A report as text: the summary at the end.</summary>
internal static class ReportText
{
    private const int VolumesShown = 20;

    public static void Write(TextWriter output, RestoreReport report, TimeProvider clock, bool all)
    {
        WriteSummary(output, report, clock);

        // A drill has no target path.
        IssueText.Write(output, report.VerifyOnly ? [.. report.Issues.Select(issue => issue with { TargetPath = null })] : report.Issues, all);
        WriteVolumes(output, report.LostVolumes, all);
    }

    /// <summary>What was done, without the issues.</summary>
    public static void WriteSummary(TextWriter output, RestoreReport report, TimeProvider clock)
    {
        var what = PlanText.Entries(report.FilesRestored, report.FoldersRestored, report.SymlinksRestored);
        var version = $"version {report.Version.Index} of {Units.Time(report.Version.Time, clock)}";
        output.WriteLine(report.VerifyOnly
            ? $"Verified {what} of {version}; nothing was written"
            : $"Restored {what} of {version} to {PlanText.Place(report.Target)}");
        var rate = Units.Rate(report.BytesRestored, report.Elapsed);
        output.WriteLine($"  Content   {Units.Bytes(report.BytesRestored)} in {Units.Duration(report.Elapsed)} ({rate})");
        if (!report.VerifyOnly)
        {
            output.WriteLine($"  Written   {Units.Bytes(report.BytesWritten)}");
        }

        output.WriteLine($"  Fetched   {Units.Bytes(report.BytesFetched)}, {Units.Count(report.VolumesFetched, "volume")} with data");
        if (report.VolumesReadInPart > 0)
        {
            output.WriteLine($"  In part   {Units.Count(report.VolumesReadInPart, "volume")}, whose blocks were verified one by one");
        }

        if (report.BytesReused > 0 || report.FilesUnchanged > 0)
        {
            output.WriteLine($"  Reused    {Units.Bytes(report.BytesReused)}; {Units.Count(report.FilesUnchanged, "file was", "files were")} right already");
        }
    }

    private static void WriteVolumes(TextWriter output, IReadOnlyList<LostVolume> volumes, bool all)
    {
        if (volumes.Count == 0)
        {
            return;
        }

        output.WriteLine($"  Remedy    sound copies of {Units.Count(volumes.Count, "volume")} would bring it back:");
        foreach (var volume in volumes.Take(all ? volumes.Count : VolumesShown))
        {
            var what = $"{(volume.IsInStore ? "damaged" : "missing")}, {Units.Count(volume.Entries, "entry", "entries")}, {Units.Bytes(volume.Bytes)}";
            output.WriteLine($"            {SafeText.Escape(volume.Name)} ({what})");
        }

        if (!all && volumes.Count > VolumesShown)
        {
            output.WriteLine($"            and {Units.Number(volumes.Count - VolumesShown)} more; --verbose, --json and --report have them all");
        }
    }
}
