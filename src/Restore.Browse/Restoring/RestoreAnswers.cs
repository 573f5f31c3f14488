namespace Restore.Browse.Restoring;

/// <summary>The folder is below that of the start, with a slash between its names; null or empty for that of the start.</summary>
internal sealed record RestoreRequest(
    IReadOnlyList<Pick> Picks, bool Overwrite, bool Permissions, bool FullPaths, bool CreateLinks, string? Folder, bool IsDrill = false);

/// <summary>The id is that of the restore that the page shows; null for any.</summary>
internal sealed record ChangeRequest(int? Id);

/// <summary>An entry of a version; a folder with all that is in it.</summary>
internal sealed record Pick(int Version, int Id);

internal enum JobState
{
    Planned,
    Running,
    Pausing,
    Paused,
    Stopping,
    Stopped,
    Failed,
    Done,
}

/// <summary>The target is null for a drill. The plans are those of each version; their issues are there until the start. The progress is that of the part that
/// runs.</summary>
internal sealed record JobAnswer(
    int Id, JobState State, string? Target, string? Error, IReadOnlyList<PartAnswer> Plan, IssueSummary? PlanIssues, bool LeavesOutLinks, bool CreatesLinks,
    bool CanPause, ProgressAnswer? Progress, ReportAnswer? Report);

/// <summary>Which files are new, replaced or kept is null if the plan has not looked at the target.</summary>
internal sealed record PartAnswer(
    int Version, DateTimeOffset Time, string? Target, long Files, long? NewFiles, long? ReplacedFiles, long? KeptFiles, long Bytes, long BytesToWrite,
    long BytesToFetch, int Volumes, decimal? Cost);

internal sealed record ProgressAnswer(
    int Part, RestorePhase Phase, long FilesDone, long FilesTotal, long BytesDone, long BytesTotal, long BytesFetched, long BytesToFetch, double Fraction,
    int OpenRequests, StoreRetry? Retry, double Seconds);

internal sealed record ReportAnswer(
    long Files, long FilesUnchanged, long Bytes, long BytesWritten, long BytesFetched, double Seconds, IssueSummary Issues, bool CanSave);

/// <summary>A folder that can be restored to, the first names of the folders in it, how many there are, and the room on its device if that is known.</summary>
internal sealed record TargetAnswer(string Folder, IReadOnlyList<string> Folders, int Total, long? FreeBytes);
