namespace Restore.Browse.Restoring;

/// <summary>
/// The target is null for a drill. There is a plan for each version; the issues of the plans are
/// there until the start. The progress belongs to the part that runs.
/// </summary>
internal sealed record JobAnswer(
    int Id,
    JobState State,
    string? Target,
    bool IsOriginal,
    string? Error,
    IReadOnlyList<PartAnswer> Plan,
    IssueSummary? PlanIssues,
    bool LeavesOutLinks,
    bool CreatesLinks,
    ProgressAnswer? Progress,
    ReportAnswer? Report
);
