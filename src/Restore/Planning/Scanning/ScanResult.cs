using Restore.Catalog;
using Restore.Memory;

namespace Restore.Planning.Scanning;

/// <summary>What is to be done with an entry, after a look at its place.</summary>
/// <param name="Entry">Which.</param>
/// <param name="Action">What is to be done.</param>
internal sealed record ScanResult(EntryId Entry, EntryAction Action)
{
    /// <summary>Another path than its own, because its own is taken by something else; else null.</summary>
    public string? Renamed { get; init; }

    /// <summary>Whether the metadata is taken to be right too.</summary>
    public bool IsMetadataRight { get; init; }

    /// <summary>A file at the target that may have some of the right blocks: it is compared block by block once these are known.</summary>
    public string? Candidate { get; init; }

    /// <summary>Blocks found right, in a comparison block by block.</summary>
    public BitSet? RightBlocks { get; init; }

    /// <summary>Why it cannot be restored, as a sentence; with action None.</summary>
    public string? Refusal { get; init; }

    /// <summary>Which refusal it is, where there is advice for it.</summary>
    public IssueCode RefusalCode { get; init; }
}
