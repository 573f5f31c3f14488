namespace Restore;

/// <summary>How to execute a plan: listeners, and the token for a graceful stop.</summary>
public sealed record ExecuteOptions
{
    /// <summary>Receives the progress; null for none.</summary>
    public IProgress<RestoreProgress>? Progress { get; init; }

    /// <summary>
    /// Receives each entry when a pass has finished it, in no particular order and from several threads at once; null for none. An entry whose blocks are
    /// searched elsewhere is reported again by the next pass. Links are reported when they are created.
    /// </summary>
    public IProgress<EntryResult>? Entries { get; init; }

    /// <summary>
    /// Stops gracefully: no more volumes start, files with all of their blocks are finished, unfinished new files are removed, and the call ends with an
    /// <see cref="OperationCanceledException"/>. A second execution does the rest. The cancellation token of the call stops at once instead.
    /// </summary>
    public CancellationToken StopToken { get; init; }
}

/// <summary>The result of an entry.</summary>
public enum EntryResultKind
{
    /// <summary>The content is in place and verified.</summary>
    Restored,

    /// <summary>Blocks are missing or damaged; they are searched elsewhere, if they may have another copy.</summary>
    Incomplete,

    /// <summary>All blocks are in place, but the file does not have the recorded hash.</summary>
    Unverified,

    /// <summary>It could not be written.</summary>
    Failed,
}

/// <summary>An entry that a pass has finished.</summary>
/// <param name="Path">Its original path.</param>
/// <param name="TargetPath">Its path at the target.</param>
/// <param name="Kind">The result.</param>
/// <param name="BytesWritten">Bytes of its content that the pass wrote.</param>
/// <param name="Reason">Why it failed; null if it did not.</param>
public sealed record EntryResult(string Path, string TargetPath, EntryResultKind Kind, long BytesWritten, string? Reason);
