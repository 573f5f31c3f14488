using System.Net;

namespace Restore.Cli.Rendering;

/// <summary>
/// Pictures of a run as inline SVG: the rate over time, and what each process did and waited for.
/// </summary>
internal static class ReportPlot
{
    private const int Width = 800;
    private const int Height = 220;

    // Room for the labels of the axes.
    private const int Left = 96;
    private const int Top = 14;
    private const int Bottom = 30;
    private const int Right = 24;

    private static readonly int[] Steps =
    [
        1,
        2,
        5,
        10,
        15,
        30,
        60,
        120,
        300,
        600,
        900,
        1800,
        3600,
        7200,
        14_400,
        43_200,
        86_400,
    ];

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
        page.WriteLine(
            $"<svg viewBox=\"0 0 {Width} {Height}\" width=\"100%\" role=\"img\" aria-label=\"Rate over time\">"
        );
        WriteAxes(page, seconds, highest);
        page.WriteLine(
            Line(rates.Select(rate => (rate.Seconds / seconds, rate.Content / highest)), "currentColor", dashes: null)
        );
        page.WriteLine(
            Line(rates.Select(rate => (rate.Seconds / seconds, rate.Fetched / highest)), "steelblue", dashes: "6 3")
        );
        page.WriteLine("</svg>");
        page.WriteLine(
            "<p><span class=\"key\"></span>content in place &emsp; <span class=\"key fetched\"></span>"
                + $"bytes fetched. Up to {Units.Rate(highest)}, over {Units.Duration(TimeSpan.FromSeconds(seconds))}.</p>"
        );
    }

    /// <summary>
    /// The share of each process's time that it waited for input, worked, and waited for the next
    /// one.
    /// </summary>
    public static void Write(TextWriter page, IReadOnlyList<ProcessProfile> profile)
    {
        if (profile.Count == 0)
        {
            return;
        }

        page.WriteLine(
            "<h2>Processes</h2>\n<p>Gray: waits to read; green: works; orange: waits to write. "
                + "The one that works while its neighbors wait is the bottleneck.</p>"
        );
        page.WriteLine(
            "<table>\n"
                + ReportHtml.Heads(
                    "Process",
                    "Copies",
                    "Reading",
                    "Working",
                    "Writing",
                    "Share of its time, 0 to 100 %"
                )
        );
        foreach (var process in profile)
        {
            var total = (process.Reading + process.Working + process.Writing).TotalSeconds;
            var (reading, working) = (Share(process.Reading, total), Share(process.Working, total));
            page.WriteLine(
                $"<tr><td>{WebUtility.HtmlEncode(process.Process)}</td><td data-head=\"Copies\">{process.Copies}</td>"
                    + $"<td data-head=\"Reading\">{Percent(process.Reading, total)}</td><td data-head=\"Working\">{Percent(process.Working, total)}</td>"
                    + $"<td data-head=\"Writing\">{Percent(process.Writing, total)}</td><td class=\"share\">"
                    + "<svg viewBox=\"0 0 100 10\" width=\"100%\" height=\"10\""
                    + $" preserveAspectRatio=\"none\" aria-hidden=\"true\">{Bar(0, reading, "gray")}{Bar(reading, working, "seagreen")}"
                    + $"{Bar(reading + working, total > 0 ? 100 - reading - working : 0, "darkorange")}</svg></td></tr>"
            );
        }

        page.WriteLine("</tbody>\n</table>");
    }

    /// <summary>Lines at round rates and times, with their labels.</summary>
    private static void WriteAxes(TextWriter page, double seconds, double highest)
    {
        // A power of two, because rates are shown in units of 1024. There are two to five lines.
        var rateStep = Math.Pow(2, Math.Floor(Math.Log2(highest / 2.5)));
        for (var rate = 0.0; rate <= highest; rate += rateStep)
        {
            var y = Y(rate / highest);
            page.WriteLine(
                $"<line x1=\"{Left}\" x2=\"{Width - Right}\" y1=\"{y}\" y2=\"{y}\" stroke=\"gray\" stroke-opacity=\"{(rate > 0 ? ".3" : "1")}\"/>"
                    + $"<text x=\"{Left - 8}\" y=\"{y}\" text-anchor=\"end\" dominant-baseline=\"middle\">{Units.Rate(rate)}</text>"
            );
        }

        var step = Steps.FirstOrDefault(
            one => seconds / one <= 6,
            Steps[^1] * (int)Math.Ceiling(seconds / 6 / Steps[^1])
        );
        for (var time = 0.0; time <= seconds; time += seconds < 2 ? seconds : step)
        {
            var x = X(time / seconds);
            page.WriteLine(
                $"<line x1=\"{x}\" x2=\"{x}\" y1=\"{Height - Bottom}\" y2=\"{Height - Bottom + 5}\" stroke=\"gray\"/>"
                    + $"<text x=\"{x}\" y=\"{Height - Bottom + 19}\" text-anchor=\"middle\">{Units.Duration(TimeSpan.FromSeconds(time))}</text>"
            );
        }

        page.WriteLine($"<line x1=\"{Left}\" x2=\"{Left}\" y1=\"{Top}\" y2=\"{Height - Bottom}\" stroke=\"gray\"/>");
    }

    /// <summary>
    /// Rates between points, not closer than a hundredth of the whole time: shorter ones say more
    /// about the reports than about the run.
    /// </summary>
    private static List<(double Seconds, double Content, double Fetched)> RatesOf(
        IReadOnlyList<(double Seconds, long Bytes, long Fetched)> points
    )
    {
        var rates = new List<(double, double, double)>();
        var last = points.Count > 0 ? points[0] : default;
        foreach (var point in points)
        {
            var seconds = point.Seconds - last.Seconds;
            if (seconds > 0 && seconds >= points[^1].Seconds / 100)
            {
                rates.Add(
                    (
                        point.Seconds,
                        Math.Max(0, point.Bytes - last.Bytes) / seconds,
                        Math.Max(0, point.Fetched - last.Fetched) / seconds
                    )
                );
                last = point;
            }
        }

        return rates;
    }

    private static string Line(IEnumerable<(double X, double Y)> points, string color, string? dashes)
    {
        var text = string.Join(' ', points.Select(point => $"{X(point.X)},{Y(point.Y)}"));
        return $"<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"{(dashes is null ? "" : $" stroke-dasharray=\"{dashes}\"")} points=\"{text}\"/>";
    }

    private static string X(double share) => Markup.Number(Left + (share * (Width - Left - Right)));

    private static string Y(double share) => Markup.Number(Height - Bottom - (share * (Height - Top - Bottom)));

    private static string Bar(double from, double share, string color) =>
        $"<rect x=\"{Markup.Number(from)}\" width=\"{Markup.Number(Math.Max(0, share))}\" height=\"10\" fill=\"{color}\"/>";

    private static double Share(TimeSpan part, double total) => total > 0 ? 100 * part.TotalSeconds / total : 0;

    private static string Percent(TimeSpan part, double total) => Units.Percent(part.TotalSeconds, total);
}
