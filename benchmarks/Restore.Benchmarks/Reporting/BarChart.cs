using System.Globalization;
using System.Net;
using System.Text;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Reporting;

/// <summary>One bar: a median and its range.</summary>
/// <param name="Group">Bars of one group stand together under this label.</param>
/// <param name="Series">Its color.</param>
/// <param name="Value">The value.</param>
internal sealed record Bar(string Group, string Series, Spread Value);

/// <summary>
/// Draws horizontal bars with their ranges as SVG: long labels fit beside them, and any number of
/// them is read from top to bottom.
/// </summary>
internal static class BarChart
{
    private const int UsualLabelWidth = 105;
    private const int PlotWidth = 345;
    private const int ValueWidth = 60;
    private const int BarHeight = 16;
    private const int GroupGap = 12;
    private const int AxisHeight = 24;

    // From this ratio on, the small bars would be invisible on a linear axis.
    private const double LogarithmicFrom = 25;

    /// <summary>Draws a chart.</summary>
    /// <param name="title">The quantity, with its unit.</param>
    /// <param name="bars">The bars, those of a group together.</param>
    /// <param name="series">The series in the order of their colors.</param>
    /// <param name="format">Formats a number.</param>
    /// <param name="mayBeLogarithmic">Whether the axis may be logarithmic if the bars differ
    /// much.</param>
    /// <param name="labelWidth">Room for the labels of the groups.</param>
    public static string Draw(
        string title,
        IReadOnlyList<Bar> bars,
        IReadOnlyList<string> series,
        Func<double, string> format,
        bool mayBeLogarithmic,
        int labelWidth = UsualLabelWidth
    )
    {
        double highest = bars.Max(bar => bar.Value.Max);
        double lowest = bars.Where(bar => bar.Value.Min > 0).Select(bar => bar.Value.Min).DefaultIfEmpty(highest).Min();
        Axis axis = Axis.For(
            lowest,
            highest,
            isLogarithmic: mayBeLogarithmic && lowest > 0 && highest / lowest >= LogarithmicFrom
        );
        StringBuilder body = new();
        double y = 4;
        string? group = null;
        foreach (Bar bar in bars)
        {
            if (bar.Group != group)
            {
                y += group is null ? 0 : GroupGap;
                int height = bars.Count(other => other.Group == bar.Group) * BarHeight;
                body.Append(Text(labelWidth - 8, y + (height / 2.0) + 4, "label", bar.Group));
                group = bar.Group;
            }

            Append(body, bar, axis, labelWidth, y, ColourOf(bar.Series, series), format);
            y += BarHeight;
        }

        StringBuilder svg = new();
        double bottom = y + 4;
        int width = labelWidth + PlotWidth + ValueWidth;
        svg.Append(
            Invariant(
                $"<figure><figcaption>{WebUtility.HtmlEncode(title)}{(axis.IsLogarithmic ? " (logarithmic)" : "")}</figcaption>"
            )
        );
        svg.Append(
            Invariant(
                $"<svg viewBox=\"0 0 {width} {bottom + AxisHeight:F0}\" role=\"img\" aria-label=\"{WebUtility.HtmlEncode(title)}\">"
            )
        );
        foreach (double tick in axis.Ticks())
        {
            double x = labelWidth + (axis.PlaceOf(tick) * PlotWidth);
            svg.Append(Invariant($"<line class=\"grid\" x1=\"{x:F1}\" x2=\"{x:F1}\" y1=\"0\" y2=\"{bottom:F1}\"/>"));
            svg.Append(Text(x, bottom + 15, "tick", Axis.Label(tick)));
        }

        return svg.Append(body).Append("</svg></figure>").ToString();
    }

    /// <summary>The color of a series.</summary>
    public static int ColourOf(string one, IReadOnlyList<string> series) =>
        Math.Max(0, series.ToList().IndexOf(one)) % 6;

    private static void Append(
        StringBuilder body,
        Bar bar,
        Axis axis,
        int labelWidth,
        double y,
        int colour,
        Func<double, string> format
    )
    {
        double middle = y + (BarHeight / 2.0);
        double width = axis.PlaceOf(bar.Value.Median) * PlotWidth;
        double low = labelWidth + (axis.PlaceOf(bar.Value.Min) * PlotWidth);
        double high = labelWidth + (axis.PlaceOf(bar.Value.Max) * PlotWidth);
        string range =
            $"{bar.Group} {bar.Series}: {format(bar.Value.Median)} ({format(bar.Value.Min)} to {format(bar.Value.Max)})";
        body.Append(Invariant($"<g><title>{WebUtility.HtmlEncode(range)}</title>"));
        body.Append(Invariant($"<rect class=\"c{colour}\" x=\"{labelWidth}\" y=\"{y + 2:F1}\" "));
        body.Append(Invariant($"width=\"{Math.Max(width, 1):F1}\" height=\"{BarHeight - 4}\" rx=\"2\"/>"));
        string whiskers = Invariant(
            $"M{low:F1} {middle:F1}H{high:F1}M{low:F1} {middle - 4:F1}v8M{high:F1} {middle - 4:F1}v8"
        );
        body.Append(Invariant($"<path class=\"range\" d=\"{whiskers}\"/>"));
        body.Append(Text(Math.Max(high, labelWidth + width) + 6, middle + 4, "value", format(bar.Value.Median)));
        body.Append("</g>");
    }

    private static string Text(double x, double y, string style, string text) =>
        Invariant($"<text class=\"{style}\" x=\"{x:F1}\" y=\"{y:F1}\">{WebUtility.HtmlEncode(text)}</text>");

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
