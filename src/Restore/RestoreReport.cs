namespace Restore;

/// <summary>How an entry (or something beside the entries) fell short.</summary>
public enum IssueKind
{
    /// <summary>Some of the content is lost; what survives is at the target.</summary>
    Damaged,

    /// <summary>Nothing of the entry could be restored because its data is gone.</summary>
    Missing,

    /// <summary>The entry was not restored because it must not or cannot be: unsafe path, duplicate, target of another kind, no space.</summary>
    Refused,

    /// <summary>The content is right; some of the metadata could not be restored.</summary>
    Metadata,

    /// <summary>Something worth knowing that cost no entry anything, for example a damaged volume whose blocks were found elsewhere.</summary>
    Warning,
}

/// <summary>A half-open range of bytes [From, To).</summary>
/// <param name="From">First byte.</param>
/// <param name="To">First byte after.</param>
public readonly record struct ByteRange(long From, long To);

/// <summary>One thing that did not go as it should.</summary>
/// <param name="Kind">How the entry fell short.</param>
/// <param name="Path">Original path of the entry; for a <see cref="IssueKind.Warning"/> about a volume, its name.</param>
/// <param name="Reason">What happened, as a sentence without a full stop.</param>
public sealed record RestoreIssue(IssueKind Kind, string Path, string Reason)
{
    /// <summary>Which issue it is, where there is advice for it; else <see cref="IssueCode.None"/>.</summary>
    public IssueCode Code { get; init; }

    /// <summary>Path at the target, where that is known.</summary>
    public string? TargetPath { get; init; }

    /// <summary>Which bytes of the content are lost, in order, merged.</summary>
    public IReadOnlyList<ByteRange> LostRanges { get; init; } = [];

    /// <summary>Volumes that should have had the lost data, where known.</summary>
    public IReadOnlyList<string> Volumes { get; init; } = [];

    /// <summary>Whether the entry's metadata (times, mode, owner, a link's target) is lost as well.</summary>
    public bool MetadataLost { get; init; }

    /// <summary>Whether all bytes are there but the whole does not have the recorded file hash.</summary>
    public bool Unverified { get; init; }
}

/// <summary>What came of a restore.</summary>
public sealed record RestoreReport
{
    /// <summary>The version that was restored.</summary>
    public required BackupVersion Version { get; init; }

    /// <summary>Where to, or null for the original places.</summary>
    public required string? Target { get; init; }

    /// <summary>Whether this was a drill that wrote nothing.</summary>
    public bool VerifyOnly { get; init; }

    /// <summary>Files whose content is at the target and verified, those that were right already included.</summary>
    public long FilesRestored { get; init; }

    /// <summary>Of those, files that were right already.</summary>
    public long FilesUnchanged { get; init; }

    /// <summary>Folders that are at the target.</summary>
    public long FoldersRestored { get; init; }

    /// <summary>Links that are at the target.</summary>
    public long SymlinksRestored { get; init; }

    /// <summary>Length of the contents of the files restored.</summary>
    public long BytesRestored { get; init; }

    /// <summary>Of those, bytes that were at the target already or taken from other local files.</summary>
    public long BytesReused { get; init; }

    /// <summary>Bytes written to files.</summary>
    public long BytesWritten { get; init; }

    /// <summary>Bytes read from the store during the restore, file lists and index volumes included.</summary>
    public long BytesFetched { get; init; }

    /// <summary>Block volumes fetched.</summary>
    public int VolumesFetched { get; init; }

    /// <summary>Of those, volumes of which only parts were read: their blocks were verified one by one, the volumes as wholes were not.</summary>
    public int VolumesReadInPart { get; init; }

    /// <summary>Duration of planning and restoring.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>Everything that did not go as it should, worst first.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    /// <summary>The network's table: one row for each process.</summary>
    public IReadOnlyList<ProcessProfile> Profile { get; init; } = [];

    /// <summary>How long each phase took.</summary>
    public IReadOnlyList<PhaseDuration> Phases { get; init; } = [];

    /// <summary>Choices the engine made, for the profile: copies of processes, which inflate library, memory limits.</summary>
    public IReadOnlyList<string> Choices { get; init; } = [];

    /// <summary>Whether every selected entry is restored and verified.</summary>
    public bool IsComplete => Issues.All(issue => issue.Kind == IssueKind.Warning);
}

/// <summary>How long a phase of a run took.</summary>
/// <param name="Phase">The phase.</param>
/// <param name="Elapsed">From its begin to the begin of the next.</param>
public sealed record PhaseDuration(RestorePhase Phase, TimeSpan Elapsed);

/// <summary>What the ports of one kind of process counted.</summary>
/// <param name="Process">Name of the process, as in the picture.</param>
/// <param name="Copies">How many ran side by side.</param>
/// <param name="Messages">Messages read; of a process without an input, written.</param>
/// <param name="Bytes">Bytes carried by them.</param>
/// <param name="Reading">Time spent waiting to read, or for the turn to work on what was read, all copies together.</param>
/// <param name="Working">Time spent working.</param>
/// <param name="Writing">Time spent waiting to write, or for the memory to write into.</param>
public sealed record ProcessProfile(string Process, int Copies, long Messages, long Bytes, TimeSpan Reading, TimeSpan Working, TimeSpan Writing);
