namespace Restore.Volumes.Parity;

/// <summary>
/// The content of a parity file: packets of PAR 2.0, in any order. Only what decides whether the
/// program may see it is read here: the names and lengths of the files that it would write.
/// </summary>
internal static class ParitySet
{
    public const string DataName = "data";

    private const int HeaderBytes = 64;
    private const int TypeOffset = 48;
    private const int FileLengthOffset = 48;
    private const int NameOffset = 56;

    private static ReadOnlySpan<byte> FileDescription => "PAR 2.0\0FileDesc"u8;

    private static ReadOnlySpan<byte> UnicodeName => "PAR 2.0\0UniFileN"u8;

    /// <summary>
    /// The length of the volume that the packets describe. Every place is looked at where the
    /// program could find a packet, so that no set can name another file than the one of the
    /// volume.
    /// </summary>
    /// <exception cref="InvalidDataException">The set describes another file, or none.</exception>
    public static long LengthOfData(ReadOnlySpan<byte> set)
    {
        if (set.IndexOf(UnicodeName) >= 0)
        {
            throw new InvalidDataException("It names files in a way that Duplicati does not use");
        }

        long? length = null;
        for (int at = 0; set[at..].IndexOf(FileDescription) is int next and >= 0; at += next + FileDescription.Length)
        {
            int packet = at + next - TypeOffset;
            ReadOnlySpan<byte> body = BodyOf(set, packet);
            long described = BinaryPrimitives.ReadInt64LittleEndian(body[FileLengthOffset..]);
            if (
                !body[NameOffset..].TrimEnd((byte)0).SequenceEqual("data"u8)
                || described <= 0
                || (length ?? described) != described
            )
            {
                throw new InvalidDataException("It describes another file than the volume");
            }

            length = described;
        }

        return length ?? throw new InvalidDataException("It describes no file");
    }

    private static ReadOnlySpan<byte> BodyOf(ReadOnlySpan<byte> set, int packet)
    {
        long length = packet < 0 ? 0 : BinaryPrimitives.ReadInt64LittleEndian(set[(packet + 8)..]);
        return length > HeaderBytes + NameOffset && length <= set.Length - packet
            ? set.Slice(packet + HeaderBytes, (int)length - HeaderBytes)
            : throw new InvalidDataException("It has a broken packet");
    }
}
