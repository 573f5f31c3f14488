namespace Restore.Memory;

/// <summary>A list that grows by whole segments: no copying, and no array twice the size while it grows. Items are reached by reference.</summary>
internal sealed class SegmentedList<T>
    where T : unmanaged
{
    // 8,192 items keep a segment of any row type here below the size at which arrays are pooled apart, and small lists small.
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
