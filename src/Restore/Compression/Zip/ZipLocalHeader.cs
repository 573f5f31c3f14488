namespace Restore.Compression.Zip;

/// <summary>The lengths and the CRC-32 may be 0 when a data descriptor follows the data. LengthBytes is that of the whole header.</summary>
internal readonly record struct ZipLocalHeader(ushort Flags, ushort Method, uint Crc32, long CompressedLength, long Length, int NameLength, int LengthBytes)
{
    public const int FixedLengthBytes = 30;

    private const int EncryptedFlag = 1 << 0;
    private const int DescriptorFlag = 1 << 3;

    public static ReadOnlySpan<byte> Signature => "PK\x03\x04"u8;

    public bool IsEncrypted => (Flags & EncryptedFlag) != 0;

    /// <summary>Whether only a descriptor after the data has the lengths.</summary>
    public bool HasUnknownLength => (Flags & DescriptorFlag) != 0 && CompressedLength == 0;

    /// <summary>Reads the header at the start of <paramref name="source"/>; false if it is missing or cut.</summary>
    public static bool TryRead(ReadOnlySpan<byte> source, out ZipLocalHeader header)
    {
        header = default;
        if (source.Length < FixedLengthBytes || !source.StartsWith(Signature))
        {
            return false;
        }

        int nameLength = BinaryPrimitives.ReadUInt16LittleEndian(source[26..]);
        int extraLength = BinaryPrimitives.ReadUInt16LittleEndian(source[28..]);
        int lengthBytes = FixedLengthBytes + nameLength + extraLength;
        if (source.Length < lengthBytes)
        {
            return false;
        }

        long compressedLength = BinaryPrimitives.ReadUInt32LittleEndian(source[18..]);
        long length = BinaryPrimitives.ReadUInt32LittleEndian(source[22..]);
        long noOffset = 0;
        if (!Zip64Field.TryExpand(source.Slice(FixedLengthBytes + nameLength, extraLength), ref length, ref compressedLength, ref noOffset))
        {
            return false;
        }

        header = new ZipLocalHeader(
            BinaryPrimitives.ReadUInt16LittleEndian(source[6..]),
            BinaryPrimitives.ReadUInt16LittleEndian(source[8..]),
            BinaryPrimitives.ReadUInt32LittleEndian(source[14..]),
            compressedLength,
            length,
            nameLength,
            lengthBytes);
        return true;
    }

    public bool BelongsTo(ReadOnlySpan<byte> source, ushort method, ReadOnlySpan<byte> name) =>
        Method == method && source.Slice(FixedLengthBytes, NameLength).SequenceEqual(name);
}

/// <summary>The zip64 extra field of a header: 64-bit values for the 32-bit fields that are full.</summary>
internal static class Zip64Field
{
    private const ushort Id = 0x0001;
    private const long Full = uint.MaxValue;

    /// <summary>Replaces full values (0xFFFFFFFF) by those of the field, which has only these, in this order; false if one is missing or above
    /// 2^63-1.</summary>
    public static bool TryExpand(ReadOnlySpan<byte> extra, ref long length, ref long compressedLength, ref long headerOffset)
    {
        if (length != Full && compressedLength != Full && headerOffset != Full)
        {
            return true;
        }

        ReadOnlySpan<byte> field = Find(extra);
        return TryTake(ref field, ref length) && TryTake(ref field, ref compressedLength) && TryTake(ref field, ref headerOffset);
    }

    private static bool TryTake(ref ReadOnlySpan<byte> field, ref long value)
    {
        if (value != Full)
        {
            return true;
        }

        if (!BinaryPrimitives.TryReadInt64LittleEndian(field, out value) || value < 0)
        {
            return false;
        }

        field = field[sizeof(long)..];
        return true;
    }

    private static ReadOnlySpan<byte> Find(ReadOnlySpan<byte> extra)
    {
        while (extra.Length >= 4)
        {
            int id = BinaryPrimitives.ReadUInt16LittleEndian(extra);
            int length = Math.Min(BinaryPrimitives.ReadUInt16LittleEndian(extra[2..]), extra.Length - 4);
            if (id == Id)
            {
                return extra.Slice(4, length);
            }

            extra = extra[(4 + length)..];
        }

        return default;
    }
}
