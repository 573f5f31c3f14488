namespace Restore.Benchmarks.Suite;

/// <summary>One thing that is measured: its runs are what a row of the results sums up.</summary>
/// <param name="Group">A data set, or a sweep: what is shown in one plot.</param>
/// <param name="Case">The case, or the value of the sweep.</param>
/// <param name="Contender">Who restores.</param>
/// <param name="Set">What is restored.</param>
/// <param name="Prepare">What is at the target before.</param>
/// <param name="Arguments">More arguments.</param>
internal sealed record Scenario(string Group, string Case, Contender Contender, PreparedSet Set, RestoreCase Prepare, IReadOnlyList<string> Arguments);
