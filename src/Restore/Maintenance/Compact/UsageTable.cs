using Restore.Catalog.Locating;

namespace Restore.Maintenance.Compact;

/// <summary>
/// How much of each block volume the versions need. If a block has several copies, one of them
/// counts and the others are waste. The copy that counts is in the volume with the smallest share
/// of unneeded blocks, then in the longest volume. So the copies that an interrupted compact made
/// win over their originals.
/// </summary>
internal sealed class UsageTable
{
    private readonly BlockIndex blocks;
    private readonly long[] dataBytes;
    private readonly long[] liveBytes;
    private readonly int[] oldestBlock;

    // Only blocks with several copies, if another copy than the first one counts.
    private readonly Dictionary<BlockId, VolumeId> chosen = [];

    /// <param name="blocks">The blocks, and where they are.</param>
    /// <param name="doubtOf">How doubtful a volume is, from 0. A copy in a doubtful volume counts
    /// only if no better volume has one.</param>
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

    public VolumeId HolderOf(BlockId block) =>
        chosen.TryGetValue(block, out VolumeId volume) ? volume : blocks.VolumeOf(block);

    public VolumeUse UseOf(Volume volume) =>
        new(volume, dataBytes[volume.Id], dataBytes[volume.Id] - liveBytes[volume.Id]);

    /// <summary>
    /// The lowest number of a block that counts in a volume: blocks are numbered by the versions
    /// that need them, oldest first.
    /// </summary>
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
        int[] order =
        [
            .. Enumerable
                .Range(0, dataBytes.Length)
                .OrderBy(volume => doubtOf(new VolumeId(volume)))
                .ThenBy(volume => dataBytes[volume] == 0 ? 0 : 1 - (neededBytes[volume] / (double)dataBytes[volume]))
                .ThenByDescending(volume => dataBytes[volume]),
        ];
        int[] rank = new int[order.Length];
        for (int i = 0; i < order.Length; i++)
        {
            rank[order[i]] = i;
        }

        return rank;
    }
}
