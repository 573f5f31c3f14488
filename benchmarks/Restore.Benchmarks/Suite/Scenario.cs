namespace Restore.Benchmarks.Suite;

/// <summary>One thing to measure: its runs form a row of the results.</summary>
/// <param name="Group">A data set, or a sweep: one plot.</param>
/// <param name="Case">The case, or the value of the sweep.</param>
/// <param name="Contender">The program.</param>
/// <param name="Set">The data set.</param>
/// <param name="Prepare">Prepares the target.</param>
/// <param name="Arguments">Additional arguments.</param>
internal sealed record Scenario(
    string Group,
    string Case,
    Contender Contender,
    PreparedSet Set,
    RestoreCase Prepare,
    IReadOnlyList<string> Arguments
);
