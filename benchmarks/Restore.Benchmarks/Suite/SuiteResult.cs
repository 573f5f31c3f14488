using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Roofline;

namespace Restore.Benchmarks.Suite;

/// <summary>The data of a report.</summary>
internal sealed record SuiteResult(
    Machine Machine,
    SuiteOptions Options,
    DateTimeOffset Started,
    long PrimeBytes,
    IReadOnlyList<Measurement> Measurements
)
{
    /// <summary>
    /// A row for each scenario, in the order of the first mention of its group and case.
    /// </summary>
    public IReadOnlyList<Summary> Summaries { get; } = Summary.Of(Measurements, Options);

    /// <summary>The roofline of each data set, once in each round.</summary>
    public required ILookup<string, RooflineRun> Rooflines { get; init; }

    /// <summary>
    /// The wall time of a full restore as a multiple of the roofline of its data set; null for
    /// other rows.
    /// </summary>
    public double? TimesRoofline(Summary row) =>
        row.Scenario.Prepare == RestoreCase.Full && Rooflines[row.Scenario.Group].ToArray() is { Length: > 0 } runs
            ? row.Wall.Median / Spread.Of(runs.Select(run => run.Wall.TotalSeconds)).Median
            : null;
}
