namespace Restore.Memory;

/// <summary>Rows that grow by whole segments: nothing is copied, and no array of twice the size is allocated.</summary>
/// <param name="width">Items of a row.</param>
internal abstract class SegmentedRows<T>(int width)
    where T : unmanaged
{
    // 8,192 items keep a segment of every row type below the size of the large object heap, and keep small lists small. As many hashes of 32 bytes are 256 KiB.
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
            writer.Write(MemoryMarshal.AsBytes(Segments[first >> SegmentBits].AsSpan(0, Math.Min(SegmentLength, Count - first) * width)));
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

/// <summary>Byte strings of one length by their number: no object and no handle for each hash.</summary>
internal sealed class HashList(int lengthBytes) : SegmentedRows<byte>(lengthBytes)
{
    public ReadOnlySpan<byte> this[int index] => Segments[index >> SegmentBits].AsSpan((index & SegmentMask) * Width, Width);

    public new int Add(ReadOnlySpan<byte> hash)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(hash.Length, Width);
        return base.Add(hash);
    }
}

/// <summary>Byte strings of any length one after the other in large segments: paths and names without an object each.</summary>
internal sealed class ByteArena
{
    private const int SegmentBits = 20;
    private const int SegmentBytes = 1 << SegmentBits;

    // A handle holds the position and, in its lowest bits, the length, which may be a whole segment.
    private const int LengthBits = SegmentBits + 1;
    private const int LengthMask = (1 << LengthBits) - 1;

    private readonly List<byte[]> segments = [];
    private int used = SegmentBytes;

    public long SizeBytes => (long)segments.Count * SegmentBytes;

    /// <summary>At most 1 MiB; the handle is never negative.</summary>
    public long Add(ReadOnlySpan<byte> bytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes.Length, SegmentBytes);
        if (bytes.IsEmpty)
        {
            return 0;
        }

        if (used + bytes.Length > SegmentBytes)
        {
            segments.Add(GC.AllocateUninitializedArray<byte>(SegmentBytes));
            used = 0;
        }

        bytes.CopyTo(segments[^1].AsSpan(used));
        long place = ((long)(segments.Count - 1) << SegmentBits) + used;
        used += bytes.Length;
        return (place << LengthBits) | (long)bytes.Length;
    }

    /// <summary>Writes the strings; their handles stay valid for what <see cref="Load"/> reads.</summary>
    public void Save(BinaryWriter writer)
    {
        writer.Write(segments.Count);
        writer.Write(used);
        for (int i = 0; i < segments.Count; i++)
        {
            writer.Write(segments[i].AsSpan(0, i == segments.Count - 1 ? used : SegmentBytes));
        }
    }

    public void Load(BinaryReader reader)
    {
        int count = reader.ReadInt32();
        int usedOfLast = reader.ReadInt32();
        segments.Clear();
        for (int i = 0; i < count; i++)
        {
            byte[] segment = GC.AllocateUninitializedArray<byte>(SegmentBytes);
            reader.BaseStream.ReadExactly(segment.AsSpan(0, i == count - 1 ? usedOfLast : SegmentBytes));
            segments.Add(segment);
        }

        used = usedOfLast;
    }

    public ReadOnlySpan<byte> Get(long handle)
    {
        int length = (int)handle & LengthMask;
        return length == 0 ? default : segments[(int)(handle >> (LengthBits + SegmentBits))].AsSpan((int)(handle >> LengthBits) & (SegmentBytes - 1), length);
    }
}
