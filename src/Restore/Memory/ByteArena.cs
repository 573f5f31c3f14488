namespace Restore.Memory;

/// <summary>
/// Byte strings of any length one after the other in large segments: paths and names without an
/// object each.
/// </summary>
internal sealed class ByteArena
{
    private const int SegmentBits = 20;
    private const int SegmentBytes = 1 << SegmentBits;

    // A handle holds the position and, in its lowest bits, the length, which may be a whole
    // segment.
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

        // A string does not cross segments, so that it is one span. The rest of the segment stays
        // unused.
        if (used + bytes.Length > SegmentBytes)
        {
            // Zeros: the unused end of a segment is written to saved plans, and must not bring along
            // what was in this memory before, such as keys.
            segments.Add(new byte[SegmentBytes]);
            used = 0;
        }

        bytes.CopyTo(segments[^1].AsSpan(used));
        long place = ((long)(segments.Count - 1) << SegmentBits) + used;
        used += bytes.Length;
        return (place << LengthBits) | (long)bytes.Length;
    }

    /// <summary>
    /// Writes the strings; their handles stay valid for what <see cref="Load"/> reads.
    /// </summary>
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
        return length == 0
            ? default
            : segments[(int)(handle >> (LengthBits + SegmentBits))]
                .AsSpan((int)(handle >> LengthBits) & (SegmentBytes - 1), length);
    }
}
