namespace Restore.Compression.Zip;

/// <summary>Finds the central directory of a zip archive from the end of the archive.</summary>
internal static class ZipDirectory
{
    /// <summary>A tail of this length is always enough: end record with the longest comment, zip64 locator, zip64 end record.</summary>
    public const int MaxTailBytes = EndLength + ushort.MaxValue + LocatorLength + EndLength64;

    private const int EndLength = 22;
    private const int LocatorLength = 20;
    private const int EndLength64 = 56;

    private static ReadOnlySpan<byte> EndSignature => "PK\x05\x06"u8;

    private static ReadOnlySpan<byte> LocatorSignature => "PK\x06\x07"u8;

    private static ReadOnlySpan<byte> EndSignature64 => "PK\x06\x06"u8;

    /// <summary>Null if the tail is too short.</summary>
    public static ZipDirectoryLocation? Locate(ReadOnlySpan<byte> tail, long archiveLengthBytes)
    {
        bool tailIsEnough = tail.Length >= Math.Min(archiveLengthBytes, MaxTailBytes);
        int end = FindEnd(tail);
        if (end < 0)
        {
            return tailIsEnough ? throw new InvalidDataException("The zip archive has no end record; it is cut, or is not a zip archive") : null;
        }

        if (end < LocatorLength + EndLength64 && !tailIsEnough)
        {
            return null;
        }

        ReadOnlySpan<byte> record = tail[end..];
        bool hasLocator = end >= LocatorLength && tail[(end - LocatorLength)..].StartsWith(LocatorSignature);
        ZipDirectoryLocation location = hasLocator ? ReadEnd64(tail, end, archiveLengthBytes - tail.Length) : ReadEnd(record);
        Require(!hasLocator || Agrees(record, location), "The two end records of the zip archive contradict each other");

        long directoryEnd = archiveLengthBytes - tail.Length + end - (hasLocator ? LocatorLength + EndLength64 : 0);
        Require(
            location.LengthBytes <= directoryEnd && location.OffsetBytes == directoryEnd - location.LengthBytes,
            "The directory of the zip archive is not where its end record says");
        Require(
            location.EntryCount <= location.LengthBytes / ZipDirectoryReader.MinEntryLengthBytes && (location.EntryCount > 0 || directoryEnd == 0),
            $"The end record of the zip archive gives {location.EntryCount} entries, which is impossible");
        return location;
    }

    private static int FindEnd(ReadOnlySpan<byte> tail)
    {
        // The comment must reach to the very end: bytes after it mean that something was appended, or that this is not an end record.
        int searchFrom = Math.Max(0, tail.Length - EndLength - ushort.MaxValue);
        ReadOnlySpan<byte> searched = tail[searchFrom..];
        while (searched.LastIndexOf(EndSignature) is int at and >= 0)
        {
            ReadOnlySpan<byte> record = tail[(searchFrom + at)..];
            if (record.Length >= EndLength && record.Length == EndLength + BinaryPrimitives.ReadUInt16LittleEndian(record[20..]))
            {
                return searchFrom + at;
            }

            searched = searched[..(at + EndSignature.Length - 1)];
        }

        return -1;
    }

    private static ZipDirectoryLocation ReadEnd(ReadOnlySpan<byte> record)
    {
        int disks = BinaryPrimitives.ReadUInt16LittleEndian(record[4..]) | BinaryPrimitives.ReadUInt16LittleEndian(record[6..]);
        int entriesHere = BinaryPrimitives.ReadUInt16LittleEndian(record[8..]);
        int entries = BinaryPrimitives.ReadUInt16LittleEndian(record[10..]);
        RequireOneDisk(disks == 0 && entriesHere == entries);
        return new ZipDirectoryLocation(BinaryPrimitives.ReadUInt32LittleEndian(record[16..]), BinaryPrimitives.ReadUInt32LittleEndian(record[12..]), entries);
    }

    private static ZipDirectoryLocation ReadEnd64(ReadOnlySpan<byte> tail, int end, long tailOffset)
    {
        ReadOnlySpan<byte> locator = tail[(end - LocatorLength)..];
        int at = end - LocatorLength - EndLength64;
        bool isWhereItSays = at >= 0
            && BinaryPrimitives.ReadUInt64LittleEndian(locator[8..]) == (ulong)(tailOffset + at)
            && tail[at..].StartsWith(EndSignature64)
            && BinaryPrimitives.ReadUInt64LittleEndian(tail[(at + 4)..]) == EndLength64 - 12;
        Require(isWhereItSays, "The zip64 end record of the archive is not where its locator says");

        ReadOnlySpan<byte> record = tail[at..];
        uint disks = BinaryPrimitives.ReadUInt32LittleEndian(record[16..]) | BinaryPrimitives.ReadUInt32LittleEndian(record[20..])
            | BinaryPrimitives.ReadUInt32LittleEndian(locator[4..]);
        long entriesHere = BinaryPrimitives.ReadInt64LittleEndian(record[24..]);
        long entries = BinaryPrimitives.ReadInt64LittleEndian(record[32..]);
        RequireOneDisk(disks == 0 && BinaryPrimitives.ReadUInt32LittleEndian(locator[16..]) <= 1 && entriesHere == entries);

        long length = BinaryPrimitives.ReadInt64LittleEndian(record[40..]);
        long offset = BinaryPrimitives.ReadInt64LittleEndian(record[48..]);
        Require(entries >= 0 && length >= 0 && offset >= 0, "The zip64 end record of the archive has numbers above 2^63-1");
        return new ZipDirectoryLocation(offset, length, entries);
    }

    private static bool Agrees(ReadOnlySpan<byte> record, ZipDirectoryLocation location)
    {
        ushort entries = BinaryPrimitives.ReadUInt16LittleEndian(record[10..]);
        uint length = BinaryPrimitives.ReadUInt32LittleEndian(record[12..]);
        uint offset = BinaryPrimitives.ReadUInt32LittleEndian(record[16..]);
        return (entries == ushort.MaxValue || entries == location.EntryCount)
            && (length == uint.MaxValue || length == location.LengthBytes)
            && (offset == uint.MaxValue || offset == location.OffsetBytes);
    }

    private static void RequireOneDisk(bool isOneDisk) => Require(isOneDisk, "The zip archive is one part of several; such archives are not supported");

    private static void Require(bool condition, string message)
    {
        if (!condition)
        {
            throw new InvalidDataException(message);
        }
    }
}

/// <summary>
/// Walks the central directory of a zip archive; needs only the bytes of the directory.
/// An impossible value is an <see cref="InvalidDataException"/>.
/// The entries' <see cref="ArchiveEntry.NameOffset"/> counts from the start of the directory; <see cref="ArchiveEntry.DataOffset"/> is that of the local header
/// in the archive.
/// </summary>
internal struct ZipDirectoryReader(ZipDirectoryLocation location)
{
    /// <summary>Length of an entry of the directory without name, extra field and comment.</summary>
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
        if (method == ZipMethod.Stored && !isEncrypted && length != compressedLength)
        {
            throw Lie("gives an uncompressed entry two lengths");
        }

        return new ArchiveEntry(0, nameLength, headerOffset, compressedLength, length, BinaryPrimitives.ReadUInt32LittleEndian(source[16..]), method);
    }

    private void CheckRange(in ArchiveEntry entry)
    {
        long minLength = ZipLocalHeader.FixedLengthBytes + entry.NameLength;
        bool isInside = entry.DataOffset <= location.OffsetBytes - minLength
            && entry.CompressedLength <= location.OffsetBytes - minLength - entry.DataOffset;
        if (!isInside)
        {
            throw Lie("has an entry outside the archive's data");
        }

        // Overlapping entries are how a small archive unpacks to terabytes. The sum of the lengths reveals them without a list of all ranges.
        bytesClaimed += minLength + entry.CompressedLength;
        if (bytesClaimed > location.OffsetBytes)
        {
            throw Lie("has entries that overlap");
        }
    }

    private static InvalidDataException Lie(string what) => new($"The directory of the zip archive {what}");
}

/// <summary>All entries lie before the directory.</summary>
internal readonly record struct ZipDirectoryLocation(long OffsetBytes, long LengthBytes, long EntryCount);
