namespace Restore;

/// <summary>How long a phase took.</summary>
/// <param name="Phase">The phase.</param>
/// <param name="Elapsed">From its start to the start of the next phase.</param>
public sealed record PhaseDuration(RestorePhase Phase, TimeSpan Elapsed);
