using Restore.Benchmarks.Measuring;

namespace Restore.Benchmarks.Suite;

/// <summary>The data of a report.</summary>
internal sealed record SuiteResult(Machine Machine, SuiteOptions Options, DateTimeOffset Started, long PrimeBytes, IReadOnlyList<Measurement> Measurements)
{
    /// <summary>A row for each scenario, in the order of the first mention of its group and case.</summary>
    public IReadOnlyList<Summary> Summaries { get; } = Summary.Of(Measurements, Options);
}
