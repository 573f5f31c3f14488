using Restore.Benchmarks.Measuring;

namespace Restore.Benchmarks.Suite;

/// <summary>One run of a scenario.</summary>
/// <param name="Scenario">The scenario.</param>
/// <param name="Round">The round, from 1; warm-ups are not measurements.</param>
/// <param name="Usage">The cost of the process.</param>
/// <param name="Sync">Time to write its dirty pages to the disk afterwards.</param>
internal sealed record Measurement(Scenario Scenario, int Round, Usage Usage, TimeSpan Sync);
