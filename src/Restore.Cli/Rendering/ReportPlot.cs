using System.Globalization;
using System.Net;

namespace Restore.Cli.Rendering;

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

/// <summary>The progress of a run over time, in a bounded number of points, for the plot of the report.</summary>
/// <param name="inner">The view that shows the progress.</param>
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
