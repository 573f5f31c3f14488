using System.Net;

namespace Restore.Cli.Rendering;

/// <summary>
/// One page that loads nothing from any other place, and runs nothing. What is lost comes by
/// folder, after what would bring it back.
/// </summary>
internal static class ReportHtml
{
    private const int RangesShown = 100;
    private const int SummaryLabelAt = 2;
    private const int SummaryTextAt = 12;

    // The page shows names and reasons from a backup, which can be hostile. The policy keeps
    // scripts and requests out, even if a text was not encoded.
    private const string Head = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Restore report</title>
        <style>
        :root { color-scheme: light dark; --fore: #1b1f24; --back: #fff; --quiet: #59636e; --line: #d0d7de; --link: #1a5ea8;
          --lost: #b3261e; --lost-back: #fbe7e5; --left: #7a4f00; --left-back: #fbf0d9; --good: #1a7440; --good-back: #e3f3e9; }
        @media (prefers-color-scheme: dark) {
          :root { --fore: #e7eaed; --back: #12161a; --quiet: #9da8b3; --line: #39424b; --link: #82b8f2;
            --lost: #ff8f85; --lost-back: #43201d; --left: #e8b95c; --left-back: #3b2e12; --good: #74d09a; --good-back: #173625; }
        }
        body { font: 1rem/1.5 system-ui, sans-serif; color: var(--fore); background: var(--back); margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
        h1 { font-size: 1.4rem; padding: .7rem 1rem; border-left: .4rem solid; border-radius: .3rem; }
        h1.lost, .tag.lost { color: var(--lost); background: var(--lost-back); }
        h1.left, .tag.left { color: var(--left); background: var(--left-back); }
        h1.good { color: var(--good); background: var(--good-back); }
        h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
        h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
        a { color: var(--link); }
        p { margin: .3rem 0; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; margin: 1rem 0; }
        dt, .quiet { color: var(--quiet); }
        dd { margin: 0; }
        table { border-collapse: collapse; margin: .6rem 0 1rem; width: 100%; }
        th, td { border-bottom: 1px solid var(--line); padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; }
        th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
        .path { font-family: ui-monospace, monospace; font-size: .92em; overflow-wrap: anywhere; }
        td.path { min-width: 8rem; }
        td.why { min-width: 14rem; }
        td.word, td.number { white-space: nowrap; }
        td.number { text-align: right; }
        .tag { border-radius: 1rem; padding: .05rem .6rem; font-size: .85rem; white-space: nowrap; }
        svg text { fill: currentColor; font: 12px system-ui, sans-serif; }
        .key { display: inline-block; width: 1.6rem; border-top: .2rem solid; vertical-align: middle; margin-right: .4rem; }
        .key.fetched { border-color: steelblue; border-top-style: dashed; }
        .share { width: 40%; }
        @media screen and (max-width: 64rem) {
          dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; }
          thead { display: block; position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          tr { display: block; border-bottom: 1px solid var(--line); padding: .4rem 0; }
          td, td.path, td.why, .share { display: block; width: auto; min-width: 0; border: 0; padding: .1rem 0; }
          td.number { text-align: left; }
          td[data-head]::before { content: attr(data-head) ": "; color: var(--quiet); font-family: system-ui, sans-serif; }
        }
        @page { margin: 15mm; }
        @media print {
          :root { color-scheme: light; --fore: #000; --back: #fff; --quiet: #444; --line: #999; --link: #000;
            --lost: #8a0f08; --lost-back: #fff; --left: #5c3b00; --left-back: #fff; --good: #0b4d26; --good-back: #fff; }
          body { font-size: 10pt; margin: 0; max-width: none; padding: 0; }
          h1, .tag { border: 1pt solid; }
          h2, h3 { break-after: avoid; }
          td.path { min-width: 0; } td.why { min-width: 10rem; }
          tr, svg, dl { break-inside: avoid; }
          thead { display: table-header-group; }
        }
        </style>
        </head>
        <body>
        """;

    /// <summary>The head of another page of the same look.</summary>
    public static string HeadOf(string title) => Head.Replace("Restore report", title, StringComparison.Ordinal);

    public static void Write(TextWriter page, RestoreReport report, TimeProvider clock, RunHistory? history = null)
    {
        Start(page, [report], clock);
        WriteOne(page, report, clock);
        if (history is not null)
        {
            ReportPlot.Write(page, history);
        }

        ReportPlot.Write(page, report.Profile);
        page.WriteLine("</main>\n</body>\n</html>");
    }

    /// <summary>Restores of several versions, in one page.</summary>
    public static void Write(TextWriter page, IReadOnlyList<RestoreReport> reports, TimeProvider clock)
    {
        Start(page, reports, clock);
        foreach (var report in reports)
        {
            WriteOne(page, report, clock);
        }

        page.WriteLine("</main>\n</body>\n</html>");
    }

    public static void Write(TextWriter page, Failure failure, TimeProvider clock)
    {
        page.WriteLine(Head);
        page.WriteLine($"<main>\n<h1 class=\"lost\">Failed, exit code {failure.ExitCode}</h1>");
        page.WriteLine(string.Join("\n", failure.Lines.Select(line => $"<p>{Markup.Text(line)}</p>")));
        page.WriteLine(
            $"<p class=\"quiet\">Report of {Markup.Text(Units.Time(clock.GetUtcNow(), clock))}</p>\n</main>\n</body>\n</html>"
        );
    }

    private static void Start(TextWriter page, IReadOnlyList<RestoreReport> reports, TimeProvider clock)
    {
        var losses = reports.Sum(report => report.Issues.Count(issue => issue.IsLoss));
        var left = reports.Sum(report => report.Issues.Count(issue => issue.Kind == IssueKind.LeftOut));
        var (style, headline) =
            losses > 0 ? ("lost", $"{Units.Count(losses, "entry is", "entries are")} damaged, missing or refused")
            : left > 0 ? ("left", $"{Units.Count(left, "link was", "links were")} left out; nothing is lost")
            : ("good", "Complete: nothing is lost");
        page.WriteLine(Head);
        page.WriteLine(
            $"<main>\n<h1 class=\"{style}\">{headline}</h1>\n<p class=\"quiet\">Report of {Markup.Text(Units.Time(clock.GetUtcNow(), clock))}</p>"
        );
    }

    private static void WriteOne(TextWriter page, RestoreReport report, TimeProvider clock)
    {
        if (report.VerifyOnly)
        {
            // Nothing was written, so nothing is at its target path.
            report = report with
            {
                Issues = [.. report.Issues.Select(issue => issue with { TargetPath = null })],
            };
        }

        using (var summary = new StringWriter { NewLine = "\n" })
        {
            // The text report and the page have the same summary: each line is a label and its
            // text, in fixed columns.
            ReportText.WriteSummary(summary, report, clock);
            var lines = summary.ToString().TrimEnd().Split('\n');
            page.WriteLine($"<p>{Markup.Text(lines[0])}</p>\n<dl>");
            foreach (var line in lines.Skip(1))
            {
                page.WriteLine(
                    $"<dt>{Markup.Text(line[SummaryLabelAt..SummaryTextAt].TrimEnd())}</dt><dd>{Markup.Text(line[SummaryTextAt..])}</dd>"
                );
            }

            page.WriteLine("</dl>");
        }

        WriteTable(
            page,
            report.LostVolumes,
            [
                ("Volume", "path", volume => Path(volume.Name)),
                ("In the store", "word", volume => ReportText.StateOf(volume)),
                ("Entries", "number", volume => Units.Number(volume.Entries)),
                ("Bytes", "number", volume => Units.Bytes(volume.Bytes)),
            ],
            "Sound copies of these volumes, or the right to read them, would bring it back"
        );
        if (ReportText.ReplacesDamaged(report))
        {
            page.WriteLine("<p>With them in place, the same restore with --overwrite replaces the damaged files</p>");
        }

        WriteTable(
            page,
            report.WholeElsewhere,
            [
                ("File", "path", file => Path(file.Path)),
                ("Version", "", file => Markup.Text(ReportText.Versions(file.Version, null, clock))),
            ],
            "Whole in another version"
        );
        WriteIssues(page, "Lost", "lost", report.Issues.Where(issue => issue.IsLoss));
        WriteIssues(page, "Left out", "left", report.Issues.Where(issue => issue.Kind == IssueKind.LeftOut));
        WriteIssues(
            page,
            "Warnings",
            "quiet",
            report.Issues.Where(issue => !issue.IsLoss && issue.Kind != IssueKind.LeftOut)
        );
    }

    private static void WriteIssues(TextWriter page, string title, string style, IEnumerable<RestoreIssue> issues)
    {
        RestoreIssue[] all = [.. issues];
        if (all.Length == 0)
        {
            return;
        }

        page.WriteLine($"<h2>{title}: {Units.Count(all.Length, "entry", "entries")}</h2>");
        foreach (var group in IssueText.Groups(all))
        {
            WriteGroup(page, style, [.. group]);
        }
    }

    /// <summary>What all entries of the group have in common stands above their table.</summary>
    private static void WriteGroup(TextWriter page, string style, RestoreIssue[] group)
    {
        var first = group[0];
        var folder = IssueText.FolderOf(first.Path);
        page.WriteLine(
            $"<section>\n<h3><span class=\"path\">{(folder.Length > 0 ? Path(folder) : "Volumes")}</span> <span class=\"tag {style}\">"
                + $"{IssueText.Word(first.Kind)}, {Units.Count(group.Length, "entry", "entries")}</span></h3>"
        );
        (string Head, string Style, Func<RestoreIssue, string> Cell)[] columns =
        [
            ("Name", "path", issue => Path(issue.Path[IssueText.FolderOf(issue.Path).Length..])),
            ("State", "word", issue => ReportJson.StateOf(issue) ?? ""),
            ("Why", "why", issue => Markup.Text(issue.Reason)),
            ("Versions", "word", issue => issue.Versions is { } range ? IssueText.Versions(range) : ""),
            ("Lost bytes", "number", Ranges),
            ("Volume", "path", Volumes),
            (
                "At",
                "path",
                issue => issue.TargetPath is { } place && issue.Kind != IssueKind.Missing ? Path(place) : ""
            ),
        ];
        var common =
            group.Length == 1
                ? []
                : Array.FindAll(
                    columns,
                    column => Array.TrueForAll(group, issue => column.Cell(issue) == column.Cell(first))
                );
        foreach (var (head, _, cell) in common.Where(column => column.Cell(first).Length > 0))
        {
            page.WriteLine($"<p><span class=\"quiet\">{head}:</span> {cell(first)}</p>");
        }

        if (Advice.For(first.Code) is { } advice)
        {
            page.WriteLine($"<p>{Markup.Text(advice)}</p>");
        }

        var shown = Array.FindAll(
            columns,
            column => !common.Contains(column) && Array.Exists(group, issue => column.Cell(issue).Length > 0)
        );
        WriteTable(page, group, shown);
        page.WriteLine("</section>");
    }

    private static void WriteTable<T>(
        TextWriter page,
        IReadOnlyList<T> rows,
        IReadOnlyList<(string Head, string Style, Func<T, string> Cell)> columns,
        string title = ""
    )
    {
        if (rows.Count > 0)
        {
            page.WriteLine(
                (title.Length > 0 ? $"<h2>{title}</h2>\n" : "")
                    + "<table>\n"
                    + Heads([.. columns.Select(column => column.Head)])
            );
            foreach (var row in rows)
            {
                page.WriteLine(
                    "<tr>"
                        + string.Concat(columns.Select(column => Cell(column.Head, column.Style, column.Cell(row))))
                        + "</tr>"
                );
            }

            page.WriteLine("</tbody>\n</table>");
        }
    }

    public static string Heads(params string[] heads) =>
        "<thead><tr>"
        + string.Concat(heads.Select(head => $"<th scope=\"col\">{head}</th>"))
        + "</tr></thead>\n<tbody>";

    private static string Cell(string head, string style, string content) =>
        content.Length == 0 ? "<td></td>" : $"<td class=\"{style}\" data-head=\"{head}\">{content}</td>";

    private static string Ranges(RestoreIssue issue)
    {
        var more = Math.Max(0, issue.LostRanges.Count - RangesShown) + issue.LostRangesLeftOut;
        return string.Join(
                "<br>",
                issue
                    .LostRanges.Take(RangesShown)
                    .Select(range => $"{Units.Number(range.From)} to {Units.Number(range.To - 1)}")
            ) + (more > 0 ? $"<br>and {Units.Number(more)} more ranges" : "");
    }

    private static string Volumes(RestoreIssue issue) =>
        string.Join("<br>", issue.Volumes.Select(Path))
        + (issue.VolumesLeftOut > 0 ? $"<br>and {Units.Number(issue.VolumesLeftOut)} more" : "");

    /// <summary>
    /// A path breaks after a separator and before a dot; a longer name breaks where it must.
    /// </summary>
    private static string Path(string path) =>
        Markup
            .Text(path)
            .Replace("/", "/<wbr>", StringComparison.Ordinal)
            .Replace("\\", "\\<wbr>", StringComparison.Ordinal)
            .Replace(".", "<wbr>.", StringComparison.Ordinal);
}
