namespace Restore.Memory;

/// <summary>
/// Byte strings of one length by their number: no object and no handle for each hash.
/// </summary>
internal sealed class HashList(int lengthBytes) : SegmentedRows<byte>(lengthBytes)
{
    public ReadOnlySpan<byte> this[int index] =>
        Segments[index >> SegmentBits].AsSpan((index & SegmentMask) * Width, Width);

    public new int Add(ReadOnlySpan<byte> hash)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(hash.Length, Width);
        return base.Add(hash);
    }
}
