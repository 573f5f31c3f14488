namespace Restore.Catalog;

/// <summary>
/// The needed blocks of one volume by name, while it is read: a table of its own is small enough
/// for the caches of the processor, which the table of a whole version is not.
/// </summary>
internal sealed class WantedBlocks : IDisposable
{
    private readonly FetchList list;
    private readonly int first;
    private readonly BlockSlots<Names> slots;

    public WantedBlocks(FetchList list, WantedVolume volume)
    {
        this.list = list;
        first = volume.First;
        slots = new BlockSlots<Names>(new Names(list, first));
        slots.AddAll(volume.Count);
    }

    /// <summary>
    /// The index of an archive entry in <see cref="FetchList.Blocks"/> if it is needed from this
    /// volume, else -1. Blocks of one volume are in order of first use. Allocates nothing.
    /// </summary>
    public int Find(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        int found =
            hash.Length == list.Table.Hash.LengthBytes() && sizeBytes is >= 0 and <= int.MaxValue
                ? slots.Find(hash, (int)sizeBytes)
                : -1;
        return found < 0 ? -1 : first + found;
    }

    public void Dispose() => slots.Free();

    private readonly struct Names(FetchList list, int first) : IBlockNames
    {
        public ReadOnlySpan<byte> HashOf(int number) => list.Table.HashOf(list.Blocks[first + number]);

        public int SizeOf(int number) => list.Table.SizeOf(list.Blocks[first + number]);
    }
}
