using Restore.Catalog;
using Restore.Volumes;

namespace Restore.Planning;

/// <summary>An entry that a pass did not finish.</summary>
/// <param name="Entry">The entry.</param>
/// <param name="IsStarted">Whether its file is at the target.</param>
/// <param name="MetadataIsDone">Whether its metadata arrived, so that the next pass need not bring it.</param>
internal readonly record struct UnfinishedEntry(EntryId Entry, bool IsStarted, bool MetadataIsDone)
{
    /// <summary>Blocks that arrived, and are wrong in the file of this entry alone: another file may have them right.</summary>
    public IReadOnlyList<BlockId> WrongBlocks { get; init; } = [];
}

/// <summary>What a pass did not bring.</summary>
/// <param name="Missing">Blocks that were not where the plan said, or had other bytes: every entry lacks them.</param>
/// <param name="Entries">The entries that lack some of them.</param>
/// <param name="UnreadableVolumes">Volumes of which nothing could be read: their blocks may be right, and are tried again if it becomes readable.</param>
internal sealed record PassLosses(
    IReadOnlySet<BlockId> Missing, IReadOnlyList<UnfinishedEntry> Entries, IReadOnlySet<VolumeId> UnreadableVolumes)
{
    public static PassLosses None { get; } = new(new HashSet<BlockId>(), [], new HashSet<VolumeId>());

    /// <summary>All blocks that some entry lacks.</summary>
    public IReadOnlySet<BlockId> Blocks { get; } = new HashSet<BlockId>(Missing.Concat(Entries.SelectMany(entry => entry.WrongBlocks)));

    /// <summary>Tells which blocks an entry lacks.</summary>
    public Predicate<BlockId> LostTo(UnfinishedEntry entry)
    {
        if (entry.WrongBlocks.Count == 0)
        {
            return Missing.Contains;
        }

        HashSet<BlockId> wrong = [.. entry.WrongBlocks];
        return block => wrong.Contains(block) || Missing.Contains(block);
    }
}
