namespace Restore.Planning;

/// <summary>An entry that a pass did not finish.</summary>
/// <param name="MetadataIsDone">Whether its metadata arrived, so that the next pass need not bring
/// it.</param>
internal readonly record struct UnfinishedEntry(EntryId Entry, bool IsStarted, bool MetadataIsDone)
{
    /// <summary>
    /// Blocks that arrived, and are wrong in the file of this entry alone: another file may have
    /// them right.
    /// </summary>
    public IReadOnlyList<BlockId> WrongBlocks { get; init; } = [];
}
