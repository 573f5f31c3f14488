namespace Restore;

/// <summary>How a plan is executed: who is told, and how it is stopped gently.</summary>
public sealed record ExecuteOptions
{
    /// <summary>Receives the progress; null for none.</summary>
    public IProgress<RestoreProgress>? Progress { get; init; }

    /// <summary>
    /// Receives each entry when a pass has finished it, in no particular order and from several threads at once; null for none. An entry whose blocks are
    /// looked for elsewhere is reported once more by the next pass. Links are reported when the links are created.
    /// </summary>
    public IProgress<EntryResult>? Entries { get; init; }

    /// <summary>
    /// Stops gently: no more volumes start, files whose blocks are all there are finished, unfinished new ones are removed, and the call ends with an
    /// <see cref="OperationCanceledException"/>. A second run does the rest. The cancellation token of the call stops at once instead.
    /// </summary>
    public CancellationToken StopToken { get; init; }
}

/// <summary>What became of an entry.</summary>
public enum EntryResultKind
{
    /// <summary>The content is in place and verified.</summary>
    Restored,

    /// <summary>Blocks are missing or damaged; they are looked for elsewhere, if they can be anywhere else.</summary>
    Incomplete,

    /// <summary>All blocks are in place, but the whole does not have the recorded hash.</summary>
    Unverified,

    /// <summary>It could not be written.</summary>
    Failed,
}

/// <summary>An entry that a pass has finished.</summary>
/// <param name="Path">Its original path.</param>
/// <param name="TargetPath">Its path at the target.</param>
/// <param name="Kind">What became of it.</param>
/// <param name="BytesWritten">Bytes of its content that the pass wrote.</param>
/// <param name="Reason">Why it failed; null if it did not.</param>
public sealed record EntryResult(string Path, string TargetPath, EntryResultKind Kind, long BytesWritten, string? Reason);
