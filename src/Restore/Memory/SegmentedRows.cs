namespace Restore.Memory;

/// <summary>
/// Rows that grow by whole segments: nothing is copied, and no array of twice the size is
/// allocated.
/// </summary>
/// <param name="width">Items of a row.</param>
internal abstract class SegmentedRows<T>(int width)
    where T : unmanaged
{
    // 8,192 items keep a segment of every row type below the size of the large object heap, and
    // keep small lists small. As many hashes of 32 bytes are 256 KiB.
    protected const int SegmentBits = 13;
    protected const int SegmentMask = SegmentLength - 1;
    private const int SegmentLength = 1 << SegmentBits;

    protected int Width => width;

    protected List<T[]> Segments { get; } = [];

    public int Count { get; private set; }

    /// <summary>Writes the count and the rows as they are in memory.</summary>
    public void Save(BinaryWriter writer)
    {
        writer.Write(Count);
        for (int first = 0; first < Count; first += SegmentLength)
        {
            writer.Write(
                MemoryMarshal.AsBytes(
                    Segments[first >> SegmentBits].AsSpan(0, Math.Min(SegmentLength, Count - first) * width)
                )
            );
        }
    }

    public void Load(BinaryReader reader)
    {
        int count = reader.ReadInt32();
        Segments.Clear();
        Count = 0;
        while (Count < count)
        {
            T[] segment = GC.AllocateUninitializedArray<T>(SegmentLength * width);
            int length = Math.Min(SegmentLength, count - Count);
            reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(segment.AsSpan(0, length * width)));
            Segments.Add(segment);
            Count += length;
        }
    }

    /// <returns>Its number.</returns>
    protected int Add(ReadOnlySpan<T> row)
    {
        if (Count >> SegmentBits == Segments.Count)
        {
            Segments.Add(GC.AllocateUninitializedArray<T>(SegmentLength * width));
        }

        row.CopyTo(Segments[^1].AsSpan((Count & SegmentMask) * width));
        return Count++;
    }
}
