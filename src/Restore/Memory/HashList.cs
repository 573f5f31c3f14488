namespace Restore.Memory;

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

    /// <summary>Writes the count and the hashes.</summary>
    public void Save(BinaryWriter writer)
    {
        writer.Write(Count);
        for (int first = 0; first < Count; first += SegmentLength)
        {
            writer.Write(segments[first >> SegmentBits].AsSpan(0, Math.Min(SegmentLength, Count - first) * lengthBytes));
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
            byte[] segment = GC.AllocateUninitializedArray<byte>(SegmentLength * lengthBytes);
            int length = Math.Min(SegmentLength, count - Count);
            reader.BaseStream.ReadExactly(segment.AsSpan(0, length * lengthBytes));
            segments.Add(segment);
            Count += length;
        }
    }

    /// <summary>Appends a hash.</summary>
    /// <returns>Its number.</returns>
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
