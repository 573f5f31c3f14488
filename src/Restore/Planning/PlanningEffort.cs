namespace Restore.Planning;

/// <summary>The cost of planning, for the report.</summary>
/// <param name="Elapsed">How long it took.</param>
/// <param name="BytesFetched">Bytes it read from the store.</param>
/// <param name="Phases">Its phases.</param>
/// <param name="Profile">The counts of its processes.</param>
internal sealed record PlanningEffort(
    TimeSpan Elapsed, long BytesFetched, IReadOnlyList<PhaseDuration> Phases, IReadOnlyList<ProcessProfile> Profile)
{
    /// <summary>For a plan that was loaded or split off.</summary>
    public static PlanningEffort None { get; } = new(TimeSpan.Zero, 0, [], []);
}
