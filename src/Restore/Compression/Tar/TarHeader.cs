namespace Restore.Compression.Tar;

/// <summary>
/// The name starts the header; the content is padded to a multiple of the header's length.
/// </summary>
internal readonly record struct TarHeader(bool IsFile, int NameLength, long Length)
{
    /// <summary>
    /// Length of a header, and the unit that everything in a tar archive is padded to.
    /// </summary>
    public const int LengthBytes = 512;

    private const int MaxNameLength = 100;
    private const byte BinaryNumber = 0x80;

    /// <summary>
    /// Reads a header; false if its checksum is wrong or its length is not a number.
    /// </summary>
    public static bool TryRead(ReadOnlySpan<byte> source, out TarHeader header)
    {
        header = default;
        if (
            !TryReadNumber(source.Slice(148, 8), out long checksum)
            || checksum != Checksum(source)
            || !TryReadNumber(source.Slice(124, 12), out long length)
        )
        {
            return false;
        }

        // A name of the full length has no zero byte at its end. A regular file has the type '0',
        // or 0 in old archives.
        int nameLength = source[..MaxNameLength].IndexOf((byte)0);
        header = new TarHeader(source[156] is (byte)'0' or 0, nameLength < 0 ? MaxNameLength : nameLength, length);
        return true;
    }

    /// <summary>
    /// The sum of all bytes, with the bytes of the checksum itself counted as blanks.
    /// </summary>
    private static long Checksum(ReadOnlySpan<byte> source)
    {
        long sum = 8 * ' ';
        for (int i = 0; i < LengthBytes; i++)
        {
            sum += i is >= 148 and < 156 ? 0 : source[i];
        }

        return sum;
    }

    /// <summary>
    /// Octal digits, ended by a blank or a zero byte; larger numbers are binary, marked by the
    /// first bit.
    /// </summary>
    private static bool TryReadNumber(ReadOnlySpan<byte> field, out long value)
    {
        if (field[0] == BinaryNumber)
        {
            value = BinaryPrimitives.ReadInt64BigEndian(field[^8..]);
            return value >= 0 && !field[1..^8].ContainsAnyExcept((byte)0);
        }

        value = 0;
        ReadOnlySpan<byte> digits = field.Trim(" \0"u8);
        foreach (byte digit in digits)
        {
            if (digit is < (byte)'0' or > (byte)'7')
            {
                return false;
            }

            value = (value * 8) + (digit - '0');
        }

        return !digits.IsEmpty;
    }
}
