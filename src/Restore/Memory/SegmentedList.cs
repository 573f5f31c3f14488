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

/// <summary>Byte strings of one length by their number, in large segments: no object and no handle for each hash.</summary>
internal sealed class HashList(int lengthBytes)
{
    // 8,192 hashes of 32 bytes are a segment of 256 KiB.
    private const int SegmentBits = 13;
    private const int SegmentLength = 1 << SegmentBits;
    private const int SegmentMask = SegmentLength - 1;

    private readonly List<byte[]> segments = [];

    public int Count { get; private set; }

    public ReadOnlySpan<byte> this[int index] => segments[index >> SegmentBits].AsSpan((index & SegmentMask) * lengthBytes, lengthBytes);

    public void Save(BinaryWriter writer)
    {
        writer.Write(Count);
        for (int first = 0; first < Count; first += SegmentLength)
        {
            writer.Write(segments[first >> SegmentBits].AsSpan(0, Math.Min(SegmentLength, Count - first) * lengthBytes));
        }
    }

    public void Load(BinaryReader reader)
    {
        int count = reader.ReadInt32();
        segments.Clear();
        Count = 0;
        while (Count < count)
        {
            byte[] segment = GC.AllocateUninitializedArray<byte>(SegmentLength * lengthBytes);
            int length = Math.Min(SegmentLength, count - Count);
            reader.BaseStream.ReadExactly(segment.AsSpan(0, length * lengthBytes));
            segments.Add(segment);
            Count += length;
        }
    }

    public int Add(ReadOnlySpan<byte> hash)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(hash.Length, lengthBytes);
        if (Count >> SegmentBits == segments.Count)
        {
            segments.Add(GC.AllocateUninitializedArray<byte>(SegmentLength * lengthBytes));
        }

        hash.CopyTo(segments[^1].AsSpan((Count & SegmentMask) * lengthBytes));
        return Count++;
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
