using Restore.Catalog.Locating;
using Restore.Format;
using Restore.Memory;
using Restore.Volumes;

namespace Restore.Catalog;

/// <summary>
/// The blocks that a version refers to, by (hash, size), each with a number (<see cref="BlockSet"/>) and the volume it is in.
/// Look-ups may run side by side with each other, not with an addition.
/// </summary>
internal sealed class BlockTable
{
    /// <summary>More copies of one block than this are not remembered: a hostile index could name millions.</summary>
    private const int MaxOtherCopies = 8;

    private readonly BlockSet blocks;
    private readonly SegmentedList<Row> rows = new();

    // The further copies of a block, in the order in which they are to be tried.
    private readonly Dictionary<BlockId, List<Copy>> otherCopies = [];

    public BlockTable(HashKind hash)
    {
        Hash = hash;
        blocks = new BlockSet(hash.LengthBytes());
    }

    public HashKind Hash { get; }

    public int Count => rows.Count;

    /// <summary>The number of a block, new or known.</summary>
    public BlockId GetOrAdd(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        if (blocks.TryAdd(hash, sizeBytes, out int block))
        {
            rows.Add(new Row(VolumeId.None, 0));
        }

        return new BlockId(block);
    }

    /// <summary>The number of a block, or none.</summary>
    public BlockId Find(ReadOnlySpan<byte> hash, long sizeBytes) => new(blocks.Find(hash, sizeBytes));

    public ReadOnlySpan<byte> HashOf(BlockId block) => blocks.HashOf(block);

    public int SizeOf(BlockId block) => blocks.SizeOf(block);

    /// <summary>The volume that a block is to be taken from, or <see cref="VolumeId.None"/>.</summary>
    public VolumeId VolumeOf(BlockId block) => rows[block].Volume;

    /// <summary>Notes that a volume has a block. Of several copies the one of the lowest order, then volume, is taken first, whoever is told first.</summary>
    /// <param name="block">Which block.</param>
    /// <param name="volume">The volume.</param>
    /// <param name="order">Who says so, as a <see cref="CopyOrder"/>.</param>
    public void AddVolume(BlockId block, VolumeId volume, int order)
    {
        ref Row row = ref rows[block];
        Copy told = new(order, volume);
        if (row.Volume == VolumeId.None)
        {
            (row.Volume, row.Order) = (volume, order);
        }
        else if (row.Volume == volume)
        {
            row.Order = Math.Min(row.Order, order);
        }
        else if (told.CompareTo(row.Copy) < 0)
        {
            Copy later = row.Copy;
            (row.Volume, row.Order) = (volume, order);
            otherCopies.GetValueOrDefault(block)?.RemoveAll(copy => copy.Volume == volume);
            AddOther(block, later);
        }
        else
        {
            AddOther(block, told);
        }
    }

    /// <summary>Gives up the volume a block was to be taken from and goes over to the next one, if there is one.</summary>
    /// <returns>Whether there is another volume to try.</returns>
    public bool UseOtherVolume(BlockId block)
    {
        ref Row row = ref rows[block];
        row.Volume = VolumeId.None;
        if (otherCopies.TryGetValue(block, out List<Copy>? others) && others.Count > 0)
        {
            (row.Order, row.Volume) = others[0];
            others.RemoveAt(0);
        }

        return row.Volume != VolumeId.None;
    }

    private void AddOther(BlockId block, Copy told)
    {
        List<Copy> others = otherCopies.TryGetValue(block, out List<Copy>? known) ? known : otherCopies[block] = [];
        int same = others.FindIndex(copy => copy.Volume == told.Volume);
        if (same >= 0)
        {
            told = others[same].CompareTo(told) < 0 ? others[same] : told;
            others.RemoveAt(same);
        }

        others.Insert(~others.BinarySearch(told), told);
        if (others.Count > MaxOtherCopies)
        {
            others.RemoveAt(MaxOtherCopies);
        }
    }

    private record struct Row(VolumeId Volume, int Order)
    {
        public readonly Copy Copy => new(Order, Volume);
    }

    /// <summary>A volume that is said to have a block; compared by when it is its turn.</summary>
    private readonly record struct Copy(int Order, VolumeId Volume) : IComparable<Copy>
    {
        public int CompareTo(Copy other) => (Order, Volume.Value).CompareTo((other.Order, other.Volume.Value));
    }
}
