namespace Restore.Compression.Zip;

/// <summary>
/// The zip64 extra field of a header: 64-bit values for the 32-bit fields that are full.
/// </summary>
internal static class Zip64Field
{
    private const ushort Id = 0x0001;
    private const long Full = uint.MaxValue;

    /// <summary>
    /// Replaces each full value (0xFFFFFFFF) with its value from the field. The field has values
    /// only for these, in the order of the parameters. Returns false if a value is missing or above
    /// 2^63-1.
    /// </summary>
    public static bool TryExpand(
        ReadOnlySpan<byte> extra,
        ref long length,
        ref long compressedLength,
        ref long headerOffset
    )
    {
        if (length != Full && compressedLength != Full && headerOffset != Full)
        {
            return true;
        }

        ReadOnlySpan<byte> field = Find(extra);
        return TryTake(ref field, ref length)
            && TryTake(ref field, ref compressedLength)
            && TryTake(ref field, ref headerOffset);
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
