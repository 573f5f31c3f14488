using Restore.Benchmarks.Measuring;

namespace Restore.Benchmarks.Suite;

/// <summary>One run of a scenario.</summary>
/// <param name="Scenario">What was run.</param>
/// <param name="Round">Which round, from 1; warm-ups are not measurements.</param>
/// <param name="Usage">What it took.</param>
/// <param name="Sync">How long writing out what it left in the page cache took, afterwards.</param>
internal sealed record Measurement(Scenario Scenario, int Round, Usage Usage, TimeSpan Sync);
