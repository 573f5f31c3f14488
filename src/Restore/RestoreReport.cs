using System.Text.Json.Serialization;

namespace Restore;

/// <summary>The kinds of issues.</summary>
public enum IssueKind
{
    /// <summary>Some of the content is lost; what survives is at the target.</summary>
    Damaged,

    /// <summary>The entry is not restored, because its data is lost.</summary>
    Missing,

    /// <summary>The content was written and verified, but the device failed when it was flushed: it may not be readable later.</summary>
    Doubtful,

    /// <summary>The entry was refused: unsafe path, duplicate, a target of another kind, no space.</summary>
    Refused,

    /// <summary>
    /// A link out of the target was left out, as <see cref="RestoreOptions.AllowRestoreOutsideTargetDirectory"/> says: nothing is lost. Of a backup: a source
    /// is a link, and what it leads to is not stored.
    /// </summary>
    LeftOut,

    /// <summary>The content is right, but some of the metadata could not be restored.</summary>
    Metadata,

    /// <summary>A notice without a loss, for example about a damaged volume whose blocks were found elsewhere.</summary>
    Warning,
}

/// <summary>A half-open range of bytes [From, To).</summary>
/// <param name="From">First byte.</param>
/// <param name="To">First byte after.</param>
public readonly record struct ByteRange(long From, long To);

/// <summary>Consecutive versions, by <see cref="BackupVersion.Index"/>.</summary>
/// <param name="Newest">The lowest index.</param>
/// <param name="Oldest">The highest index.</param>
public readonly record struct VersionRange(int Newest, int Oldest)
{
    internal static VersionRange Of(BackupVersion version) => new(version.Index, version.Index);
}

/// <summary>A problem of an entry, or of a volume.</summary>
/// <param name="Kind">The kind of the issue.</param>
/// <param name="Path">Original path of the entry; for a <see cref="IssueKind.Warning"/> about a volume, its name.</param>
/// <param name="Reason">What happened, without a full stop.</param>
public sealed record RestoreIssue(IssueKind Kind, string Path, string Reason)
{
    /// <summary>The code, if there is advice for the issue; else <see cref="IssueCode.None"/>.</summary>
    public IssueCode Code { get; init; }

    /// <summary>Path at the target, if known.</summary>
    public string? TargetPath { get; init; }

    /// <summary>In a drill of several versions: those that have the entry with this loss. Else null.</summary>
    public VersionRange? Versions { get; init; }

    /// <summary>The lost byte ranges of the content, in order, merged.</summary>
    public IReadOnlyList<ByteRange> LostRanges { get; init; } = [];

    /// <summary>How many more byte ranges are lost: a report keeps 100,000 in all.</summary>
    public long LostRangesLeftOut { get; init; }

    /// <summary>The volumes that should have the lost data, if known.</summary>
    public IReadOnlyList<string> Volumes { get; init; } = [];

    /// <summary>How many more such volumes there are: a report keeps 100,000 names in all.</summary>
    public long VolumesLeftOut { get; init; }

    /// <summary>Whether the entry's metadata (times, mode, owner, a link's target) is lost as well.</summary>
    public bool MetadataLost { get; init; }

    /// <summary>Whether all bytes are there but the file does not have the recorded hash.</summary>
    public bool Unverified { get; init; }

    /// <summary>
    /// Whether something is lost or was refused. Metadata that is known but cannot be applied (an owner that only root can set) is not, nor is what was left
    /// out by choice.
    /// </summary>
    [JsonIgnore]
    public bool IsLoss => Kind switch
    {
        IssueKind.Metadata => MetadataLost,
        IssueKind.Warning => Unverified,
        IssueKind.LeftOut => false,
        _ => true,
    };
}

/// <summary>A volume that is missing, damaged or refused, and that lost data depend on: with a sound copy of it, they can be restored.</summary>
/// <param name="Name">Its name in the store.</param>
/// <param name="IsInStore">Whether the store has it, damaged or refused; else it is missing.</param>
/// <param name="Entries">Entries that lost content or metadata with it.</param>
/// <param name="Bytes">The lost bytes of their contents. Bytes of an entry that lost several volumes count for each of them.</param>
public sealed record LostVolume(string Name, bool IsInStore, long Entries, long Bytes)
{
    /// <summary>Whether the store refuses access to it: nothing says that it is damaged, and a user who may read it can restore what it has.</summary>
    public bool IsRefused { get; init; }

    /// <summary>
    /// Why the volume cannot be read though nothing says that it is damaged: <see cref="IssueCode.VolumeRefused"/>, <see cref="IssueCode.VolumeFrozen"/>,
    /// <see cref="IssueCode.VolumeTooLarge"/> or another; <see cref="IssueCode.None"/> for a volume that is damaged or missing.
    /// </summary>
    public IssueCode Code { get; init; }
}

/// <summary>A file that is lost in one version and whole in another one, perhaps with another content.</summary>
/// <param name="Path">Its original path.</param>
/// <param name="Version">The version nearest in time that has it whole.</param>
public sealed record WholeFile(string Path, BackupVersion Version);

/// <summary>The result of a restore.</summary>
public sealed record RestoreReport
{
    /// <summary>The version that was restored.</summary>
    public required BackupVersion Version { get; init; }

    /// <summary>The target folder, or null for the original places.</summary>
    public required string? Target { get; init; }

    /// <summary>Whether this was a drill that wrote nothing.</summary>
    public bool VerifyOnly { get; init; }

    /// <summary>What the drill covers, if it was planned as one of several versions or of a sample; else null.</summary>
    public DrillCoverage? Drill { get; init; }

    /// <summary>As <see cref="RestorePlan.Sources"/>.</summary>
    public IReadOnlyList<VersionSource>? Sources { get; init; }

    /// <summary>Files whose content is at the target and verified, including those that were right already.</summary>
    public long FilesRestored { get; init; }

    /// <summary>Of those, files that were right already.</summary>
    public long FilesUnchanged { get; init; }

    /// <summary>Folders that are at the target.</summary>
    public long FoldersRestored { get; init; }

    /// <summary>Links that are at the target.</summary>
    public long SymlinksRestored { get; init; }

    /// <summary>Length of the contents of the files restored.</summary>
    public long BytesRestored { get; init; }

    /// <summary>Of those, bytes that were at the target already or came from other local files.</summary>
    public long BytesReused { get; init; }

    /// <summary>Bytes written to files.</summary>
    public long BytesWritten { get; init; }

    /// <summary>Bytes read from the store during the restore, including file lists and index volumes.</summary>
    public long BytesFetched { get; init; }

    /// <summary>Block volumes fetched.</summary>
    public int VolumesFetched { get; init; }

    /// <summary>Of those, volumes of which only parts were read: their blocks were verified one by one, but not the volumes as a whole.</summary>
    public int VolumesReadInPart { get; init; }

    /// <summary>Duration of planning and restoring.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>All issues, worst first.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    /// <summary>The volumes that would bring back what is lost, most lost bytes first; at most 100,000.</summary>
    public IReadOnlyList<LostVolume> LostVolumes { get; init; } = [];

    /// <summary>Lost files that another version has whole; searched only with <see cref="RestoreOptions.SalvageVersions"/>.</summary>
    public IReadOnlyList<WholeFile> WholeElsewhere { get; init; } = [];

    /// <summary>The profile: one row for each process.</summary>
    public IReadOnlyList<ProcessProfile> Profile { get; init; } = [];

    /// <summary>How long each phase took.</summary>
    public IReadOnlyList<PhaseDuration> Phases { get; init; } = [];

    /// <summary>Choices of the engine, for the profile: copies of processes, inflate library, memory limits.</summary>
    public IReadOnlyList<string> Choices { get; init; } = [];

    /// <summary>Whether every selected entry is restored and verified.</summary>
    public bool IsComplete => Issues.All(issue => issue.Kind == IssueKind.Warning);
}

/// <summary>How long a phase took.</summary>
/// <param name="Phase">The phase.</param>
/// <param name="Elapsed">From its start to the start of the next phase.</param>
public sealed record PhaseDuration(RestorePhase Phase, TimeSpan Elapsed);

/// <summary>The counts of one kind of process.</summary>
/// <param name="Process">Name of the process, as in the picture.</param>
/// <param name="Copies">Number of concurrent copies.</param>
/// <param name="Messages">Messages read; for a process without an input, messages written.</param>
/// <param name="Bytes">Bytes carried by them.</param>
/// <param name="Reading">Time spent waiting to read, or for the turn to work on what was read, in all copies together.</param>
/// <param name="Working">Time spent working.</param>
/// <param name="Writing">Time spent waiting to write, or for the memory to write into.</param>
public sealed record ProcessProfile(string Process, int Copies, long Messages, long Bytes, TimeSpan Reading, TimeSpan Working, TimeSpan Writing)
{
    /// <summary>One row for each process.</summary>
    internal static IReadOnlyList<ProcessProfile> Merge(IEnumerable<ProcessProfile> profiles) =>
        [.. profiles.GroupBy(row => row.Process).Select(rows => new ProcessProfile(
            rows.Key,
            rows.Max(row => row.Copies),
            rows.Sum(row => row.Messages),
            rows.Sum(row => row.Bytes),
            new TimeSpan(rows.Sum(row => row.Reading.Ticks)),
            new TimeSpan(rows.Sum(row => row.Working.Ticks)),
            new TimeSpan(rows.Sum(row => row.Writing.Ticks))))];
}
