namespace Restore.Memory;

/// <summary>A list in segments. Items are reached by reference.</summary>
internal sealed class SegmentedList<T>() : SegmentedRows<T>(1)
    where T : unmanaged
{
    public ref T this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            return ref Segments[index >> SegmentBits][index & SegmentMask];
        }
    }

    public int Add(T item) => Add(new ReadOnlySpan<T>(in item));

    /// <summary>Returns the index of the first.</summary>
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
