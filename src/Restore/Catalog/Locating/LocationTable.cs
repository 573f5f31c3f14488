using Restore.Memory;
using Restore.Volumes;

namespace Restore.Catalog.Locating;

/// <summary>
/// Where blocks are, as far as is known by now: the table that a search fills. It has one owner; what others read is what <see cref="Freeze"/> makes of it.
/// </summary>
internal sealed class LocationTable
{
    /// <summary>More further copies of one block than this are not remembered: a hostile index could name millions.</summary>
    private const int MaxOtherCopies = 8;

    private readonly SegmentedList<Copy> rows = new();

    // The further copies of a block, in the order in which they are to be tried.
    private readonly Dictionary<BlockId, List<Copy>> others = [];
    private readonly HashSet<Replica> failed = [];
    private readonly Dictionary<BlockId, string> absent = [];

    /// <summary>The volume that a block is to be taken from, or <see cref="VolumeId.None"/>.</summary>
    public VolumeId VolumeOf(BlockId block) => block < rows.Count ? rows[block].Volume : VolumeId.None;

    /// <summary>Notes that a volume has a block. Of several copies the one of the lowest order, then volume, is taken first, whoever is told first.</summary>
    /// <param name="block">Which block.</param>
    /// <param name="volume">The volume; one in which the block was looked for in vain is not taken again.</param>
    /// <param name="order">Who says so, as a <see cref="CopyOrder"/>.</param>
    public void Add(BlockId block, VolumeId volume, int order)
    {
        if (failed.Count > 0 && failed.Contains(new Replica(block, volume)))
        {
            return;
        }

        ref Copy first = ref RowOf(block);
        Copy told = new(order, volume);
        if (first.Volume.IsNone || first.Volume == volume)
        {
            first = first.Volume.IsNone ? told : first with { Order = Math.Min(first.Order, order) };
        }
        else if (told.CompareTo(first) < 0)
        {
            others.GetValueOrDefault(block)?.RemoveAll(copy => copy.Volume == volume);
            AddOther(block, first);
            first = told;
        }
        else
        {
            AddOther(block, told);
        }
    }

    /// <summary>Notes that a block was looked for in a volume in vain: the copy is removed, and refused when it is told again.</summary>
    public void Fail(Replica replica)
    {
        failed.Add(replica);
        ref Copy first = ref RowOf(replica.Block);
        List<Copy>? further = others.GetValueOrDefault(replica.Block);
        further?.RemoveAll(copy => copy.Volume == replica.Volume);
        if (first.Volume != replica.Volume)
        {
            return;
        }

        first = Copy.None;
        if (further?.Count > 0)
        {
            first = further[0];
            further.RemoveAt(0);
        }
    }

    /// <summary>Notes that a block was in a volume that is not there.</summary>
    public void NoteAbsent(BlockId block, string volumeName) => absent[block] = volumeName;

    /// <summary>What is known, for everyone to read.</summary>
    /// <param name="blockCount">Number of blocks of the version.</param>
    public Locations Freeze(int blockCount)
    {
        VolumeId[] first = new VolumeId[blockCount];
        foreach (BlockId block in BlockId.UpTo(blockCount))
        {
            first[block] = VolumeOf(block);
        }

        return new Locations(
            first,
            [.. others.OrderBy(pair => pair.Key.Value).SelectMany(pair => pair.Value.Select(copy => new Replica(pair.Key, copy.Volume)))],
            [.. failed.OrderBy(replica => replica.Block.Value)],
            [.. absent.OrderBy(pair => pair.Key.Value).Select(pair => new AbsentReplica(pair.Key, pair.Value))]);
    }

    private ref Copy RowOf(BlockId block)
    {
        if (block >= rows.Count)
        {
            rows.AddMany(Copy.None, block + 1 - rows.Count);
        }

        return ref rows[block];
    }

    private void AddOther(BlockId block, Copy told)
    {
        List<Copy> further = others.TryGetValue(block, out List<Copy>? known) ? known : others[block] = [];
        int same = further.FindIndex(copy => copy.Volume == told.Volume);
        if (same >= 0)
        {
            told = further[same].CompareTo(told) < 0 ? further[same] : told;
            further.RemoveAt(same);
        }

        further.Insert(~further.BinarySearch(told), told);
        if (further.Count > MaxOtherCopies)
        {
            further.RemoveAt(MaxOtherCopies);
        }
    }

    /// <summary>A volume that is said to have a block; compared by when it is its turn.</summary>
    private readonly record struct Copy(int Order, VolumeId Volume) : IComparable<Copy>
    {
        public static readonly Copy None = new(0, VolumeId.None);

        public int CompareTo(Copy other) => (Order, Volume.Value).CompareTo((other.Order, other.Volume.Value));
    }
}
