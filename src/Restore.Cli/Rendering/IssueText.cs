namespace Restore.Cli.Rendering;

internal static class IssueText
{
    private const int ScreenLines = 20;
    private const int ScreenNames = 20;
    private const int RangesShown = 8;
    private const string Indent = "            ";

    public static void Write(
        TextWriter output,
        IReadOnlyList<RestoreIssue> issues,
        ReportSize size,
        string? sound = "nothing is lost",
        string? leftOut = null
    )
    {
        var losses = issues.Where(issue => issue.IsLoss).ToList();
        if (losses.Count > 0)
        {
            output.WriteLine(
                $"  {output.Red("Lost")}      {Units.Count(losses.Count, "entry is", "entries are")} damaged, missing or refused:"
            );
        }
        else if (sound is not null)
        {
            output.WriteLine($"  {output.Green("Complete")}  {sound}");
        }

        // A stream is a log or a mail, often all that is left of a run: it names each loss.
        WriteList(output, losses, size == ReportSize.Stream ? ReportSize.All : size);
        var left = issues.Where(issue => issue.Kind == IssueKind.LeftOut).ToList();
        if (left.Count > 0)
        {
            leftOut ??=
                $"{Units.Count(left.Count, "link")} that point{(left.Count == 1 ? "s" : "")} out of the target folder";
            output.WriteLine($"  Left out  {leftOut}:");
            WriteList(output, left, size);
        }

        WriteWarnings(output, issues, size);
    }

    /// <summary>
    /// Writes only what is no loss itself. Beside losses, a warning about a volume can be the
    /// reason of one.
    /// </summary>
    public static void WriteWarnings(TextWriter output, IReadOnlyList<RestoreIssue> issues, ReportSize size)
    {
        var warnings = issues.Where(issue => !issue.IsLoss && issue.Kind != IssueKind.LeftOut).ToList();
        if (warnings.Count > 0)
        {
            var cost = issues.Any(issue => issue.IsLoss) ? "" : ", none of which cost any content";
            output.WriteLine($"  {output.Yellow("Warnings")}  {Units.Number(warnings.Count)}{cost}:");
            WriteList(output, warnings, size);
        }
    }

    /// <summary>
    /// Issues one by one, or by folder and volume if that is too long for a screen.
    /// </summary>
    private static void WriteList(TextWriter output, List<RestoreIssue> issues, ReportSize size)
    {
        if (size == ReportSize.Screen && issues.Take(ScreenLines).Sum(issue => Lines(issue).Count()) > ScreenLines)
        {
            WriteGroups(output, issues);
            return;
        }

        var rows = size == ReportSize.Screen ? issues.Count : size.Rows();
        foreach (var issue in issues.Take(rows))
        {
            Write(output, issue, [.. Lines(issue)]);
        }

        size.NoteMore(output, issues.Count - rows);
    }

    /// <summary>Issues of one kind by folder and volume, the largest groups first.</summary>
    public static IEnumerable<IEnumerable<RestoreIssue>> Groups(IEnumerable<RestoreIssue> issues) =>
        issues
            .GroupBy(issue =>
                (
                    issue.Kind,
                    Folder: FolderOf(issue.Path),
                    issue.Code,
                    Volume: issue.Volumes.Count > 0 ? issue.Volumes[0] : null
                )
            )
            .OrderByDescending(group => group.Count());

    /// <summary>
    /// Few issues are all named, since the lines of a terminal are all that is left of the run;
    /// many come in a screen.
    /// </summary>
    private static void WriteGroups(TextWriter output, List<RestoreIssue> issues)
    {
        var named = issues.Count <= ScreenNames;
        var lines = 0;
        var shown = 0;
        foreach (var group in Groups(issues))
        {
            var folder = FolderOf(group.First().Path);
            List<string> text = [.. group.Count() == 1 ? Lines(group.First()) : Lines(folder, [.. group], named)];
            if (!named && lines + text.Count > ScreenLines && shown > 0)
            {
                break;
            }

            Write(output, group.First(), text);
            lines += text.Count;
            shown += group.Count();
        }

        ReportSize.Screen.NoteGroups(output, issues.Count - shown, named);
    }

    /// <summary>The word at the start of the first line has the colour of the loss.</summary>
    private static void Write(TextWriter output, RestoreIssue issue, List<string> lines)
    {
        var word = Word(issue.Kind);
        var colored = issue.IsLoss ? output.Red(word) : output.Yellow(word);
        for (var i = 0; i < lines.Count; i++)
        {
            // The word stands behind two spaces.
            output.WriteLine(i == 0 ? $"  {colored}{lines[i][(2 + word.Length)..]}" : lines[i]);
        }
    }

    private static IEnumerable<string> Lines(string folder, RestoreIssue[] group, bool named)
    {
        var first = group[0];
        var (isSame, others) = (
            group.All(issue => issue.Reason == first.Reason),
            group.Max(issue => issue.Volumes.Count + issue.VolumesLeftOut) > 1
        );
        var place = folder.Length > 0 ? SafeText.Escape(folder) : "volumes";
        yield return $"  {Word(first.Kind), -9} {place} ({Units.Count(group.Length, "entry", "entries")})";
        if (isSame)
        {
            yield return Indent + SafeText.Escape(first.Reason);
        }

        foreach (
            var issue in named ? group
            : isSame ? []
            : group[..1]
        )
        {
            var name = (named ? "" : "The first: ") + SafeText.Escape(issue.Path[folder.Length..]);
            var ranges = named && issue is { Kind: not IssueKind.Missing, LostRanges.Count: > 0 } ? Ranges(issue) : "";
            yield return Indent
                + string.Join(
                    ": ",
                    new[] { name, isSame ? "" : SafeText.Escape(issue.Reason), ranges }.Where(text => text.Length > 0)
                );
        }

        if (first.Volumes.Count > 0)
        {
            yield return $"{Indent}Volume: {SafeText.Escape(first.Volumes[0])}{(others ? " and others" : "")}";
        }

        if (Advice.For(first.Code) is { } advice)
        {
            yield return Indent + advice;
        }
    }

    /// <summary>
    /// The folder of an entry, with the separator at its end; empty for the name of a volume.
    /// </summary>
    public static string FolderOf(string path) => EntryPath.FolderOf(path);

    private static IEnumerable<string> Lines(RestoreIssue issue)
    {
        yield return $"  {Word(issue.Kind), -9} {SafeText.Escape(issue.Path)}";
        yield return Indent + SafeText.Escape(issue.Reason);
        if (issue.Versions is { } versions)
        {
            yield return Indent + Versions(versions);
        }

        if (issue.LostRanges.Count > 0)
        {
            yield return $"{Indent}Lost: {Ranges(issue)}";
        }

        if (issue is { MetadataLost: true, Kind: not IssueKind.Metadata })
        {
            yield return $"{Indent}Its metadata is lost";
        }

        if (issue.Unverified)
        {
            yield return $"{Indent}All bytes are there, but the file does not have the recorded hash";
        }

        if (issue.Volumes.Count > 0)
        {
            yield return $"{Indent}Volume: {SafeText.Escape(string.Join(", ", issue.Volumes))}{More(issue.VolumesLeftOut)}";
        }

        if (issue.TargetPath is not null && issue.Kind != IssueKind.Missing)
        {
            yield return $"{Indent}At: {SafeText.Escape(issue.TargetPath)}";
        }

        if (Advice.For(issue.Code) is { } advice)
        {
            yield return Indent + advice;
        }
    }

    public static string Versions(VersionRange versions) =>
        versions.Newest == versions.Oldest
            ? string.Create(CultureInfo.InvariantCulture, $"In version {versions.Newest}")
            : string.Create(CultureInfo.InvariantCulture, $"In versions {versions.Newest} to {versions.Oldest}");

    private static string More(long count) => count > 0 ? $" and {Units.Number(count)} more" : "";

    private static string Ranges(RestoreIssue issue)
    {
        var ranges = issue.LostRanges;
        var left = ranges.Count - Math.Min(ranges.Count, RangesShown) + issue.LostRangesLeftOut;
        var shown = ranges
            .Take(RangesShown)
            .Select(range => $"bytes {Units.Number(range.From)} to {Units.Number(range.To - 1)}");
        var more = left > 0 ? $" and {Units.Number(left)} more ranges" : "";
        return $"{string.Join(", ", shown)}{more} ({Units.Bytes(ranges.Sum(range => (double)(range.To - range.From)))})";
    }

    public static string Word(IssueKind kind) =>
        kind switch
        {
            IssueKind.Damaged => "damaged",
            IssueKind.Missing => "missing",
            IssueKind.Doubtful => "doubtful",
            IssueKind.Refused => "refused",
            IssueKind.LeftOut => "left out",
            IssueKind.Metadata => "metadata",
            _ => "warning",
        };
}
