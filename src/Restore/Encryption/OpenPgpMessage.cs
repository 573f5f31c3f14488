using System.Buffers.Binary;

namespace Restore.Encryption;

/// <summary>
/// The end of an encrypted OpenPGP message (RFC 9580, section 4.2), by the lengths of its packets.
/// gpg takes bytes behind a message for another packet, and then calls all of it manipulated.
/// </summary>
internal static class OpenPgpMessage
{
    private const int Unknown = -1;

    /// <summary>
    /// The length of the message without what was added behind it; the length of the data if that
    /// is no whole encrypted message.
    /// </summary>
    public static int LengthOf(ReadOnlySpan<byte> data)
    {
        int at = 0;
        while (at < data.Length && (data[at] & 0x80) != 0)
        {
            byte head = data[at++];
            bool isNew = (head & 0x40) != 0;
            bool isPartial;
            do
            {
                isPartial = false;
                long length = isNew ? ReadLength(data, ref at, out isPartial) : ReadOldLength(data, head & 3, ref at);
                if (length == Unknown || length > data.Length - at)
                {
                    return data.Length;
                }

                at += (int)length;
            } while (isPartial);

            // Packets of encrypted data: without protection, with a hash, authenticated.
            if ((isNew ? head & 0x3F : (head >> 2) & 0xF) is 9 or 18 or 20)
            {
                return at;
            }
        }

        return data.Length;
    }

    private static long ReadLength(ReadOnlySpan<byte> bytes, ref int at, out bool isPartial)
    {
        isPartial = false;
        if (at >= bytes.Length)
        {
            return Unknown;
        }

        int first = bytes[at];
        isPartial = first is >= 224 and < 255;
        int size =
            first < 192 || isPartial ? 1
            : first < 224 ? 2
            : 5;
        if (at + size > bytes.Length)
        {
            return Unknown;
        }

        ReadOnlySpan<byte> field = bytes.Slice(at, size);
        at += size;
        return isPartial ? 1L << (first & 0x1F)
            : size == 1 ? first
            : size == 2 ? ((first - 192) << 8) + field[1] + 192
            : BinaryPrimitives.ReadUInt32BigEndian(field[1..]);
    }

    private static long ReadOldLength(ReadOnlySpan<byte> bytes, int kind, ref int at)
    {
        int size = 1 << kind;
        if (kind == 3 || at + size > bytes.Length)
        {
            return Unknown;
        }

        ReadOnlySpan<byte> field = bytes.Slice(at, size);
        at += size;
        return size == 1 ? field[0]
            : size == 2 ? BinaryPrimitives.ReadUInt16BigEndian(field)
            : BinaryPrimitives.ReadUInt32BigEndian(field);
    }
}
