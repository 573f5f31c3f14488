using Restore.Catalog.Locating;
using Restore.Format;
using Restore.Memory;
using Restore.Volumes;

namespace Restore.Maintenance.Searching;

/// <summary>
/// All blocks of a backup, by number: which volume has a block, which further volumes do, and whether an entry refers to it. About 60 bytes for each.
/// </summary>
internal sealed class KnownBlocks(HashKind hash)
{
    private readonly BlockSet blocks = new(hash.LengthBytes());
    private readonly SegmentedList<Place> places = new();
    private readonly List<(int Block, int Volume)> duplicates = [];

    public int Count => blocks.Count;

    /// <summary>Blocks that an entry refers to and no volume has.</summary>
    public long Lost { get; private set; }

    public ReadOnlySpan<byte> HashOf(int block) => blocks.HashOf(block);

    public int SizeOf(int block) => blocks.SizeOf(block);

    /// <summary>The number of a block; -1 if it is unknown.</summary>
    public int Find(ReadOnlySpan<byte> blockHash, long sizeBytes) => blocks.Find(blockHash, sizeBytes);

    public VolumeId VolumeOf(int block) => new(places[block].Volume - 1);

    public bool IsReferenced(int block) => places[block].IsReferenced;

    /// <summary>Records that an entry refers to a block.</summary>
    /// <returns>Its number.</returns>
    public int Refer(ReadOnlySpan<byte> blockHash, int sizeBytes)
    {
        int block = NumberOf(blockHash, sizeBytes);
        ref Place place = ref places[block];
        Lost += place is { IsReferenced: false, Volume: 0 } ? 1 : 0;
        place.IsReferenced = true;
        return block;
    }

    /// <summary>Forgets what entries refer to.</summary>
    public void ForgetReferences()
    {
        Lost = 0;
        for (int block = 0; block < Count; block++)
        {
            places[block].IsReferenced = false;
        }
    }

    /// <summary>Records again that an entry refers to a block.</summary>
    public void Refer(int block)
    {
        Lost += places[block] is { IsReferenced: false, Volume: 0 } ? 1 : 0;
        places[block].IsReferenced = true;
    }

    /// <summary>Takes the blocks that a volume has, according to the source <paramref name="order"/> (a <see cref="CopyOrder"/>).</summary>
    /// <param name="listed">The blocks.</param>
    /// <param name="order">The source.</param>
    /// <param name="left">How many more blocks and further copies there may be.</param>
    /// <returns>Whether all were taken.</returns>
    public bool TryLocate(ListedBlocks listed, int order, ref long left)
    {
        for (int i = 0; i < listed.Count && left > 0; i++)
        {
            int known = blocks.Count + duplicates.Count;
            Locate(NumberOf(listed.HashOf(i), listed.SizeOf(i)), listed.Volume.Value + 1, order);
            left -= blocks.Count + duplicates.Count - known;
        }

        return left > 0;
    }

    /// <summary>The volumes that have further copies, each once, by block.</summary>
    public IEnumerable<(int Block, VolumeId Volume)> Duplicates()
    {
        duplicates.Sort();
        (int, int) last = default;
        foreach ((int block, int volume) in duplicates)
        {
            // A volume can be listed several times, the first among them.
            if ((block, volume) != last && volume != places[block].Volume)
            {
                yield return (block, new VolumeId(volume - 1));
            }

            last = (block, volume);
        }
    }

    private void Locate(int block, int volume, int order)
    {
        ref Place place = ref places[block];
        if (place.Volume == 0)
        {
            Lost -= place.IsReferenced ? 1 : 0;
            (place.Volume, place.Order) = (volume, order);
        }
        else if (place.Volume != volume)
        {
            // Index volumes are read concurrently: the first by name has the block, whichever came first.
            bool isBefore = order < place.Order;
            duplicates.Add((block, isBefore ? place.Volume : volume));
            (place.Volume, place.Order) = isBefore ? (volume, order) : (place.Volume, place.Order);
        }
    }

    private int NumberOf(ReadOnlySpan<byte> blockHash, int sizeBytes)
    {
        if (blocks.TryAdd(blockHash, sizeBytes, out int block))
        {
            places.Add(default);
        }

        return block;
    }

    /// <param name="Volume">The id of the volume plus one; 0 for none.</param>
    /// <param name="Order">The source that names the volume.</param>
    /// <param name="IsReferenced">Whether an entry refers to the block.</param>
    private record struct Place(int Volume, int Order, bool IsReferenced);
}
