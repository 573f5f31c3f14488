namespace Restore.Planning.Scanning;

/// <summary>What to do with an entry, after the scan of its path.</summary>
internal sealed record ScanResult(EntryId Entry, EntryAction Action)
{
    /// <summary>Another path than its own, because something else is there; else null.</summary>
    public string? Renamed { get; init; }

    public bool IsMetadataRight { get; init; }

    /// <summary>
    /// A file at the target that may have some of the right blocks; it is compared block by block
    /// once these are known.
    /// </summary>
    public string? Candidate { get; init; }

    /// <summary>
    /// The partial file that an interrupted run left of it; it is compared like a candidate.
    /// </summary>
    public string? Partial { get; init; }

    /// <summary>
    /// The stamp of the file that is right: <see cref="TargetStatus.Stamp"/>; with action Keep.
    /// </summary>
    public long Stamp { get; init; }

    /// <summary>Blocks found right, in a comparison block by block.</summary>
    public BitSet? RightBlocks { get; init; }

    /// <summary>
    /// The path by which the target has what is there, if it spells the name in another way; else
    /// null.
    /// </summary>
    public string? OtherPath { get; init; }

    /// <summary>Why the entry cannot be restored; with action None.</summary>
    public string? Refusal { get; init; }

    public IssueCode RefusalCode { get; init; }
}
