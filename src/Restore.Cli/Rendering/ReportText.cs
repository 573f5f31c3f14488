using System.Globalization;

namespace Restore.Cli.Rendering;

internal static class ReportText
{
    private const int VolumesShown = 20;

    public static void Write(TextWriter output, RestoreReport report, TimeProvider clock, bool all)
    {
        WriteSummary(output, report, clock);

        // A drill has no target path.
        IssueText.Write(output, report.VerifyOnly ? [.. report.Issues.Select(issue => issue with { TargetPath = null })] : report.Issues, all);
        WriteVolumes(output, report.LostVolumes, all);
        WriteWhole(output, report.WholeElsewhere, clock, all);
    }

    public static void WriteSummary(TextWriter output, RestoreReport report, TimeProvider clock)
    {
        var what = PlanText.Entries(report.FilesRestored, report.FoldersRestored, report.SymlinksRestored);
        var version = Versions(report.Version, report.Drill, clock);
        output.WriteLine(report.VerifyOnly
            ? $"Verified {what} of {version}; nothing was written"
            : $"Restored {what} of {version} to {PlanText.Place(report.Target)}");
        var rate = Units.Rate(report.BytesRestored, report.Elapsed);
        output.WriteLine($"  Content   {Units.Bytes(report.BytesRestored)} in {Units.Duration(report.Elapsed)} ({rate})");
        if (!report.VerifyOnly)
        {
            output.WriteLine($"  Written   {Units.Bytes(report.BytesWritten)}");
        }

        if (report.Drill is { } drill)
        {
            output.WriteLine($"  Covered   {Covered(drill)}");
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

    /// <summary>"version 0 of ...", or the first and the last of several.</summary>
    public static string Versions(BackupVersion version, DrillCoverage? drill, TimeProvider clock) => drill is not { Versions.Count: > 1 }
        ? $"version {version.Index} of {Units.Time(version.Time, clock)}"
        : $"{Units.Number(drill.Versions.Count)} versions of {Units.Time(drill.Versions[^1].Time, clock)} to {Units.Time(drill.Versions[0].Time, clock)}";

    public static string Covered(DrillCoverage drill)
    {
        var share = string.Create(CultureInfo.InvariantCulture, $"{Math.Floor(drill.BytesShare * 10_000) / 100:0.##} % of the bytes");
        var files = $"{Units.Number(drill.FilesCovered)} of {Units.Count(drill.Files, "file")}";
        var seed = drill.Sample is { } sample ? string.Create(CultureInfo.InvariantCulture, $" (seed {sample.Seed})") : "";
        return $"{share}, {files}, {Units.Number(drill.VersionsCovered)} of {Units.Count(drill.Versions.Count, "version")}{seed}";
    }

    private static void WriteWhole(TextWriter output, IReadOnlyList<WholeFile> files, TimeProvider clock, bool all)
    {
        if (files.Count == 0)
        {
            return;
        }

        output.WriteLine($"  Elsewhere {Units.Count(files.Count, "lost file is", "lost files are")} whole in another version:");
        foreach (var file in files.Take(all ? files.Count : VolumesShown))
        {
            output.WriteLine($"            {SafeText.Escape(file.Path)} ({Versions(file.Version, null, clock)})");
        }

        if (!all && files.Count > VolumesShown)
        {
            output.WriteLine($"            and {Units.Number(files.Count - VolumesShown)} more; --verbose, --json and --report have them all");
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

/// <summary>The table of <c>--internal-profiling</c>. The process that works while its neighbors wait is the bottleneck.</summary>
internal static class ProfileText
{
    public static void Write(TextWriter output, RestoreReport report, long peakMemoryBytes)
    {
        output.WriteLine();
        output.WriteLine($"{"Process",-20} {"Copies",6} {"Messages",12} {"MB",10} {"Reading",8} {"Working",8} {"Writing",8}");
        foreach (var process in report.Profile)
        {
            var total = process.Reading + process.Working + process.Writing;
            output.Write(string.Create(
                CultureInfo.InvariantCulture, $"{process.Process,-20} {process.Copies,6} {process.Messages,12:N0} {process.Bytes / 1048576.0,10:N1}"));
            output.WriteLine($" {Share(process.Reading, total),8} {Share(process.Working, total),8} {Share(process.Writing, total),8}");
        }

        output.WriteLine();
        foreach (var phase in report.Phases)
        {
            output.WriteLine($"{phase.Phase,-20} {Units.Duration(phase.Elapsed),12}");
        }

        output.WriteLine($"{"Peak memory",-20} {Units.Bytes(peakMemoryBytes),12}");
        foreach (var choice in report.Choices)
        {
            output.WriteLine(SafeText.Escape(choice));
        }
    }

    private static string Share(TimeSpan part, TimeSpan total) => Units.Percent(part.TotalSeconds, total.TotalSeconds);
}

/// <summary>Issues as text: every loss, and some of the warnings.</summary>
internal static class IssueText
{
    private const int WarningsShown = 20;
    private const int RangesShown = 8;
    private const string Indent = "            ";

    /// <summary>What became of an entry; null for an issue that is not about an entry's own state.</summary>
    public static string? State(RestoreIssue issue) => issue.Kind switch
    {
        IssueKind.Damaged => "partial",
        IssueKind.Missing or IssueKind.Refused => "absent",
        IssueKind.Doubtful => "doubtful",
        IssueKind.Metadata => "whole",
        _ => null,
    };

    public static void Write(TextWriter output, IReadOnlyList<RestoreIssue> issues, bool all, string sound = "nothing is lost")
    {
        var losses = issues.Where(ExitCodes.IsLoss).ToList();
        output.WriteLine(losses.Count == 0
            ? $"  Complete  {sound}"
            : $"  Lost      {Units.Count(losses.Count, "entry is", "entries are")} damaged, missing or refused:");
        losses.ForEach(issue => WriteOne(output, issue));
        WriteWarnings(output, issues, all);
    }

    /// <summary>Writes only what cost no content.</summary>
    public static void WriteWarnings(TextWriter output, IReadOnlyList<RestoreIssue> issues, bool all)
    {
        var warnings = issues.Where(issue => !ExitCodes.IsLoss(issue)).ToList();
        if (warnings.Count == 0)
        {
            return;
        }

        output.WriteLine($"  Warnings  {Units.Number(warnings.Count)}, none of which cost any content:");
        warnings.Take(all ? warnings.Count : WarningsShown).ToList().ForEach(issue => WriteOne(output, issue));
        if (!all && warnings.Count > WarningsShown)
        {
            output.WriteLine($"{Indent}and {Units.Number(warnings.Count - WarningsShown)} more; --verbose, --json and --log-file have them all");
        }
    }

    private static void WriteOne(TextWriter output, RestoreIssue issue)
    {
        output.WriteLine($"  {Word(issue.Kind),-9} {SafeText.Escape(issue.Path)}");
        output.WriteLine(Indent + SafeText.Escape(issue.Reason));
        if (issue.Versions is { } versions)
        {
            output.WriteLine(Indent + Versions(versions));
        }

        if (issue.LostRanges.Count > 0)
        {
            output.WriteLine($"{Indent}Lost: {Ranges(issue)}");
        }

        if (issue.MetadataLost)
        {
            output.WriteLine($"{Indent}Its metadata is lost");
        }

        if (issue.Unverified)
        {
            output.WriteLine($"{Indent}All bytes are there, but the file does not have the recorded hash");
        }

        if (issue.Volumes.Count > 0)
        {
            output.WriteLine($"{Indent}Volume: {SafeText.Escape(string.Join(", ", issue.Volumes))}{More(issue.VolumesLeftOut)}");
        }

        if (issue.TargetPath is not null && issue.Kind != IssueKind.Missing)
        {
            output.WriteLine($"{Indent}At: {SafeText.Escape(issue.TargetPath)}");
        }

        if (Advice.For(issue.Code) is { } advice)
        {
            output.WriteLine(Indent + advice);
        }
    }

    public static string Versions(VersionRange versions) => versions.Newest == versions.Oldest
        ? string.Create(CultureInfo.InvariantCulture, $"In version {versions.Newest}")
        : string.Create(CultureInfo.InvariantCulture, $"In versions {versions.Newest} to {versions.Oldest}");

    private static string More(long count) => count > 0 ? $" and {Units.Number(count)} more" : "";

    private static string Ranges(RestoreIssue issue)
    {
        var ranges = issue.LostRanges;
        var left = ranges.Count - Math.Min(ranges.Count, RangesShown) + issue.LostRangesLeftOut;
        var shown = ranges.Take(RangesShown).Select(range => $"bytes {Units.Number(range.From)} to {Units.Number(range.To - 1)}");
        var more = left > 0 ? $" and {Units.Number(left)} more ranges" : "";
        return $"{string.Join(", ", shown)}{more} ({Units.Bytes(ranges.Sum(range => (double)(range.To - range.From)))})";
    }

    private static string Word(IssueKind kind) => kind switch
    {
        IssueKind.Damaged => "damaged",
        IssueKind.Missing => "missing",
        IssueKind.Doubtful => "doubtful",
        IssueKind.Refused => "refused",
        IssueKind.Metadata => "metadata",
        _ => "warning",
    };
}
