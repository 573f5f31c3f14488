namespace Restore.Cli.Rendering;

internal static class Sparkline
{
    private const string Bars = "▁▂▃▄▅▆▇█";

    /// <summary>
    /// The bars; the largest number has the highest. Empty for fewer than two numbers.
    /// </summary>
    public static string Of(IReadOnlyCollection<double> values)
    {
        var largest = values.Count < 2 ? 0 : values.Max();
        return largest <= 0
            ? ""
            : string.Concat(
                values.Select(value => Bars[(int)Math.Round(Math.Max(0, value) / largest * (Bars.Length - 1))])
            );
    }
}
