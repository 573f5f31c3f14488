namespace Restore.Web.Restoring;

/// <summary>What a restore takes from one version, and where it puts it.</summary>
internal sealed record RestorePart(BackupVersion Version, RestoreOptions Options)
{
    private const int MaxIssues = 50;

    /// <summary>
    /// Divides a request by versions. Entries of several versions may have the same path, so each version gets a folder of its own then.
    /// </summary>
    /// <param name="entries">The entries.</param>
    /// <param name="request">How to restore them.</param>
    /// <param name="folder">The folder that the page may restore to.</param>
    /// <param name="names">The names of the versions, by place.</param>
    /// <param name="versions">All versions.</param>
    public static IReadOnlyList<RestorePart> Divide(
        IReadOnlyList<ServedEntry> entries, RestoreRequest request, string folder, IReadOnlyList<string> names, IReadOnlyList<BackupVersion> versions)
    {
        IGrouping<BackupVersion, ServedEntry>[] groups = [.. entries.GroupBy(entry => entry.Version).OrderBy(group => group.Key.Index)];
        return
        [
            .. groups.Select(group => new RestorePart(group.Key, new RestoreOptions
            {
                Target = groups.Length == 1 ? folder : Path.Join(folder, names[versions.ToList().IndexOf(group.Key)]),
                Filter = EntryFilter.Parse(group.Select(entry => $"@{entry.Path}"), [], caseSensitive: true),
                Overwrite = request.Overwrite,
                RestorePermissions = request.Permissions,
                DontCompressRestorePaths = request.FullPaths,
            })),
        ];
    }

    /// <summary>Everything of all versions, read and verified.</summary>
    public static RestorePart Drill(Backup backup) => new(backup.Versions[0], new RestoreOptions { VerifyOnly = true });

    public Task<RestorePlan> PlanAsync(Backup backup, CancellationToken cancellationToken) => Options.VerifyOnly
        ? backup.PlanDrillAsync(backup.Versions, Options, null, null, cancellationToken)
        : backup.PlanAsync(Version, Options, null, cancellationToken);

    public PartAnswer Describe(RestorePlan plan, decimal? cost) => new(
        Version.Index,
        Version.Time,
        Options.Target,
        plan.Files,
        plan.Files - plan.FilesUnchanged - plan.FilesReplaced,
        plan.FilesReplaced,
        plan.FilesUnchanged,
        plan.Bytes,
        plan.BytesToWrite,
        plan.BytesToFetch,
        plan.Volumes.Count,
        cost,
        [.. plan.Issues.Take(MaxIssues).Select(issue => $"{issue.Path}: {issue.Reason}")]);
}

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

internal sealed record PartAnswer(
    int Version, DateTimeOffset Time, string? Target, long Files, long NewFiles, long ReplacedFiles, long KeptFiles, long Bytes, long BytesToWrite,
    long BytesToFetch, int Volumes, decimal? Cost, IReadOnlyList<string> Issues);

/// <summary>The progress of the part that runs.</summary>
internal sealed record ProgressAnswer(
    int Part, RestorePhase Phase, long FilesDone, long FilesTotal, long BytesDone, long BytesTotal, long BytesFetched, double Seconds);

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
