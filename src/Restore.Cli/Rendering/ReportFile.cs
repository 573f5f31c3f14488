using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;

namespace Restore.Cli.Rendering;

/// <summary>A report as a file: JSON, one page of HTML, or text, by the end of its name.</summary>
internal static class ReportFile
{
    public static void Write(TextWriter file, string name, RestoreReport report, TimeProvider clock, RunHistory? history = null)
    {
        var time = clock.GetUtcNow();
        switch (Path.GetExtension(name).ToLowerInvariant())
        {
            case ".json":
                Json.Write(file, Written(time).With(Json.Of(report)));
                break;
            case ".html" or ".htm":
                ReportHtml.Write(file, report, clock, history);
                break;
            default:
                file.WriteLine($"Report of {Units.Time(time, clock)}");
                ReportText.Write(file, report, clock, ReportSize.All);
                break;
        }
    }

    public static void Write(TextWriter file, string name, Failure failure, TimeProvider clock)
    {
        var time = clock.GetUtcNow();
        switch (Path.GetExtension(name).ToLowerInvariant())
        {
            case ".json":
                Json.Write(file, Written(time).With(Json.Of(failure)));
                break;
            case ".html" or ".htm":
                ReportHtml.Write(file, failure, clock);
                break;
            default:
                file.WriteLine($"Report of {Units.Time(time, clock)}");
                file.WriteLine($"Failed: {SafeText.Escape(string.Join("; ", failure.Lines))} (exit code {failure.ExitCode})");
                break;
        }
    }

    private static JsonObject Written(DateTimeOffset time) => new() { ["written"] = Json.Time(time) };
}

/// <summary>One page that loads nothing from any other place, and runs nothing.</summary>
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
        var leftOut = report.Issues.Where(issue => issue.Kind == IssueKind.LeftOut).ToList();
        var warnings = report.Issues.Where(issue => !ExitCodes.IsLoss(issue)).Except(leftOut).ToList();
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
        WriteIssues(page, "Left out", leftOut);
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

/// <summary>Pictures of a run as inline SVG: the rate over time, and what each process did and waited for.</summary>
internal static class ReportPlot
{
    private const int Width = 800;
    private const int Height = 160;

    public static void Write(TextWriter page, RunHistory history)
    {
        var rates = RatesOf(history.Points);
        var highest = rates.Select(rate => Math.Max(rate.Content, rate.Fetched)).DefaultIfEmpty(0).Max();
        if (rates.Count < 2 || highest <= 0)
        {
            return;
        }

        var seconds = rates[^1].Seconds;
        page.WriteLine("<h2>Rate</h2>");
        page.WriteLine($"<svg viewBox=\"0 0 {Width} {Height}\" width=\"100%\" role=\"img\" aria-label=\"Rate over time\">");
        page.WriteLine(Line(rates.Select(rate => (rate.Seconds / seconds, rate.Content / highest)), "currentColor"));
        page.WriteLine(Line(rates.Select(rate => (rate.Seconds / seconds, rate.Fetched / highest)), "steelblue"));
        page.WriteLine("</svg>");
        var span = Units.Duration(TimeSpan.FromSeconds(seconds));
        page.WriteLine($"<p>Up to {Units.Rate(highest)}, over {span}. Blue: bytes fetched; the other: content in place.</p>");
    }

    /// <summary>The share of each process's time that it waited for input, worked, and waited for the next one.</summary>
    public static void Write(TextWriter page, IReadOnlyList<ProcessProfile> profile)
    {
        if (profile.Count == 0)
        {
            return;
        }

        page.WriteLine("<h2>Processes</h2>\n<p>Gray: waits to read; green: works; orange: waits to write. "
            + "The one that works while its neighbors wait is the bottleneck.</p>");
        page.WriteLine("<table>\n<tr><th>Process</th><th>Copies</th><th>Reading</th><th>Working</th><th>Writing</th><th></th></tr>");
        foreach (var process in profile)
        {
            var total = (process.Reading + process.Working + process.Writing).TotalSeconds;
            var (reading, working) = (Share(process.Reading, total), Share(process.Working, total));
            page.WriteLine($"<tr><td>{WebUtility.HtmlEncode(process.Process)}</td><td>{process.Copies}</td><td>{Percent(process.Reading, total)}</td>"
                + $"<td>{Percent(process.Working, total)}</td><td>{Percent(process.Writing, total)}</td><td>"
                + "<svg viewBox=\"0 0 100 10\" width=\"100%\" height=\"10\""
                + $" preserveAspectRatio=\"none\" aria-hidden=\"true\">{Bar(0, reading, "gray")}{Bar(reading, working, "seagreen")}"
                + $"{Bar(reading + working, total > 0 ? 100 - reading - working : 0, "darkorange")}</svg></td></tr>");
        }

        page.WriteLine("</table>");
    }

    /// <summary>Rates between points, not closer than a hundredth of the whole time: shorter ones say more about the reports than about the run.</summary>
    private static List<(double Seconds, double Content, double Fetched)> RatesOf(IReadOnlyList<(double Seconds, long Bytes, long Fetched)> points)
    {
        var rates = new List<(double, double, double)>();
        var last = points.Count > 0 ? points[0] : default;
        foreach (var point in points)
        {
            var seconds = point.Seconds - last.Seconds;
            if (seconds > 0 && seconds >= points[^1].Seconds / 100)
            {
                rates.Add((point.Seconds, Math.Max(0, point.Bytes - last.Bytes) / seconds, Math.Max(0, point.Fetched - last.Fetched) / seconds));
                last = point;
            }
        }

        return rates;
    }

    private static string Line(IEnumerable<(double X, double Y)> points, string color)
    {
        var text = string.Join(' ', points.Select(point => $"{Number(point.X * Width)},{Number(Height - (point.Y * (Height - 4)) - 2)}"));
        return $"<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{text}\"/>";
    }

    private static string Bar(double from, double share, string color) =>
        $"<rect x=\"{Number(from)}\" width=\"{Number(Math.Max(0, share))}\" height=\"10\" fill=\"{color}\"/>";

    private static double Share(TimeSpan part, double total) => total > 0 ? 100 * part.TotalSeconds / total : 0;

    private static string Percent(TimeSpan part, double total) => Units.Percent(part.TotalSeconds, total);

    private static string Number(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);
}

/// <summary>The progress of a run over time, in a bounded number of points.</summary>
internal sealed class RunHistory(IProgress<RestoreProgress> inner) : IProgress<RestoreProgress>
{
    private const int MostPoints = 400;

    private readonly Lock gate = new();
    private readonly List<(double Seconds, long Bytes, long Fetched)> points = [];
    private double interval;

    /// <summary>Seconds since the start of the restoring phase, bytes of content in place, bytes fetched; in order.</summary>
    public IReadOnlyList<(double Seconds, long Bytes, long Fetched)> Points => points;

    public void Report(RestoreProgress value)
    {
        inner.Report(value);
        lock (gate)
        {
            if (value.Phase != RestorePhase.Restoring || (points.Count > 0 && value.Elapsed.TotalSeconds < points[^1].Seconds + interval))
            {
                return;
            }

            points.Add((value.Elapsed.TotalSeconds, value.BytesDone, value.BytesFetched));
            if (points.Count > MostPoints)
            {
                // Every second point goes, and from now on half as many come.
                (double, long, long)[] kept = [.. points.Where((_, index) => index % 2 == 0)];
                points.Clear();
                points.AddRange(kept);
                interval = 2 * points[^1].Seconds / MostPoints;
            }
        }
    }
}
