namespace Restore.Assessment;

/// <summary>
/// What is usual in the history of a backup: the median and the spread of a number, which some
/// unusual versions do not change.
/// </summary>
internal readonly record struct Usual(double Median, double Spread)
{
    // Makes the median distance from the median the standard deviation of values that are
    // distributed normally.
    private const double ToDeviation = 1.4826;

    // So far from the median no version of a normal history is expected, also if the distribution
    // has a long tail.
    private const double Deviations = 4.5;

    /// <summary>The largest number that is not unusual.</summary>
    public double Most => Median + (Deviations * Spread);

    public static Usual Of(double[] values)
    {
        double median = MedianOf(values);
        double distance = MedianOf([.. values.Select(value => Math.Abs(value - median))]);

        // Files are counted: a number of them spreads by its root at least.
        return new Usual(median, Math.Max(distance * ToDeviation, Math.Sqrt(median)));
    }

    public static double MedianOf(double[] values)
    {
        if (values.Length == 0)
        {
            return 0;
        }

        double[] sorted = [.. values.Order()];
        int half = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
