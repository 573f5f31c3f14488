namespace Restore.Web.Restoring;

/// <summary>What to restore, as the page asks for it.</summary>
/// <param name="Picks">Entries of any versions.</param>
/// <param name="Overwrite">Whether files that differ are replaced.</param>
/// <param name="Permissions">Whether mode, owner and group are restored too.</param>
/// <param name="FullPaths">Whether the full original paths are kept below the folder.</param>
internal sealed record RestoreRequest(IReadOnlyList<Pick> Picks, bool Overwrite, bool Permissions, bool FullPaths);

/// <summary>An entry of a version; a folder with all that is in it.</summary>
internal sealed record Pick(int Version, int Id);

/// <summary>How far a restore is.</summary>
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

/// <summary>A restore, for the page.</summary>
internal sealed record JobAnswer(JobState State, string Target, string? Error, IReadOnlyList<PartAnswer> Plan, ProgressAnswer? Progress, ReportAnswer? Report);

/// <summary>The plan of one version.</summary>
internal sealed record PartAnswer(
    int Version, DateTimeOffset Time, string Target, long Files, long NewFiles, long ReplacedFiles, long KeptFiles, long Bytes, long BytesToWrite,
    long BytesToFetch, int Volumes, IReadOnlyList<string> Issues);

/// <summary>The progress of the part that runs.</summary>
internal sealed record ProgressAnswer(
    int Part, RestorePhase Phase, long FilesDone, long FilesTotal, long BytesDone, long BytesTotal, long BytesFetched, double Seconds);

/// <summary>The result of all parts.</summary>
internal sealed record ReportAnswer(
    bool IsComplete, long Files, long Kept, long Bytes, long BytesWritten, long BytesFetched, double Seconds, long IssueCount,
    IReadOnlyList<IssueAnswer> Issues);

/// <summary>What is lost or was left out.</summary>
/// <param name="Kind">The kind of the issue.</param>
/// <param name="Path">The entry.</param>
/// <param name="Reason">What happened.</param>
/// <param name="Lost">The first lost ranges.</param>
/// <param name="LostRanges">How many ranges are lost.</param>
/// <param name="WholeIn">The version nearest in time that has the file whole.</param>
internal sealed record IssueAnswer(IssueKind Kind, string Path, string Reason, IReadOnlyList<ByteRange> Lost, long LostRanges, int? WholeIn);
