namespace Restore.Web.Restoring;

/// <summary>What to restore, as the page asks for it.</summary>
/// <param name="Picks">Entries of any versions.</param>
/// <param name="Overwrite">Whether files that differ are replaced.</param>
/// <param name="Permissions">Whether mode, owner and group are restored too.</param>
/// <param name="FullPaths">Whether the full original paths are kept below the folder.</param>
/// <param name="IsDrill">Whether everything of all versions is read and verified instead, and nothing is written.</param>
internal sealed record RestoreRequest(IReadOnlyList<Pick> Picks, bool Overwrite, bool Permissions, bool FullPaths, bool IsDrill = false);

/// <summary>A change of a restore.</summary>
/// <param name="Id">The restore that the page shows; null for whichever there is.</param>
internal sealed record ChangeRequest(int? Id);

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
/// <param name="Id">Its number in the session.</param>
/// <param name="State">How far it is.</param>
/// <param name="Target">The folder; null for a drill, which writes nothing.</param>
/// <param name="Error">Why it failed.</param>
/// <param name="Plan">The plan of each version.</param>
/// <param name="Progress">The progress of the part that runs.</param>
/// <param name="Report">The result.</param>
internal sealed record JobAnswer(
    int Id, JobState State, string? Target, string? Error, IReadOnlyList<PartAnswer> Plan, ProgressAnswer? Progress, ReportAnswer? Report);

/// <summary>The plan of one version.</summary>
internal sealed record PartAnswer(
    int Version, DateTimeOffset Time, string? Target, long Files, long NewFiles, long ReplacedFiles, long KeptFiles, long Bytes, long BytesToWrite,
    long BytesToFetch, int Volumes, decimal? Cost, IReadOnlyList<string> Issues);

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
/// <param name="Version">The version that was restored.</param>
internal sealed record IssueAnswer(
    IssueKind Kind, string Path, string Reason, IReadOnlyList<ByteRange> Lost, long LostRanges, int? WholeIn, int Version);
