using System.Globalization;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Reporting;

/// <summary>Numbers as the reports show them.</summary>
internal static class Units
{
    public static string Seconds(double value) =>
        value.ToString(value < 9.95 ? "F2" : "F1", CultureInfo.InvariantCulture);

    public static string Seconds(Spread spread) =>
        $"{Seconds(spread.Median)} ({Seconds(spread.Min)}-{Seconds(spread.Max)})";

    public static string Megabytes(double bytes) =>
        bytes < 0 ? "-" : (bytes / 1e6).ToString(bytes < 99.5e6 ? "F1" : "F0", CultureInfo.InvariantCulture);

    public static string Gibibytes(double bytes) => (bytes / (1L << 30)).ToString("F1", CultureInfo.InvariantCulture);

    public static string Factor(double value) =>
        value.ToString(value < 9.95 ? "0.00" : "0.0", CultureInfo.InvariantCulture);

    public static string Whole(double value) => value.ToString("F0", CultureInfo.InvariantCulture);
}
