namespace Restore.Compression.Zip;

/// <summary>Writes numbers one after another, the lowest byte first.</summary>
internal ref struct LittleEndian(Span<byte> destination)
{
    private Span<byte> rest = destination;

    public void U8(byte value) => Bytes([value]);

    public void U16(int value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(rest, (ushort)value);
        rest = rest[sizeof(ushort)..];
    }

    public void U32(uint value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(rest, value);
        rest = rest[sizeof(uint)..];
    }

    public void U64(long value)
    {
        BinaryPrimitives.WriteInt64LittleEndian(rest, value);
        rest = rest[sizeof(long)..];
    }

    public void Bytes(scoped ReadOnlySpan<byte> value)
    {
        value.CopyTo(rest);
        rest = rest[value.Length..];
    }
}
