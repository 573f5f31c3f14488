namespace Restore.Browse.Restoring;

/// <summary>
/// The target is null for a drill. The plans are those of each version; their issues are there
/// until the start. The progress is that of the part that runs.
/// </summary>
internal sealed record JobAnswer(
    int Id,
    JobState State,
    string? Target,
    string? Error,
    IReadOnlyList<PartAnswer> Plan,
    IssueSummary? PlanIssues,
    bool LeavesOutLinks,
    bool CreatesLinks,
    bool CanPause,
    ProgressAnswer? Progress,
    ReportAnswer? Report
);
