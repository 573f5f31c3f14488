namespace Restore.Planning;

/// <summary>What making a plan cost, for the report of its execution.</summary>
internal sealed record PlanningEffort(
    TimeSpan Elapsed,
    long BytesFetched,
    IReadOnlyList<PhaseDuration> Phases,
    IReadOnlyList<ProcessProfile> Profile
)
{
    public RestoreReport AddTo(RestoreReport report) =>
        report with
        {
            BytesFetched = BytesFetched + report.BytesFetched,
            Elapsed = Elapsed + report.Elapsed,
            Profile = ProcessProfile.Merge(Profile.Concat(report.Profile)),
            Phases = [.. Phases, .. report.Phases],
        };
}
