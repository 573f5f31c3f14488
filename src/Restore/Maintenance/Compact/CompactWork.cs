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
    IReadOnlyList<Volume> orphans)
{
    /// <summary>The volumes that go without a copy that counts, which can be deleted before anything is written; and those whose blocks are moved.</summary>
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

    /// <summary>Whether a needed block is moved: the copy that counts is in a volume that goes.</summary>
    public bool IsMoved(BlockId block) => references.IsReferenced(block) && usage.HolderOf(block) is { IsNone: false } holder && leaving[holder];

    /// <summary>The blocks to read: those to move, and those whose copy in a volume that stays must be sound before another copy goes.</summary>
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
        return FetchList.Create(table, new Locations([.. holders], [], [], []), volumes, [.. BlockId.UpTo(numbers.Length).AsEnumerable()]).KeepingPacked();
    }

    /// <summary>The volumes that go, without those that have a copy of a block that did not come: it may be the last one.</summary>
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

        foreach ((_, VolumeId volume) in references.Duplicates().Where(copy => missing.Contains(copy.Block)))
        {
            left[volume] = false;
        }

        return left;
    }

    /// <summary>The blocks that would have to come, in order of their numbers: the oldest versions first.</summary>
    public IEnumerable<BlockId> Wanted()
    {
        HashSet<BlockId> checkedBlocks = [.. references.Duplicates().Where(copy => leaving[copy.Volume]).Select(copy => copy.Block)];
        foreach (BlockId block in BlockId.UpTo(references.Count).AsEnumerable())
        {
            bool hasCopyThatGoes = references.VolumeOf(block) is { IsNone: false } first && (leaving[first] || checkedBlocks.Contains(block));
            if (hasCopyThatGoes && references.IsReferenced(block))
            {
                yield return block;
            }
        }
    }

    /// <summary>The index volumes that go with block volumes, by the last one that they describe: those that describe nothing that stays.</summary>
    public ILookup<VolumeId, Volume> IndexesOf(BitSet going)
    {
        HashSet<VolumeId> staying = [.. indexes.Where(link => !going[link.Blocks]).Select(link => link.Index)];
        return indexes.Where(link => !staying.Contains(link.Index))
            .GroupBy(link => link.Index, (index, links) => (Index: index, Last: new VolumeId(links.Max(link => link.Blocks.Value))))
            .ToLookup(pair => pair.Last, pair => volumes[pair.Index]);
    }
}

/// <summary>
/// How much of each block volume a version needs. Of several copies of a block one counts, so that the others are waste: that in the volume with the smallest
/// share of blocks that no version needs, then in the longest one. So the copies that an interrupted compact made win over their originals.
/// </summary>
internal sealed class UsageTable
{
    private readonly BlockIndex blocks;
    private readonly long[] dataBytes;
    private readonly long[] liveBytes;
    private readonly int[] oldestBlock;

    // Only of blocks with several copies, and only if the first is not the one that counts.
    private readonly Dictionary<BlockId, VolumeId> chosen = [];

    /// <param name="blocks">The blocks, and where they are.</param>
    /// <param name="doubtOf">How little a volume can be relied on, from 0: a copy in a doubtful one counts only if there is no better one.</param>
    public UsageTable(BlockIndex blocks, int volumeCount, Func<VolumeId, int> doubtOf)
    {
        this.blocks = blocks;
        dataBytes = new long[volumeCount];
        liveBytes = new long[volumeCount];
        oldestBlock = new int[volumeCount];
        Array.Fill(oldestBlock, int.MaxValue);
        long[] neededBytes = new long[volumeCount];
        foreach (BlockId block in BlockId.UpTo(blocks.Count))
        {
            CountCopy(block, blocks.VolumeOf(block), neededBytes);
        }

        List<Replica> copies = [.. blocks.Duplicates()];
        copies.ForEach(copy => CountCopy(copy.Block, copy.Volume, neededBytes));
        int[] rank = Rank(neededBytes, doubtOf);
        foreach ((BlockId block, VolumeId volume) in copies)
        {
            if (rank[volume] < rank[HolderOf(block)])
            {
                chosen[block] = volume;
            }
        }

        foreach (BlockId block in BlockId.UpTo(blocks.Count))
        {
            if (blocks.IsReferenced(block) && HolderOf(block) is { IsNone: false } holder)
            {
                liveBytes[holder] += blocks.SizeOf(block);
                oldestBlock[holder] = Math.Min(oldestBlock[holder], block);
            }
        }
    }

    public VolumeId HolderOf(BlockId block) => chosen.TryGetValue(block, out VolumeId volume) ? volume : blocks.VolumeOf(block);

    public VolumeUse UseOf(Volume volume) => new(volume, dataBytes[volume.Id], dataBytes[volume.Id] - liveBytes[volume.Id]);

    /// <summary>The lowest number of a block that counts in a volume: blocks are numbered by the versions that need them, oldest first.</summary>
    public int OldestBlockOf(Volume volume) => oldestBlock[volume.Id];

    private void CountCopy(BlockId block, VolumeId volume, long[] neededBytes)
    {
        if (!volume.IsNone)
        {
            dataBytes[volume] += blocks.SizeOf(block);
            neededBytes[volume] += blocks.IsReferenced(block) ? blocks.SizeOf(block) : 0;
        }
    }

    private int[] Rank(long[] neededBytes, Func<VolumeId, int> doubtOf)
    {
        int[] order = [.. Enumerable.Range(0, dataBytes.Length)
            .OrderBy(volume => doubtOf(new VolumeId(volume)))
            .ThenBy(volume => dataBytes[volume] == 0 ? 0 : 1 - (neededBytes[volume] / (double)dataBytes[volume]))
            .ThenByDescending(volume => dataBytes[volume])];
        int[] rank = new int[order.Length];
        for (int i = 0; i < order.Length; i++)
        {
            rank[order[i]] = i;
        }

        return rank;
    }
}

/// <summary>Which block volumes a compact deletes, and which it rewrites.</summary>
internal sealed record CompactDecision(IReadOnlyList<VolumeUse> Dead, IReadOnlyList<VolumeUse> Rewritten)
{
    // Duplicati's: one wasteful volume would be replaced by one volume.
    private const int LeastWasteful = 2;

    public static CompactDecision Of(
        IReadOnlyList<VolumeUse> volumes, int thresholdPercent, long volumeSizeBytes, long smallSizeBytes, int smallMaxCount)
    {
        VolumeUse[] dead = [.. volumes.Where(IsDead)];
        VolumeUse[] wasteful = [.. volumes.Where(IsWasteful)];
        VolumeUse[] small = [.. volumes.Where(IsSmall)];
        bool isNeeded = (wasteful.Length >= LeastWasteful
                && IsShare(wasteful.Sum(use => use.WastedBytes), volumes.Sum(use => use.DataBytes), thresholdPercent))
            || small.Sum(use => use.Volume.SizeBytes) > volumeSizeBytes
            || small.Length > smallMaxCount;
        return new CompactDecision(dead, isNeeded ? [.. volumes.Where(use => IsWasteful(use) || IsSmall(use))] : []);

        static bool IsDead(VolumeUse use) => use.WastedBytes >= use.DataBytes;
        bool IsWasteful(VolumeUse use) => !IsDead(use)
            && (IsShare(use.WastedBytes, use.DataBytes, thresholdPercent) || IsShare(use.WastedBytes, volumeSizeBytes, thresholdPercent));
        bool IsSmall(VolumeUse use) => !IsDead(use) && use.Volume.SizeBytes <= smallSizeBytes;
    }

    private static bool IsShare(long part, long whole, int percent) => part * 100.0 >= (double)percent * whole;
}

/// <summary>What a block volume has, in bytes before compression.</summary>
internal readonly record struct VolumeUse(Volume Volume, long DataBytes, long WastedBytes);
