namespace Restore.Memory;

/// <summary>Byte strings one after the other in large segments: paths and hashes without an object each.</summary>
internal sealed class ByteArena
{
    private const int SegmentBits = 20;
    private const int SegmentBytes = 1 << SegmentBits;

    private readonly List<byte[]> segments = [];
    private int used = SegmentBytes;

    /// <summary>Appends a string of at most 1 MiB.</summary>
    /// <returns>Where it is, for <see cref="Get"/>.</returns>
    public long Add(ReadOnlySpan<byte> bytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes.Length, SegmentBytes);
        if (used + bytes.Length > SegmentBytes)
        {
            segments.Add(GC.AllocateUninitializedArray<byte>(SegmentBytes));
            used = 0;
        }

        bytes.CopyTo(segments[^1].AsSpan(used));
        long offset = ((long)(segments.Count - 1) << SegmentBits) + used;
        used += bytes.Length;
        return offset;
    }

    public ReadOnlySpan<byte> Get(long offset, int length) => segments[(int)(offset >> SegmentBits)].AsSpan((int)(offset & (SegmentBytes - 1)), length);
}
