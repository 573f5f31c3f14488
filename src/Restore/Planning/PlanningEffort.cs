namespace Restore.Planning;

/// <summary>What planning took, for the report.</summary>
/// <param name="Elapsed">How long it took.</param>
/// <param name="BytesFetched">Bytes it read from the store.</param>
/// <param name="Phases">Its phases.</param>
/// <param name="Profile">What its processes counted.</param>
internal sealed record PlanningEffort(
    TimeSpan Elapsed, long BytesFetched, IReadOnlyList<PhaseDuration> Phases, IReadOnlyList<ProcessProfile> Profile)
{
    /// <summary>Of a plan that was loaded or is a part of another.</summary>
    public static PlanningEffort None { get; } = new(TimeSpan.Zero, 0, [], []);
}
