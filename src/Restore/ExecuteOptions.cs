namespace Restore;

/// <summary>
/// How a plan is made or executed on this machine: listeners, speed and memory, what follows at the
/// end. Not part of the plan: each machine that executes it may have others.
/// </summary>
public sealed record ExecuteOptions
{
    /// <summary>Receives the progress; null for none.</summary>
    public IProgress<RestoreProgress>? Progress { get; init; }

    /// <summary>
    /// Receives each entry when a pass has finished it, in no particular order and from several
    /// threads at the same time; null if it is not needed. An entry that still lacks blocks, which
    /// the next pass takes from elsewhere, is reported again by that pass. Links are reported when
    /// they are created.
    /// </summary>
    public IProgress<EntryResult>? Entries { get; init; }

    /// <summary>
    /// Stops gracefully: volumes on their way are dropped, files with all of their blocks are
    /// finished, unfinished new files are removed, and the call ends with an
    /// <see cref="OperationCanceledException"/>. A second execution completes the restore. The
    /// cancellation token of the call, in contrast, stops immediately.
    /// </summary>
    public CancellationToken StopToken { get; init; }

    /// <summary>Pauses the execution and lets it go on; null if nothing will.</summary>
    public RestorePause? Pause { get; init; }

    /// <summary>
    /// The legacy flow: sequential, volume by volume through a temporary file. Not for a plan that
    /// is split.
    /// </summary>
    public bool Legacy { get; init; }

    /// <summary>
    /// Ends the restore without waiting until the device has everything that was written. After a
    /// power failure, or on a device with less room than it claims, files that the report lists as
    /// restored can then be lost.
    /// </summary>
    public bool SkipFlush { get; init; }

    /// <summary>
    /// Reads all restored files again at the end, past the page cache where the system can, and
    /// compares their hashes: a file that the device does not return as it was written is
    /// <see cref="IssueKind.Doubtful"/>. Not together with <see cref="SkipFlush"/>.
    /// </summary>
    public bool VerifyAfter { get; init; }

    /// <summary>Measures the processes, for <see cref="RestoreReport.Profile"/>.</summary>
    public bool Profile { get; init; }

    /// <summary>Settings that change only the speed and the memory.</summary>
    public RestoreTuning Tuning { get; init; } = new();
}

/// <summary>An entry that a pass has finished.</summary>
/// <param name="Path">Its original path.</param>
/// <param name="TargetPath">Its path at the target.</param>
/// <param name="Kind">The result.</param>
/// <param name="BytesWritten">Bytes of its content that the pass wrote.</param>
/// <param name="Reason">Why it failed; null if it did not.</param>
public sealed record EntryResult(
    string Path,
    string TargetPath,
    EntryResultKind Kind,
    long BytesWritten,
    string? Reason
);
