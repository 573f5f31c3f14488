using System.Globalization;

namespace Restore.Cli.Rendering;

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

    /// <summary>"In version 3", "In versions 3 to 7".</summary>
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
