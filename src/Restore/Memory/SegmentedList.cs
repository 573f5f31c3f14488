using System.Runtime.InteropServices;

namespace Restore.Memory;

/// <summary>A list that grows by whole segments: it copies nothing and never allocates an array of twice the size. Items are reached by reference.</summary>
internal sealed class SegmentedList<T>
    where T : unmanaged
{
    // 8,192 items keep a segment of every row type below the size of the large object heap, and keep small lists small.
    private const int SegmentBits = 13;
    private const int SegmentLength = 1 << SegmentBits;
    private const int SegmentMask = SegmentLength - 1;

    private readonly List<T[]> segments = [];

    public int Count { get; private set; }

    public ref T this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            return ref segments[index >> SegmentBits][index & SegmentMask];
        }
    }

    /// <summary>Appends an item.</summary>
    /// <returns>Its index.</returns>
    public int Add(T item)
    {
        if (Count >> SegmentBits == segments.Count)
        {
            segments.Add(new T[SegmentLength]);
        }

        segments[Count >> SegmentBits][Count & SegmentMask] = item;
        return Count++;
    }

    /// <summary>Writes the count and the items as they are in memory.</summary>
    public void Save(BinaryWriter writer)
    {
        writer.Write(Count);
        for (int first = 0; first < Count; first += SegmentLength)
        {
            writer.Write(MemoryMarshal.AsBytes(segments[first >> SegmentBits].AsSpan(0, Math.Min(SegmentLength, Count - first))));
        }
    }

    /// <summary>Replaces the content by what <see cref="Save"/> wrote.</summary>
    /// <exception cref="EndOfStreamException">The stream ends early.</exception>
    public void Load(BinaryReader reader)
    {
        int count = reader.ReadInt32();
        segments.Clear();
        Count = 0;
        while (Count < count)
        {
            T[] segment = new T[SegmentLength];
            int length = Math.Min(SegmentLength, count - Count);
            reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(segment.AsSpan(0, length)));
            segments.Add(segment);
            Count += length;
        }
    }

    /// <summary>Appends <paramref name="count"/> copies of an item.</summary>
    /// <returns>The index of the first.</returns>
    public int AddMany(T item, int count)
    {
        int first = Count;
        for (int i = 0; i < count; i++)
        {
            Add(item);
        }

        return first;
    }
}
