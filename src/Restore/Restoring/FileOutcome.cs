namespace Restore.Restoring;

internal sealed record FileOutcome(EntryId Entry, OutcomeKind Kind)
{
    public IssueReason Reason { get; init; }

    /// <summary>Whether anything of it is at the target.</summary>
    public bool IsStarted { get; init; }

    /// <summary>
    /// Whether its metadata came and was applied (for folders and links: is in
    /// <see cref="Metadata"/>).
    /// </summary>
    public bool HasMetadata { get; init; }

    /// <summary>For folders, links and shares: the metadata, to be applied at the end.</summary>
    public EntryMetadata? Metadata { get; init; }

    /// <summary>Why metadata of a file is lost: the backup has unsound values.</summary>
    public IReadOnlyList<string> UnusableMetadata { get; init; } = [];

    /// <summary>Why metadata could not be applied: the target refuses it.</summary>
    public IReadOnlyList<string> MetadataProblems { get; init; } = [];

    /// <summary>
    /// Blocks that did not come or had a wrong hash; nothing of them is left in the file.
    /// </summary>
    public IReadOnlyList<BlockId> WrongBlocks { get; init; } = [];

    /// <summary>
    /// Whether each block is right, but the hash of the whole file is not compared yet
    /// (<see cref="OpenHashes"/>).
    /// </summary>
    public bool IsHashOpen { get; init; }

    /// <summary>
    /// Whether this is the outcome of a share: other parts of a split plan write the file too.
    /// </summary>
    public bool IsShare { get; init; }

    /// <summary>
    /// For a share: whether blocks of the content are lost, and not only the metadata.
    /// </summary>
    public bool LacksContent { get; init; }

    public long BytesWritten { get; init; }

    public long BytesCopied { get; init; }
}
