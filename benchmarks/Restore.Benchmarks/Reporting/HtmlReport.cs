using System.Net;
using System.Text;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Reporting;

/// <summary>The results as one self-contained page: plots first, numbers below each.</summary>
internal static class HtmlReport
{
    private const string Style = """
        :root { color-scheme: light dark; --ink: #1c2330; --soft: #667085; --line: #e3e6eb; --back: #fff;
            --c0: #2563a8; --c1: #d97b29; --c2: #3a8f5c; --c3: #8a5aa8; --c4: #b3404a; --c5: #7a7f87; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #9aa3b2; --line: #333a45; --back: #14181f;
            --c0: #5b9be0; --c1: #e89a52; --c2: #5fb884; --c3: #b58ad2; --c4: #dc6f78; --c5: #a0a6af; } }
        body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back); max-width: 1080px; margin: 2rem auto; padding: 0 1rem; }
        h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .2rem; } p { color: var(--soft); margin: .2rem 0 1rem; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
        .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(480px, 1fr)); gap: 1rem 2rem; } figure { margin: 0; }
        .glance { max-width: 720px; }
        figcaption { font-weight: 600; margin-bottom: .3rem; }
        svg { width: 100%; height: auto; } .label { text-anchor: end; font-size: 13px; fill: var(--ink); }
        .tick { text-anchor: middle; font-size: 11px; fill: var(--soft); }
        .value { font-size: 12px; fill: var(--ink); } .grid { stroke: var(--line); }
        .range { stroke: var(--ink); stroke-width: 1.2; fill: none; opacity: .75; }
        .c0 { fill: var(--c0); } .c1 { fill: var(--c1); } .c2 { fill: var(--c2); } .c3 { fill: var(--c3); } .c4 { fill: var(--c4); } .c5 { fill: var(--c5); }
        .legend span { margin-right: 1.2rem; } .legend svg { width: 12px; height: 12px; margin-right: .4rem; vertical-align: -1px; }
        table { border-collapse: collapse; margin-top: .6rem; font-variant-numeric: tabular-nums; }
        th, td { padding: .15rem .8rem .15rem 0; text-align: right; border-bottom: 1px solid var(--line); }
        th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; } th { color: var(--soft); font-weight: 500; }
        summary { cursor: pointer; color: var(--soft); margin-top: .6rem; }
        """;

    public static string Write(SuiteResult result)
    {
        string[] series = [.. result.Options.Contenders.Select(contender => contender.Name)];
        StringBuilder html = new();
        html.AppendLine(
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">"
        );
        html.AppendLine(
            $"<title>{ReportText.Title}</title><style>{Style}</style></head><body><h1>{ReportText.Title}</h1><dl>"
        );
        foreach ((string name, string value) in ReportText.Facts(result))
        {
            html.AppendLine($"<dt>{name}</dt><dd>{Encode(value)}</dd>");
        }

        html.AppendLine("</dl>")
            .AppendLine(
                $"<p>Bars are medians, lines go from the lowest to the highest. {Encode(ReportText.Columns)}</p>"
            );
        html.AppendLine($"<p class=\"legend\">{string.Concat(series.Select(one => Legend(one, series)))}</p>");
        html.AppendLine(Glance(result, series));
        foreach (IGrouping<string, Summary> group in result.Summaries.GroupBy(row => row.Scenario.Group))
        {
            html.AppendLine(
                $"<h2>{Encode(group.Key)}</h2><p>{Encode(ReportText.Describe(group, result))}</p><div class=\"plots\">"
            );
            html.AppendLine(Chart("Wall time, seconds", group, series, row => row.Wall, Units.Seconds, isTime: true));
            html.AppendLine(
                Chart("Processor time, seconds", group, series, row => row.Processor, Units.Seconds, isTime: true)
            );
            html.AppendLine(Chart("Peak memory, MB", group, series, row => InMegabytes(row.PeakBytes), Units.Whole));
            html.AppendLine(Chart("Read, MB", group, series, row => InMegabytes(row.BytesRead), Units.Whole));
            html.AppendLine(Chart("Written, MB", group, series, row => InMegabytes(row.BytesWritten), Units.Whole));
            html.AppendLine("</div>").AppendLine(Table(group));
        }

        return html.AppendLine("</body></html>").ToString();
    }

    /// <summary>
    /// For every case, how many times as long as the first the others took: what most readers look
    /// for.
    /// </summary>
    private static string Glance(SuiteResult result, IReadOnlyList<string> series)
    {
        Bar[] bars =
        [
            .. from one in ReportText.Compare(result)
            from other in one.Others
            let factor = new Spread(
                other.Factor,
                other.Row.Wall.Min / one.First.Wall.Median,
                other.Row.Wall.Max / one.First.Wall.Median
            )
            select new Bar($"{one.Group} {one.Case}", other.Row.Scenario.Contender.Name, factor),
        ];
        if (bars.Length == 0)
        {
            return "";
        }

        string plot = BarChart.Draw(
            $"Times as long as {series[0]}",
            bars,
            series,
            Units.Factor,
            mayBeLogarithmic: true,
            labelWidth: 220
        );
        return $"<h2>At a glance</h2><p>Wall time of the others for each second of {Encode(series[0])}; longer is slower than it.</p>"
            + $"<div class=\"glance\">{plot}</div>";
    }

    private static string Chart(
        string title,
        IEnumerable<Summary> rows,
        IReadOnlyList<string> series,
        Func<Summary, Spread> value,
        Func<double, string> format,
        bool isTime = false
    ) =>
        BarChart.Draw(
            title,
            [.. rows.Select(row => new Bar(row.Scenario.Case, row.Scenario.Contender.Name, value(row)))],
            series,
            format,
            isTime
        );

    private static string Legend(string one, IReadOnlyList<string> series) =>
        $"<span><svg viewBox=\"0 0 12 12\"><rect class=\"c{BarChart.ColourOf(one, series)}\" width=\"12\" height=\"12\" rx=\"2\"/></svg>{Encode(one)}</span>";

    private static string Table(IEnumerable<Summary> rows)
    {
        StringBuilder table = new();
        table.Append(
            "<details><summary>Numbers</summary><table><tr><th>case</th><th>who</th><th>wall s</th><th>lowest</th><th>highest</th>"
        );
        table.Append(
            "<th>user s</th><th>system s</th><th>sync s</th><th>peak MB</th><th>read MB</th><th>written MB</th></tr>"
        );
        foreach (Summary row in rows)
        {
            string[] cells =
            [
                row.Scenario.Case,
                row.Scenario.Contender.Name,
                Units.Seconds(row.Wall.Median),
                Units.Seconds(row.Wall.Min),
                Units.Seconds(row.Wall.Max),
                Units.Seconds(row.User.Median),
                Units.Seconds(row.System.Median),
                Units.Seconds(row.Sync.Median),
                Units.Megabytes(row.PeakBytes.Median),
                Units.Megabytes(row.BytesRead.Median),
                Units.Megabytes(row.BytesWritten.Median),
            ];
            table.Append($"<tr>{string.Concat(cells.Select(cell => $"<td>{Encode(cell)}</td>"))}</tr>");
        }

        return table.Append("</table></details>").ToString();
    }

    private static Spread InMegabytes(Spread bytes) =>
        new(Math.Max(0, bytes.Median / 1e6), Math.Max(0, bytes.Min / 1e6), Math.Max(0, bytes.Max / 1e6));

    private static string Encode(string text) => WebUtility.HtmlEncode(text);
}
