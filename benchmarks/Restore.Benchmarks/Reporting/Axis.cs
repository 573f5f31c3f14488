using System.Globalization;

namespace Restore.Benchmarks.Reporting;

/// <summary>Maps a number to a place between 0 and 1, linear or logarithmic.</summary>
internal sealed record Axis(double From, double To, bool IsLogarithmic)
{
    private const int WantedTicks = 6;

    // With more than two decades, the labels between them would touch each other.
    private const double MostForAllTicks = 110;

    public static Axis For(double lowest, double highest, bool isLogarithmic)
    {
        if (!isLogarithmic)
        {
            return new Axis(0, highest > 0 ? highest : 1, false);
        }

        // A bar starts at the axis, below the lowest value, so that its length is visible.
        return new Axis(Math.Pow(10, Math.Floor(Math.Log10(lowest * 0.8))), highest, true);
    }

    public double PlaceOf(double value)
    {
        double place = IsLogarithmic ? Math.Log(Math.Max(value, From) / From) / Math.Log(To / From) : value / To;
        return Math.Clamp(place, 0, 1);
    }

    /// <summary>Round numbers within the axis.</summary>
    public IEnumerable<double> Ticks()
    {
        if (!IsLogarithmic)
        {
            double step = Step(To / WantedTicks);
            return Enumerable.Range(0, (int)(To / step) + 1).Select(i => i * step);
        }

        IEnumerable<double> decades = Enumerable
            .Range(0, 1 + (int)Math.Ceiling(Math.Log10(To / From)))
            .Select(i => From * Math.Pow(10, i));
        int[] factors = To / From > MostForAllTicks ? [1] : [1, 2, 5];
        return decades
            .SelectMany(decade => factors.Select(factor => decade * factor))
            .Where(tick => tick <= To * 1.0001);
    }

    public static string Label(double tick) => tick.ToString("0.####", CultureInfo.InvariantCulture);

    /// <summary>The smallest of 1, 2, 5, 10, 20, ... that is not below the number.</summary>
    private static double Step(double least)
    {
        double decade = Math.Pow(10, Math.Floor(Math.Log10(least)));
        return new[] { 1, 2, 5, 10 }.Select(factor => factor * decade).First(step => step >= least * 0.9999);
    }
}
