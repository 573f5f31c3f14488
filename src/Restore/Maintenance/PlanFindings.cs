namespace Restore.Maintenance;

/// <summary>
/// What the planning of a change found and its execution needs, for as long as the backup is open.
/// A saved plan does not have it.
/// </summary>
/// <param name="Volumes">The volumes of the opened backup that made the plan.</param>
/// <param name="Plan">The plan as it was made: a plan that was changed since is compared with it.
/// </param>
/// <param name="Found">What was found.</param>
internal sealed record PlanFindings<TPlan, TFound>(VolumeSet Volumes, TPlan Plan, TFound Found);
