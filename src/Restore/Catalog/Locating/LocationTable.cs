namespace Restore.Catalog.Locating;

/// <summary>
/// The locations of blocks, as far as a search has found them. One owner fills the table; other
/// threads read the result of <see cref="Freeze"/>.
/// </summary>
/// <param name="maxOtherCopies">Limit for the further copies of one block: a hostile index could
/// name millions.</param>
internal sealed class LocationTable(int maxOtherCopies = LocationTable.UsualCopies)
{
    public const int UsualCopies = 8;

    /// <summary>
    /// For a search of all copies, so that none is deleted as if there were another one.
    /// </summary>
    public const int ManyCopies = 100;

    private readonly SegmentedList<Copy> rows = new();

    // The further copies of a block, in the order to try them.
    private readonly Dictionary<BlockId, List<Copy>> others = [];
    private readonly HashSet<Replica> failed = [];
    private readonly Dictionary<BlockId, string> absent = [];

    public int OtherCount { get; private set; }

    public IEnumerable<Replica> Others =>
        others
            .OrderBy(pair => pair.Key.Value)
            .SelectMany(pair => pair.Value.Select(copy => new Replica(pair.Key, copy.Volume)));

    public VolumeId VolumeOf(BlockId block) => block < rows.Count ? rows[block].Volume : VolumeId.None;

    public IEnumerable<Replica> CopiesOf(BlockId block) =>
        VolumeOf(block) is { IsNone: false } first
            ? others
                .GetValueOrDefault(block, [])
                .Select(copy => new Replica(block, copy.Volume))
                .Prepend(new Replica(block, first))
            : [];

    /// <summary>
    /// Records that a volume has a block. The copy with the lowest order, then volume, is tried
    /// first.
    /// </summary>
    /// <param name="volume">The volume; ignored if the block was not found there before.</param>
    /// <param name="order">The source, as a <see cref="CopyOrder"/>.</param>
    public void Add(BlockId block, VolumeId volume, int order)
    {
        if (failed.Count > 0 && failed.Contains(new Replica(block, volume)))
        {
            return;
        }

        ref Copy first = ref RowOf(block);
        Copy found = new(order, volume);
        if (first.Volume.IsNone || first.Volume == volume)
        {
            first = first.Volume.IsNone ? found : first with { Order = Math.Min(first.Order, order) };
        }
        else if (found.CompareTo(first) < 0)
        {
            // Sources complete in any order. The lowest order becomes the first copy whenever it
            // arrives, so that a plan does not depend on timing.
            RemoveOther(new Replica(block, volume));
            AddOther(block, first);
            first = found;
        }
        else
        {
            AddOther(block, found);
        }
    }

    /// <summary>
    /// Records that a volume does not have a block after all: removes the copy, and refuses it from
    /// now on.
    /// </summary>
    public void Fail(Replica replica)
    {
        failed.Add(replica);
        RemoveOther(replica);
        ref Copy first = ref RowOf(replica.Block);
        if (first.Volume != replica.Volume)
        {
            return;
        }

        first = Copy.None;
        if (others.GetValueOrDefault(replica.Block) is { Count: > 0 } further)
        {
            first = further[0];
            further.RemoveAt(0);
            OtherCount--;
        }
    }

    public void NoteAbsent(BlockId block, string volumeName) => absent[block] = volumeName;

    /// <param name="unread">The volumes that may have the blocks without a location.</param>
    public Locations Freeze(int blockCount, string[]? unread = null)
    {
        VolumeId[] first = new VolumeId[blockCount];
        foreach (BlockId block in BlockId.UpTo(blockCount))
        {
            first[block] = VolumeOf(block);
        }

        return new Locations(
            first,
            [.. Others],
            [.. failed.OrderBy(replica => replica.Block.Value)],
            [.. absent.OrderBy(pair => pair.Key.Value).Select(pair => new AbsentReplica(pair.Key, pair.Value))],
            unread
        );
    }

    private ref Copy RowOf(BlockId block)
    {
        if (block >= rows.Count)
        {
            rows.AddMany(Copy.None, block + 1 - rows.Count);
        }

        return ref rows[block];
    }

    private void RemoveOther(Replica replica) =>
        OtherCount -= others.GetValueOrDefault(replica.Block)?.RemoveAll(copy => copy.Volume == replica.Volume) ?? 0;

    private void AddOther(BlockId block, Copy found)
    {
        List<Copy> further = others.TryGetValue(block, out List<Copy>? known) ? known : others[block] = [];
        int same = further.FindIndex(copy => copy.Volume == found.Volume);
        if (same >= 0)
        {
            found = further[same].CompareTo(found) < 0 ? further[same] : found;
            further.RemoveAt(same);
            OtherCount--;
        }

        further.Insert(~further.BinarySearch(found), found);
        OtherCount++;
        if (further.Count > maxOtherCopies)
        {
            // The list is sorted, so the copy that would be tried last goes, whichever arrived
            // last.
            further.RemoveAt(maxOtherCopies);
            OtherCount--;
        }
    }

    /// <summary>A volume that has a block, ordered by when to try it.</summary>
    private readonly record struct Copy(int Order, VolumeId Volume) : IComparable<Copy>
    {
        public static readonly Copy None = new(0, VolumeId.None);

        public int CompareTo(Copy other) => (Order, Volume.Value).CompareTo((other.Order, other.Volume.Value));
    }
}
