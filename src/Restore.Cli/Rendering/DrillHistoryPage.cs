using System.Net;

namespace Restore.Cli.Rendering;

/// <summary>What people see of a history of drills: three drawings and a table.</summary>
internal static class DrillHistoryPage
{
    private const int Width = 800;
    private const int Height = 150;
    private const int Left = 96;
    private const int Top = 12;
    private const int Bottom = 26;
    private const int WidestBar = 40;
    private const int RoomOfTwoDays = 200;
    private const double ShareOfBar = 0.7;

    // A bar without a height still shows that there was a drill.
    private const int LowestBar = 2;

    public static void Write(TextWriter page, IReadOnlyList<DrillRecord> drills, TimeProvider clock)
    {
        var newest = drills[^1];
        var isWhole = newest.ExitCode == ExitCodes.Complete;
        var whole = drills.Count(drill => drill.ExitCode == ExitCodes.Complete);
        page.WriteLine(ReportHtml.HeadOf("Drills"));
        page.WriteLine("<main>");
        page.WriteLine(
            $"<h1 class=\"{(isWhole ? "good" : "lost")}\">{Units.Count(drills.Count, "drill", "drills")}, "
                + $"{(whole == drills.Count ? "all" : Units.Number(whole))} without a loss; the newest: {Markup.Text(ResultOf(newest))}</h1>"
        );
        page.WriteLine("<dl>");
        page.WriteLine($"<dt>Backup</dt><dd class=\"path\">{Markup.Text(newest.Backup)}</dd>");
        page.WriteLine(
            $"<dt>From</dt><dd>{Units.Time(drills[0].Time, clock)}</dd><dt>To</dt><dd>{Units.Time(newest.Time, clock)}</dd>"
        );
        page.WriteLine("</dl>");
        Draw(page, "Time", drills, clock, drill => drill.Seconds, value => Units.Duration(TimeSpan.FromSeconds(value)));
        Draw(page, "Bytes verified", drills, clock, drill => drill.Bytes, value => Units.Bytes((long)value));
        Draw(page, "Lost entries", drills, clock, drill => drill.Lost, value => Units.Number((long)value));
        page.WriteLine("<h2>Drills</h2>\n<table>");
        page.WriteLine(
            ReportHtml.Heads("When", "Result", "Versions", "Share", "Files", "Bytes", "Fetched", "Time", "Lost")
        );
        foreach (var drill in drills.Reverse())
        {
            WriteRow(page, drill, clock, withBackup: drill.Backup != newest.Backup);
        }

        page.WriteLine("</tbody>\n</table>\n</main>");
    }

    private static void WriteRow(TextWriter page, DrillRecord drill, TimeProvider clock, bool withBackup)
    {
        var style = drill.ExitCode == ExitCodes.Complete ? "word" : "tag lost";
        (string Head, string Text)[] numbers = drill.Failure is null
            ?
            [
                ("Versions", Units.Number(drill.Versions)),
                ("Share", Units.Percent(drill.BytesShare, 1)),
                ("Files", Units.Number(drill.Files)),
                ("Bytes", Units.Bytes(drill.Bytes)),
                ("Fetched", Units.Bytes(drill.BytesFetched)),
                ("Time", Units.Duration(TimeSpan.FromSeconds(drill.Seconds))),
                ("Lost", Units.Number(drill.Lost)),
            ]
            : [];
        page.WriteLine(
            $"<tr><td class=\"word\">{Units.Time(drill.Time, clock)}</td>"
                + $"<td data-head=\"Result\"><span class=\"{style}\">{Markup.Text(ResultOf(drill))}</span>"
                + $"{(drill.Failure is { } failure ? "<br>" + Markup.Text(failure) : "")}"
                + $"{(withBackup ? $"<br><span class=\"path\">{Markup.Text(drill.Backup)}</span>" : "")}</td>"
                + string.Concat(
                    numbers.Select(number => $"<td class=\"number\" data-head=\"{number.Head}\">{number.Text}</td>")
                )
                + "</tr>"
        );
    }

    private static string ResultOf(DrillRecord drill) =>
        drill.Failure is not null ? $"failed (exit code {drill.ExitCode})"
        : drill.ExitCode == ExitCodes.Complete ? "nothing is lost"
        : drill.Lost > 0 ? $"{Units.Count(drill.Lost, "entry", "entries")} lost"
        : $"exit code {drill.ExitCode}";

    /// <summary>A bar for each drill; red for one with a loss or without a result.</summary>
    private static void Draw(
        TextWriter page,
        string title,
        IReadOnlyList<DrillRecord> drills,
        TimeProvider clock,
        Func<DrillRecord, double> valueOf,
        Func<double, string> shown
    )
    {
        var highest = drills.Max(valueOf);
        var step = Math.Min((double)(Width - Left) / drills.Count, WidestBar / ShareOfBar);
        page.WriteLine($"<h2>{title}</h2>");
        page.WriteLine(
            $"<svg viewBox=\"0 0 {Width} {Height}\" width=\"100%\" role=\"img\" aria-label=\"{title} of each drill, at most {shown(highest)}\">"
        );
        page.WriteLine(
            $"<text x=\"{Left - 8}\" y=\"{Top}\" text-anchor=\"end\" dominant-baseline=\"middle\">{shown(highest)}</text>"
                + $"<line x1=\"{Left}\" x2=\"{Width}\" y1=\"{Height - Bottom}\" y2=\"{Height - Bottom}\" stroke=\"gray\"/>"
        );
        for (var i = 0; i < drills.Count; i++)
        {
            var (drill, value) = (drills[i], valueOf(drills[i]));
            var height = Math.Max(LowestBar, highest > 0 ? value / highest * (Height - Top - Bottom) : 0);
            page.WriteLine(
                $"<rect x=\"{Markup.Number(Left + (i * step))}\" y=\"{Markup.Number(Height - Bottom - height)}\" width=\"{Markup.Number(step * ShareOfBar)}\""
                    + $" height=\"{Markup.Number(height)}\" fill=\"{(drill.ExitCode == ExitCodes.Complete ? "seagreen" : "firebrick")}\">"
                    + $"<title>{Units.Time(drill.Time, clock)}: {shown(value)}</title></rect>"
            );
        }

        page.WriteLine($"<text x=\"{Left}\" y=\"{Height - 6}\">{DayOf(drills[0])}</text>");
        if (drills.Count > 1)
        {
            var end = Math.Max(Left + (drills.Count * step), Left + RoomOfTwoDays);
            page.WriteLine(
                $"<text x=\"{Markup.Number(end)}\" y=\"{Height - 6}\" text-anchor=\"end\">{DayOf(drills[^1])}</text>"
            );
        }

        page.WriteLine("</svg>");
    }

    private static string DayOf(DrillRecord drill) => drill.Time.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
}
