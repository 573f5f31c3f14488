using Restore.Memory;
using Restore.Volumes;

namespace Restore.Catalog;

/// <summary>A volume that a pass reads, and which blocks it wants of it.</summary>
/// <param name="Volume">The volume.</param>
/// <param name="First">Where its blocks start in <see cref="BlockDemand.Blocks"/>.</param>
/// <param name="Count">How many blocks are wanted of it.</param>
internal sealed record VolumeDemand(Volume Volume, int First, int Count);

/// <summary>The blocks that a pass wants, by volume: volumes in order of first use, the blocks of each in order of first use.</summary>
internal sealed class BlockDemand
{
    private readonly int[] rank;
    private readonly BitSet? ownHash;

    private BlockDemand(BlockTable table, BlockId[] blocks, int[] rank, BitSet? ownHash, IReadOnlyList<VolumeDemand> volumes)
    {
        Table = table;
        this.ownHash = ownHash;
        Blocks = blocks;
        this.rank = rank;
        Volumes = volumes;
    }

    public BlockTable Table { get; }

    /// <summary>The wanted blocks, volume after volume.</summary>
    public BlockId[] Blocks { get; }

    public IReadOnlyList<VolumeDemand> Volumes { get; }

    /// <summary>Makes the demand for blocks that are located.</summary>
    /// <param name="table">Where blocks are.</param>
    /// <param name="volumes">All volumes, by number.</param>
    /// <param name="blocksInOrder">The blocks in order of first use; repeats and blocks not located are left out.</param>
    /// <param name="ownHash">The blocks that are verified by their own hash, complete when those in order have been gone through; null for all.</param>
    public static BlockDemand Create(BlockTable table, IReadOnlyList<Volume> volumes, IEnumerable<BlockId> blocksInOrder, BitSet? ownHash = null)
    {
        int[] rank = new int[table.Count];
        int[] countByVolume = new int[volumes.Count];
        List<VolumeId> volumeOrder = [];
        int ranked = 0;
        foreach (BlockId block in blocksInOrder)
        {
            VolumeId volume = table.VolumeOf(block);
            if (volume == VolumeId.None || rank[block] != 0)
            {
                continue;
            }

            rank[block] = ++ranked;
            if (countByVolume[volume]++ == 0)
            {
                volumeOrder.Add(volume);
            }
        }

        BlockId[] blocks = Arrange(table, rank, ranked, volumeOrder, countByVolume, out int[] firstByVolume);
        return new BlockDemand(table, blocks, rank, ownHash, [.. volumeOrder.Select(volume =>
            new VolumeDemand(volumes[volume], firstByVolume[volume], countByVolume[volume]))]);
    }

    /// <summary>The block of an archive entry if it is wanted of this volume, else none. Allocates nothing.</summary>
    public BlockId Find(ReadOnlySpan<byte> hash, long sizeBytes, VolumeId volume)
    {
        BlockId block = Table.Find(hash, sizeBytes);
        return block >= 0 && block < rank.Length && rank[block] != 0 && Table.VolumeOf(block) == volume ? block : BlockId.None;
    }

    /// <summary>The place of a wanted block in the order of first use.</summary>
    public int RankOf(BlockId block) => rank[block];

    /// <summary>Whether a block is to be verified by its own hash. Else all who want it are files that are verified as a whole.</summary>
    public bool NeedsOwnHash(BlockId block) => ownHash is null || ownHash[block];

    public ReadOnlySpan<BlockId> BlocksOf(VolumeDemand volume) => Blocks.AsSpan(volume.First, volume.Count);

    /// <summary>Length of the wanted blocks of a volume, decoded.</summary>
    public long BytesOf(VolumeDemand volume)
    {
        long bytes = 0;
        foreach (BlockId block in BlocksOf(volume))
        {
            bytes += Table.SizeOf(block);
        }

        return bytes;
    }

    private static BlockId[] Arrange(BlockTable table, int[] rank, int ranked, List<VolumeId> volumeOrder, int[] countByVolume, out int[] firstByVolume)
    {
        BlockId[] byRank = new BlockId[ranked];
        foreach (BlockId block in BlockId.UpTo(rank.Length))
        {
            if (rank[block] != 0)
            {
                byRank[rank[block] - 1] = block;
            }
        }

        firstByVolume = new int[countByVolume.Length];
        int first = 0;
        foreach (VolumeId volume in volumeOrder)
        {
            firstByVolume[volume] = first;
            first += countByVolume[volume];
        }

        int[] next = (int[])firstByVolume.Clone();
        BlockId[] arranged = new BlockId[ranked];
        foreach (BlockId block in byRank)
        {
            arranged[next[table.VolumeOf(block)]++] = block;
        }

        return arranged;
    }
}
