using Restore.Benchmarks.Measuring;

namespace Restore.Benchmarks.Suite;

/// <summary>The middle of several runs, and their range.</summary>
internal readonly record struct Spread(double Median, double Min, double Max)
{
    public static Spread Of(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        int middle = sorted.Length / 2;
        double median = sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[^1]);
    }
}

/// <summary>What the runs of one scenario came to.</summary>
internal sealed record Summary(
    Scenario Scenario,
    int Runs,
    Spread Wall,
    Spread User,
    Spread System,
    Spread Sync,
    Spread PeakBytes,
    Spread BytesRead,
    Spread BytesWritten
)
{
    /// <summary>Processor time of both kinds.</summary>
    public Spread Processor { get; private init; }

    public static IReadOnlyList<Summary> Of(IReadOnlyList<Measurement> measurements, SuiteOptions options)
    {
        List<string> contenders = [.. options.Contenders.Select(contender => contender.Name)];
        List<string> groups = [.. options.Sets.Select(set => set.Name), .. options.Sweeps];
        List<string> cases = [.. options.Cases.Select(one => one.Name)];
        return
        [
            .. measurements
                .GroupBy(one => one.Scenario)
                .OrderBy(group => groups.IndexOf(group.Key.Group))
                .ThenBy(group => PlaceOf(group.Key, cases, options))
                .ThenBy(group => contenders.IndexOf(group.Key.Contender.Name))
                .Select(group => Of(group.Key, [.. group])),
        ];
    }

    private static int PlaceOf(Scenario scenario, List<string> cases, SuiteOptions options) =>
        options.Sweeps.Contains(scenario.Group)
            ? Sweep
                .Points(scenario.Group, scenario.Set.Set)
                .Select(point => point.Value)
                .ToList()
                .IndexOf(scenario.Case)
            : cases.IndexOf(scenario.Case);

    private static Summary Of(Scenario scenario, Usage[] usages, IEnumerable<double> syncs) =>
        new(
            scenario,
            usages.Length,
            Spread.Of(usages.Select(usage => usage.Wall.TotalSeconds)),
            Spread.Of(usages.Select(usage => usage.User.TotalSeconds)),
            Spread.Of(usages.Select(usage => usage.System.TotalSeconds)),
            Spread.Of(syncs),
            Spread.Of(usages.Select(usage => (double)usage.PeakBytes)),
            Spread.Of(usages.Select(usage => (double)usage.BytesRead)),
            Spread.Of(usages.Select(usage => (double)usage.BytesWritten))
        )
        {
            Processor = Spread.Of(usages.Select(usage => (usage.User + usage.System).TotalSeconds)),
        };

    private static Summary Of(Scenario scenario, Measurement[] runs) =>
        Of(scenario, [.. runs.Select(run => run.Usage)], runs.Select(run => run.Sync.TotalSeconds));
}
