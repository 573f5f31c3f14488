using Restore.Catalog.Locating;

namespace Restore.Maintenance.Compact;

/// <summary>What a compact needs to know beyond its plan.</summary>
internal sealed class CompactWork(
    ReferencedBlocks references,
    UsageTable usage,
    IReadOnlyList<Volume> volumes,
    BitSet leaving,
    IReadOnlyCollection<VolumeId> staying, // whatever can be moved: not all of their blocks are known
    IReadOnlyList<(VolumeId Index, VolumeId Blocks)> indexes,
    IReadOnlyList<Volume> orphans
)
{
    /// <summary>
    /// Splits the work: volumes without a copy that counts, which can be deleted before anything is
    /// written, and volumes with blocks to move.
    /// </summary>
    public (CompactWork Dead, CompactWork Moved) Split()
    {
        BitSet dead = BitSet.Of(leaving.Length, leaving.ToWords());
        BitSet rest = new(leaving.Length);
        foreach (BlockId block in BlockId.UpTo(references.Count))
        {
            if (IsMoved(block))
            {
                dead[usage.HolderOf(block)] = false;
                rest[usage.HolderOf(block)] = true;
            }
        }

        return (Of(dead), Of(rest));

        CompactWork Of(BitSet some) => new(references, usage, volumes, some, staying, indexes, orphans);
    }

    public ReferencedBlocks References => references;

    public IReadOnlyList<Volume> Volumes => volumes;

    public IReadOnlyList<Volume> Orphans => orphans;

    public bool IsLeaving(Volume volume) => leaving[volume.Id];

    /// <summary>
    /// Whether a needed block is moved: the copy that counts is in a volume that goes.
    /// </summary>
    public bool IsMoved(BlockId block) =>
        references.IsReferenced(block) && usage.HolderOf(block) is { IsNone: false } holder && leaving[holder];

    /// <summary>
    /// The blocks to read: blocks to move, and blocks with two copies, if the copy in a volume that
    /// stays must be verified before the other copy is deleted.
    /// </summary>
    public FetchList ToFetch(long maxBlockBytes, out BlockId[] numbers)
    {
        BlockTable table = new(references.Layout.BlockHash);
        List<BlockId> wanted = [];
        List<VolumeId> holders = [];
        foreach (BlockId block in Wanted().Where(block => references.SizeOf(block) <= maxBlockBytes))
        {
            table.GetOrAdd(references.HashOf(block), references.SizeOf(block));
            wanted.Add(block);
            holders.Add(usage.HolderOf(block));
        }

        table.Freeze();
        numbers = [.. wanted];
        return FetchList
            .Create(
                table,
                new Locations([.. holders], [], [], []),
                volumes,
                [.. BlockId.UpTo(numbers.Length).AsEnumerable()]
            )
            .KeepingPacked();
    }

    /// <summary>
    /// The volumes to delete, except volumes that have a copy of a block that could not be read: it
    /// may be the last copy.
    /// </summary>
    public BitSet LeavingWithout(HashSet<BlockId> missing)
    {
        BitSet left = BitSet.Of(leaving.Length, leaving.ToWords());
        foreach (VolumeId volume in staying)
        {
            left[volume] = false;
        }

        foreach (BlockId block in missing)
        {
            left[references.VolumeOf(block)] = false;
        }

        // The other copies too: the copy that counts could not be read, so one of these may be the
        // good one.
        foreach ((_, VolumeId volume) in references.Duplicates().Where(copy => missing.Contains(copy.Block)))
        {
            left[volume] = false;
        }

        return left;
    }

    /// <summary>
    /// The blocks that must be read, in order of their numbers: the oldest versions first.
    /// </summary>
    public IEnumerable<BlockId> Wanted()
    {
        HashSet<BlockId> checkedBlocks =
        [
            .. references.Duplicates().Where(copy => leaving[copy.Volume]).Select(copy => copy.Block),
        ];
        foreach (BlockId block in BlockId.UpTo(references.Count).AsEnumerable())
        {
            bool hasCopyThatGoes =
                references.VolumeOf(block) is { IsNone: false } first
                && (leaving[first] || checkedBlocks.Contains(block));
            if (hasCopyThatGoes && references.IsReferenced(block))
            {
                yield return block;
            }
        }
    }

    /// <summary>
    /// The index volumes to delete, by the last block volume that each describes. They describe no
    /// block volume that stays.
    /// </summary>
    public ILookup<VolumeId, Volume> IndexesOf(BitSet going)
    {
        HashSet<VolumeId> staying = [.. indexes.Where(link => !going[link.Blocks]).Select(link => link.Index)];
        return indexes
            .Where(link => !staying.Contains(link.Index))
            .GroupBy(
                link => link.Index,
                (index, links) => (Index: index, Last: new VolumeId(links.Max(link => link.Blocks.Value)))
            )
            .ToLookup(pair => pair.Last, pair => volumes[pair.Index]);
    }
}
