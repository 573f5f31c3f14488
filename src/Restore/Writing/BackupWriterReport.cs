namespace Restore.Writing;

/// <summary>The result of writing a version.</summary>
public sealed record BackupWriterReport
{
    /// <summary>The time of the version, which identifies it.</summary>
    public required DateTimeOffset Time { get; init; }

    /// <summary>
    /// Name of the file list; null if no version was written: nothing has changed, no file was
    /// taken, or it was a dry run.
    /// </summary>
    public required string? FileListName { get; init; }

    /// <summary>Prefix of the backup.</summary>
    public required string Prefix { get; init; }

    /// <summary>
    /// Whether the version would have been equal to the newest one, so that none was written.
    /// </summary>
    public bool NothingChanged { get; init; }

    /// <summary>
    /// Whether the backup was stopped (<see cref="BackupWriterOptions.StopToken"/>), so that the
    /// version has only what was read until then.
    /// </summary>
    public bool IsPartial { get; init; }

    /// <summary>
    /// Whether no file was taken: the sources are empty or not mounted, or the filter leaves
    /// everything out. No version is written then if it would be the first one. A later version is
    /// marked as partial, so that retention does not count it.
    /// </summary>
    public bool HasNoFile { get; init; }

    /// <summary>Files in the version.</summary>
    public long Files { get; init; }

    /// <summary>
    /// Of those, files that were not read, because they have the same size and time as in the
    /// newest version.
    /// </summary>
    public long UnchangedFiles { get; init; }

    /// <summary>Bytes of files that were read.</summary>
    public long BytesRead { get; init; }

    /// <summary>
    /// Entries that the filter and the other rules left out. What is in a folder that was left out
    /// does not count.
    /// </summary>
    public long LeftOut { get; init; }

    /// <summary>Folders in the version.</summary>
    public long Folders { get; init; }

    /// <summary>Links in the version.</summary>
    public long Symlinks { get; init; }

    /// <summary>
    /// The entries that were looked at and have mode bits that are not stored; null if there are
    /// none.
    /// </summary>
    public UnstoredModeBits? UnstoredModeBits { get; init; }

    /// <summary>Length of the contents of the files.</summary>
    public long Bytes { get; init; }

    /// <summary>
    /// Blocks of the version (of contents, metadata and blocklists), with repetitions.
    /// </summary>
    public long Blocks { get; init; }

    /// <summary>Of those, blocks that the backup did not have before.</summary>
    public long NewBlocks { get; init; }

    /// <summary>Length of the new blocks before compression.</summary>
    public long NewBlockBytes { get; init; }

    /// <summary>Block volumes written.</summary>
    public int BlockVolumes { get; init; }

    /// <summary>Length of everything written.</summary>
    public long BytesWritten { get; init; }

    /// <summary>
    /// Length of all volumes of the backup in the destination, with those that were written; in a
    /// dry run, that would have been.
    /// </summary>
    public long StoredBytes { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>
    /// Entries that are not in the version, and existing volumes that could not be used, each with
    /// the reason.
    /// </summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    /// <summary>The profile: one row for each process.</summary>
    public IReadOnlyList<ProcessProfile> Profile { get; init; } = [];

    /// <summary>The speed of each stage, if it was measured.</summary>
    public IReadOnlyList<StageSpeed> Stages { get; init; } = [];

    /// <summary>
    /// The stage that was busy for most of the time; null if nothing was measured or written.
    /// </summary>
    public StageSpeed? Limit => Stages.Where(stage => stage.Bytes > 0).MaxBy(stage => stage.Busy);
}
