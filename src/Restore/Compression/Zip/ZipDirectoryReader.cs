namespace Restore.Compression.Zip;

/// <summary>
/// Walks the central directory of a zip archive; needs only the bytes of the directory. Throws an
/// <see cref="InvalidDataException"/> for an impossible value. The entries'
/// <see cref="ArchiveEntry.NameOffset"/> counts from the start of the directory;
/// <see cref="ArchiveEntry.DataOffset"/> is the offset of the local header in the archive.
/// </summary>
internal struct ZipDirectoryReader(ZipDirectoryLocation location)
{
    /// <summary>
    /// Length of an entry of the directory without name, extra field and comment.
    /// </summary>
    public const int MinEntryLengthBytes = 46;

    private const int EncryptedFlag = 1;

    private int position;
    private long entriesRead;
    private long bytesClaimed;

    private static ReadOnlySpan<byte> Signature => "PK\x01\x02"u8;

    /// <summary>The directory has the same bytes at each call.</summary>
    public bool MoveNext(ReadOnlySpan<byte> directory, out ArchiveEntry entry)
    {
        entry = default;
        if (entriesRead == location.EntryCount)
        {
            return position == directory.Length ? false : throw Lie("is longer than its entries");
        }

        ReadOnlySpan<byte> source = directory[position..];
        if (source.Length < MinEntryLengthBytes || !source.StartsWith(Signature))
        {
            throw Lie("is broken");
        }

        int nameLength = BinaryPrimitives.ReadUInt16LittleEndian(source[28..]);
        int extraLength = BinaryPrimitives.ReadUInt16LittleEndian(source[30..]);
        int commentLength = BinaryPrimitives.ReadUInt16LittleEndian(source[32..]);
        int entryLength = MinEntryLengthBytes + nameLength + extraLength + commentLength;
        if (entryLength > source.Length)
        {
            throw Lie("reaches beyond its own end");
        }

        entry = Parse(source, nameLength, extraLength) with { NameOffset = position + MinEntryLengthBytes };
        position += entryLength;
        entriesRead++;
        CheckRange(entry);
        return true;
    }

    private readonly ArchiveEntry Parse(ReadOnlySpan<byte> source, int nameLength, int extraLength)
    {
        long compressedLength = BinaryPrimitives.ReadUInt32LittleEndian(source[20..]);
        long length = BinaryPrimitives.ReadUInt32LittleEndian(source[24..]);
        long headerOffset = BinaryPrimitives.ReadUInt32LittleEndian(source[42..]);
        ReadOnlySpan<byte> extra = source.Slice(MinEntryLengthBytes + nameLength, extraLength);
        if (!Zip64Field.TryExpand(extra, ref length, ref compressedLength, ref headerOffset))
        {
            throw Lie("has a zip64 field without the numbers it should have");
        }

        ushort method = BinaryPrimitives.ReadUInt16LittleEndian(source[10..]);
        bool isEncrypted = (BinaryPrimitives.ReadUInt16LittleEndian(source[8..]) & EncryptedFlag) != 0;

        // The encryption of zip adds bytes, so only there may the two lengths of a stored entry
        // differ.
        if (method == ZipMethod.Stored && !isEncrypted && length != compressedLength)
        {
            throw Lie("gives an uncompressed entry two lengths");
        }

        return new ArchiveEntry(
            0,
            nameLength,
            headerOffset,
            compressedLength,
            length,
            BinaryPrimitives.ReadUInt32LittleEndian(source[16..]),
            method
        );
    }

    private void CheckRange(in ArchiveEntry entry)
    {
        long minLength = ZipLocalHeader.FixedLengthBytes + entry.NameLength;
        bool isInside =
            entry.DataOffset <= location.OffsetBytes - minLength
            && entry.CompressedLength <= location.OffsetBytes - minLength - entry.DataOffset;
        if (!isInside)
        {
            throw Lie("has an entry outside the archive's data");
        }

        // Overlapping entries are how a small archive unpacks to terabytes. The sum of the lengths
        // reveals them without a list of all ranges.
        bytesClaimed += minLength + entry.CompressedLength;
        if (bytesClaimed > location.OffsetBytes)
        {
            throw Lie("has entries that overlap");
        }
    }

    private static InvalidDataException Lie(string what) => new($"The directory of the zip archive {what}");
}
