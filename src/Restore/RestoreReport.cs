namespace Restore;

/// <summary>A half-open range of bytes [From, To).</summary>
/// <param name="From">First byte.</param>
/// <param name="To">First byte after.</param>
public readonly record struct ByteRange(long From, long To);

/// <summary>The result of a restore.</summary>
public sealed record RestoreReport
{
    /// <summary>The version that was restored.</summary>
    public required BackupVersion Version { get; init; }

    /// <summary>The target folder, or null for the original places.</summary>
    public required string? Target { get; init; }

    /// <summary>Whether this was a drill that wrote nothing.</summary>
    public bool VerifyOnly { get; init; }

    /// <summary>
    /// What the drill covers, if it was planned for several versions or for a sample; otherwise
    /// null.
    /// </summary>
    public DrillCoverage? Drill { get; init; }

    /// <summary>As <see cref="RestorePlan.Sources"/>.</summary>
    public IReadOnlyList<VersionSource>? Sources { get; init; }

    /// <summary>
    /// Files with their verified content at the target, including files that were right already.
    /// </summary>
    public long FilesRestored { get; init; }

    /// <summary>Of those, files that were right already.</summary>
    public long FilesUnchanged { get; init; }

    /// <summary>Folders that are at the target.</summary>
    public long FoldersRestored { get; init; }

    /// <summary>Links that are at the target.</summary>
    public long SymlinksRestored { get; init; }

    /// <summary>Length of the contents of the files restored.</summary>
    public long BytesRestored { get; init; }

    /// <summary>
    /// Of those, bytes that were at the target already or came from other local files.
    /// </summary>
    public long BytesReused { get; init; }

    /// <summary>Bytes written to files.</summary>
    public long BytesWritten { get; init; }

    /// <summary>
    /// Bytes read from the store during the restore, including file lists and index volumes.
    /// </summary>
    public long BytesFetched { get; init; }

    /// <summary>Block volumes fetched.</summary>
    public int VolumesFetched { get; init; }

    /// <summary>
    /// Of those, volumes that were read only in part: their blocks were verified one by one, but
    /// not the volumes as a whole.
    /// </summary>
    public int VolumesReadInPart { get; init; }

    /// <summary>Duration of planning and restoring.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>All issues, worst first.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    /// <summary>
    /// The volumes that would bring back what is lost, most lost bytes first; at most 100,000.
    /// </summary>
    public IReadOnlyList<LostVolume> LostVolumes { get; init; } = [];

    /// <summary>
    /// Lost files that another version has whole; searched only with
    /// <see cref="RestoreOptions.SalvageVersions"/>.
    /// </summary>
    public IReadOnlyList<WholeFile> WholeElsewhere { get; init; } = [];

    /// <summary>The profile: one row for each process.</summary>
    public IReadOnlyList<ProcessProfile> Profile { get; init; } = [];

    /// <summary>How long each phase took.</summary>
    public IReadOnlyList<PhaseDuration> Phases { get; init; } = [];

    /// <summary>
    /// Choices of the engine, for the profile: copies of processes, inflate library, memory limits.
    /// </summary>
    public IReadOnlyList<string> Choices { get; init; } = [];

    /// <summary>Whether every selected entry is restored and verified.</summary>
    public bool IsComplete => Issues.All(issue => issue.Kind == IssueKind.Warning);

    /// <summary>One line for a log or a debugger.</summary>
    public override string ToString() =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{(IsComplete ? "complete" : "incomplete")}: {FilesRestored} files, {BytesRestored} bytes, {BytesFetched} bytes fetched, {Issues.Count} issues"
        );
}
