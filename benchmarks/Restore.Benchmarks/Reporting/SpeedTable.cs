using System.Globalization;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Reporting;

/// <summary>The speed table of README.md: the full restores of committed results.</summary>
internal static class SpeedTable
{
    private const string Full = "full";

    private static readonly Dictionary<string, string> Names = new(StringComparer.Ordinal)
    {
        ["new"] = "Restore",
        ["legacy"] = "Restore, legacy flow",
        ["flushed"] = "Restore, waits for the device",
        ["floor"] = "floor program",
    };

    /// <summary>Makes the table.</summary>
    /// <param name="restores">The lines of restores.csv.</param>
    /// <param name="rooflines">The lines of rooflines.csv; none if the suite did not measure rooflines.</param>
    /// <exception cref="SuiteException">There is no full restore in the results.</exception>
    public static string Write(IEnumerable<string> restores, IEnumerable<string> rooflines)
    {
        Dictionary<string, string>[] runs = [.. Rows(restores).Where(row => row["case"] == Full)];
        if (runs.Length == 0)
        {
            throw new SuiteException("The results have no full restore.");
        }

        ILookup<string, double> best = Rows(rooflines).Where(row => row["part"] == "roofline").ToLookup(row => row["set"], Wall);
        string[] contenders = [.. runs.Select(row => row["contender"]).Distinct().OrderBy(name => Place(name)).ThenBy(name => name, StringComparer.Ordinal)];
        string[] columns = best.Count > 0 ? ["roofline", .. contenders.Select(Display)] : [.. contenders.Select(Display)];
        return string.Concat(
        [
            $"| seconds, full restore | {string.Join(" | ", columns)} |\n",
            $"|---|{string.Concat(columns.Select(_ => "---:|"))}\n",
            .. from set in runs.GroupBy(row => row["group"])
               let roofline = best.Count > 0 ? [Cell(best[set.Key])] : Array.Empty<string>()
               let cells = contenders.Select(name => Cell(set.Where(row => row["contender"] == name).Select(Wall)))
               select $"| {Describe(set.First())} | {string.Join(" | ", [.. roofline, .. cells])} |\n",
        ]);
    }

    private static int Place(string contender) => Names.Keys.ToList().IndexOf(contender) is >= 0 and var known ? known : Names.Count;

    private static string Display(string contender) => Names.GetValueOrDefault(contender, contender);

    private static string Describe(Dictionary<string, string> row) => string.Create(
        CultureInfo.InvariantCulture,
        $"{row["group"]}: {long.Parse(row["files"], CultureInfo.InvariantCulture):N0} files, "
        + $"{Units.Megabytes(double.Parse(row["content_bytes"], CultureInfo.InvariantCulture))} MB");

    private static string Cell(IEnumerable<double> seconds) => seconds.ToArray() is { Length: > 0 } some ? Units.Seconds(Spread.Of(some)) : "-";

    private static double Wall(Dictionary<string, string> row) => double.Parse(row["wall_s"], CultureInfo.InvariantCulture);

    private static IEnumerable<Dictionary<string, string>> Rows(IEnumerable<string> lines)
    {
        string[][] all = [.. lines.Where(line => line.Length > 0).Select(line => line.Split(','))];
        return all.Skip(1).Select(fields => all[0].Zip(fields).ToDictionary(pair => pair.First, pair => pair.Second.Trim('"')));
    }
}
