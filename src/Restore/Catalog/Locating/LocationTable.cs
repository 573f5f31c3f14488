using Restore.Memory;
using Restore.Volumes;

namespace Restore.Catalog.Locating;

/// <summary>
/// The locations of blocks, as far as a search has found them. One owner fills the table; other threads read the result of <see cref="Freeze"/>.
/// </summary>
internal sealed class LocationTable
{
    /// <summary>Limit for the further copies of one block: a hostile index could name millions.</summary>
    private const int MaxOtherCopies = 8;

    private readonly SegmentedList<Copy> rows = new();

    // The further copies of a block, in the order to try them.
    private readonly Dictionary<BlockId, List<Copy>> others = [];
    private readonly HashSet<Replica> failed = [];
    private readonly Dictionary<BlockId, string> absent = [];

    /// <summary>The volume to take a block from, or <see cref="VolumeId.None"/>.</summary>
    public VolumeId VolumeOf(BlockId block) => block < rows.Count ? rows[block].Volume : VolumeId.None;

    /// <summary>Records that a volume has a block. The copy with the lowest order, then volume, is tried first.</summary>
    /// <param name="block">The block.</param>
    /// <param name="volume">The volume; ignored if the block was not found there before.</param>
    /// <param name="order">The source, as a <see cref="CopyOrder"/>.</param>
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

    /// <summary>Records that a volume does not have a block after all: removes the copy, and refuses it from now on.</summary>
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

    /// <summary>Records that a block was in an absent volume.</summary>
    public void NoteAbsent(BlockId block, string volumeName) => absent[block] = volumeName;

    /// <summary>Returns the result, for any thread to read.</summary>
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

    /// <summary>A volume that has a block, ordered by when to try it.</summary>
    private readonly record struct Copy(int Order, VolumeId Volume) : IComparable<Copy>
    {
        public static readonly Copy None = new(0, VolumeId.None);

        public int CompareTo(Copy other) => (Order, Volume.Value).CompareTo((other.Order, other.Volume.Value));
    }
}
