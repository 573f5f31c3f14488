namespace Restore.Compression.Zip;

/// <summary>
/// The lengths and the CRC-32 may be 0 when a data descriptor follows the data. LengthBytes is the
/// length of the whole header.
/// </summary>
internal readonly record struct ZipLocalHeader(
    ushort Flags,
    ushort Method,
    uint Crc32,
    long CompressedLength,
    long Length,
    int NameLength,
    int LengthBytes
)
{
    public const int FixedLengthBytes = 30;

    private const int EncryptedFlag = 1 << 0;
    private const int DescriptorFlag = 1 << 3;

    public static ReadOnlySpan<byte> Signature => "PK\x03\x04"u8;

    public bool IsEncrypted => (Flags & EncryptedFlag) != 0;

    /// <summary>Whether only a descriptor after the data has the lengths.</summary>
    public bool HasUnknownLength => (Flags & DescriptorFlag) != 0 && CompressedLength == 0;

    /// <summary>
    /// Reads the header at the start of <paramref name="source"/>; false if it is missing or cut.
    /// </summary>
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

        // A local header has no offset. As 0 is not a full value, nothing is read for it.
        long noOffset = 0;
        if (
            !Zip64Field.TryExpand(
                source.Slice(FixedLengthBytes + nameLength, extraLength),
                ref length,
                ref compressedLength,
                ref noOffset
            )
        )
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
            lengthBytes
        );
        return true;
    }

    public bool BelongsTo(ReadOnlySpan<byte> source, ushort method, ReadOnlySpan<byte> name) =>
        Method == method && source.Slice(FixedLengthBytes, NameLength).SequenceEqual(name);
}
