using System.Net;

namespace Restore.Cli.Rendering;

/// <summary>A report as one page that asks nothing of any other place, and runs nothing.</summary>
internal static class ReportHtml
{
    private const int RangesShown = 100;

    private const string Head = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width">
        <title>Restore report</title>
        <style>
        :root { color-scheme: light dark; }
        body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
        table { border-collapse: collapse; margin: 1rem 0; width: 100%; }
        th, td { border-bottom: 1px solid gray; padding: .3rem .6rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
        .path { font-family: monospace; }
        </style>
        </head>
        <body>
        """;

    public static void Write(TextWriter page, RestoreReport report, TimeProvider clock, RunHistory? history = null)
    {
        var losses = report.Issues.Where(ExitCodes.IsLoss).ToList();
        var warnings = report.Issues.Where(issue => !ExitCodes.IsLoss(issue)).ToList();
        page.WriteLine(Head);
        page.WriteLine($"<h1>{(losses.Count == 0 ? "Complete: nothing is lost" : $"{Units.Count(losses.Count, "loss", "losses")}")}</h1>");
        page.WriteLine("<p>");
        using (var summary = new StringWriter { NewLine = "\n" })
        {
            ReportText.WriteSummary(summary, report, clock);
            page.Write(Text(summary.ToString().TrimEnd()).Replace("\n", "<br>\n", StringComparison.Ordinal));
        }

        page.WriteLine($"<br>\nReport of {Text(Units.Time(clock.GetUtcNow(), clock))}</p>");
        WriteIssues(page, "Lost", losses);
        WriteVolumes(page, report.LostVolumes);
        WriteWhole(page, report.WholeElsewhere, clock);
        WriteIssues(page, "Warnings", warnings);
        if (history is not null)
        {
            ReportPlot.Write(page, history);
        }

        ReportPlot.Write(page, report.Profile);
        page.WriteLine("</body>\n</html>");
    }

    public static void Write(TextWriter page, Failure failure, TimeProvider clock)
    {
        page.WriteLine(Head);
        page.WriteLine($"<h1>Failed, exit code {failure.ExitCode}</h1>");
        page.WriteLine(string.Join("\n", failure.Lines.Select(line => $"<p>{Text(line)}</p>")));
        page.WriteLine($"<p>Report of {Text(Units.Time(clock.GetUtcNow(), clock))}</p>\n</body>\n</html>");
    }

    private static void WriteIssues(TextWriter page, string title, List<RestoreIssue> issues)
    {
        if (issues.Count == 0)
        {
            return;
        }

        page.WriteLine($"<h2>{title}</h2>\n<table>\n<tr><th>What</th><th>State</th><th>Why</th><th>Lost bytes</th><th>Volumes</th></tr>");
        foreach (var issue in issues)
        {
            var place = issue.TargetPath is null ? null : $"At: {issue.TargetPath}";
            var versions = issue.Versions is { } range ? IssueText.Versions(range) : null;
            var why = string.Join(". ", new[] { issue.Reason, versions, place, Advice.For(issue.Code) }.OfType<string>());
            page.WriteLine($"<tr><td class=\"path\">{Text(issue.Path)}</td><td>{IssueText.State(issue) ?? "warning"}</td><td>{Text(why)}</td>"
                + $"<td>{Ranges(issue)}</td><td class=\"path\">{Volumes(issue)}</td></tr>");
        }

        page.WriteLine("</table>");
    }

    private static void WriteVolumes(TextWriter page, IReadOnlyList<LostVolume> volumes)
    {
        if (volumes.Count == 0)
        {
            return;
        }

        page.WriteLine("<h2>Sound copies of these volumes would bring it back</h2>\n<table>");
        page.WriteLine("<tr><th>Volume</th><th>In the store</th><th>Entries</th><th>Bytes</th></tr>");
        foreach (var volume in volumes)
        {
            page.WriteLine($"<tr><td class=\"path\">{Text(volume.Name)}</td><td>{(volume.IsInStore ? "damaged" : "missing")}</td>"
                + $"<td>{Units.Number(volume.Entries)}</td><td>{Units.Bytes(volume.Bytes)}</td></tr>");
        }

        page.WriteLine("</table>");
    }

    private static void WriteWhole(TextWriter page, IReadOnlyList<WholeFile> files, TimeProvider clock)
    {
        if (files.Count == 0)
        {
            return;
        }

        page.WriteLine("<h2>Whole in another version</h2>\n<table>\n<tr><th>File</th><th>Version</th></tr>");
        foreach (var file in files)
        {
            page.WriteLine($"<tr><td class=\"path\">{Text(file.Path)}</td><td>{Text(ReportText.Versions(file.Version, null, clock))}</td></tr>");
        }

        page.WriteLine("</table>");
    }

    private static string Ranges(RestoreIssue issue)
    {
        var more = Math.Max(0, issue.LostRanges.Count - RangesShown) + issue.LostRangesLeftOut;
        return string.Join("<br>", issue.LostRanges.Take(RangesShown).Select(range => $"{Units.Number(range.From)} to {Units.Number(range.To - 1)}"))
            + (more > 0 ? $"<br>and {Units.Number(more)} more ranges" : "");
    }

    private static string Volumes(RestoreIssue issue) => string.Join("<br>", issue.Volumes.Select(Text))
        + (issue.VolumesLeftOut > 0 ? $"<br>and {Units.Number(issue.VolumesLeftOut)} more" : "");

    private static string Text(string text) => WebUtility.HtmlEncode(string.Join('\n', text.Split('\n').Select(SafeText.Escape)));
}
