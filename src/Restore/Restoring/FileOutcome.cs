using Restore.Catalog;
using Restore.Format;

namespace Restore.Restoring;

/// <summary>The result of an entry in a pass.</summary>
internal enum OutcomeKind : byte
{
    /// <summary>Its content is in place and verified (or it has none).</summary>
    Restored,

    /// <summary>Blocks are missing or wrong; the others are in place.</summary>
    Incomplete,

    /// <summary>All blocks are in place, but the file does not have the recorded hash.</summary>
    Unverified,

    /// <summary>It could not be written.</summary>
    Failed,
}

/// <summary>The outcome of one entry.</summary>
/// <param name="Entry">The entry.</param>
/// <param name="Kind">The result.</param>
internal sealed record FileOutcome(EntryId Entry, OutcomeKind Kind)
{
    /// <summary>Why it failed.</summary>
    public IssueReason Reason { get; init; }

    /// <summary>Whether anything of it is at the target.</summary>
    public bool IsStarted { get; init; }

    /// <summary>Whether its metadata came and was applied (for folders and links: is in <see cref="Metadata"/>).</summary>
    public bool HasMetadata { get; init; }

    /// <summary>For folders, links and shares: the metadata, to be applied at the end.</summary>
    public EntryMetadata? Metadata { get; init; }

    /// <summary>Why metadata of a file is lost: the backup has unsound values.</summary>
    public IReadOnlyList<string> UnusableMetadata { get; init; } = [];

    /// <summary>Why metadata could not be applied: the target refuses it.</summary>
    public IReadOnlyList<string> MetadataProblems { get; init; } = [];

    /// <summary>Blocks that did not come or had a wrong hash; nothing of them is left in the file.</summary>
    public IReadOnlyList<BlockId> WrongBlocks { get; init; } = [];

    /// <summary>Whether each block is right, but the hash of the whole file is not compared yet (<see cref="OpenHashes"/>).</summary>
    public bool IsHashOpen { get; init; }

    /// <summary>Whether it is that of a share: other parts of a split plan write the file too.</summary>
    public bool IsShare { get; init; }

    /// <summary>Of a share: whether blocks of the content are lost, and not only the metadata.</summary>
    public bool LacksContent { get; init; }

    public long BytesWritten { get; init; }

    /// <summary>Bytes copied from other local files.</summary>
    public long BytesCopied { get; init; }
}
