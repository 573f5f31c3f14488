namespace Restore.Compression.Zip;

/// <summary>Finds the central directory of a zip archive from the end of the archive.</summary>
internal static class ZipDirectory
{
    /// <summary>
    /// A tail of this length is always enough: end record with the longest comment, zip64 locator,
    /// zip64 end record.
    /// </summary>
    public const int MaxTailBytes = EndLength + ushort.MaxValue + LocatorLength + EndLength64;

    private const int EndLength = 22;
    private const int LocatorLength = 20;
    private const int EndLength64 = 56;

    private static ReadOnlySpan<byte> EndSignature => "PK\x05\x06"u8;

    private static ReadOnlySpan<byte> LocatorSignature => "PK\x06\x07"u8;

    private static ReadOnlySpan<byte> EndSignature64 => "PK\x06\x06"u8;

    /// <summary>Finds the directory; null if the tail is too short.</summary>
    public static ZipDirectoryLocation? Locate(ReadOnlySpan<byte> tail, long archiveLengthBytes)
    {
        bool tailIsEnough = tail.Length >= Math.Min(archiveLengthBytes, MaxTailBytes);
        int end = FindEnd(tail);
        if (end < 0)
        {
            return tailIsEnough
                ? throw new InvalidDataException(
                    "The zip archive has no end record; it is cut, or is not a zip archive"
                )
                : null;
        }

        if (end < LocatorLength + EndLength64 && !tailIsEnough)
        {
            return null;
        }

        ReadOnlySpan<byte> record = tail[end..];
        bool hasLocator = end >= LocatorLength && tail[(end - LocatorLength)..].StartsWith(LocatorSignature);
        ZipDirectoryLocation location = hasLocator
            ? ReadEnd64(tail, end, archiveLengthBytes - tail.Length)
            : ReadEnd(record);
        Require(
            !hasLocator || Agrees(record, location),
            "The two end records of the zip archive contradict each other"
        );

        // The directory ends where the end records begin. Its offset and its length must agree with
        // that place.
        long directoryEnd = archiveLengthBytes - tail.Length + end - (hasLocator ? LocatorLength + EndLength64 : 0);
        Require(
            location.LengthBytes <= directoryEnd && location.OffsetBytes == directoryEnd - location.LengthBytes,
            "The directory of the zip archive is not where its end record says"
        );
        Require(
            location.EntryCount <= location.LengthBytes / ZipDirectoryReader.MinEntryLengthBytes
                && (location.EntryCount > 0 || directoryEnd == 0),
            $"The end record of the zip archive gives {location.EntryCount} entries, which is impossible"
        );
        return location;
    }

    private static int FindEnd(ReadOnlySpan<byte> tail)
    {
        // The comment must reach to the very end: bytes after it mean that something was appended,
        // or that this is not an end record.
        int searchFrom = Math.Max(0, tail.Length - EndLength - ushort.MaxValue);
        ReadOnlySpan<byte> searched = tail[searchFrom..];
        while (searched.LastIndexOf(EndSignature) is int at and >= 0)
        {
            ReadOnlySpan<byte> record = tail[(searchFrom + at)..];
            if (
                record.Length >= EndLength
                && record.Length == EndLength + BinaryPrimitives.ReadUInt16LittleEndian(record[20..])
            )
            {
                return searchFrom + at;
            }

            searched = searched[..(at + EndSignature.Length - 1)];
        }

        return -1;
    }

    private static ZipDirectoryLocation ReadEnd(ReadOnlySpan<byte> record)
    {
        int disks =
            BinaryPrimitives.ReadUInt16LittleEndian(record[4..]) | BinaryPrimitives.ReadUInt16LittleEndian(record[6..]);
        int entriesHere = BinaryPrimitives.ReadUInt16LittleEndian(record[8..]);
        int entries = BinaryPrimitives.ReadUInt16LittleEndian(record[10..]);
        RequireOneDisk(disks == 0 && entriesHere == entries);
        return new ZipDirectoryLocation(
            BinaryPrimitives.ReadUInt32LittleEndian(record[16..]),
            BinaryPrimitives.ReadUInt32LittleEndian(record[12..]),
            entries
        );
    }

    private static ZipDirectoryLocation ReadEnd64(ReadOnlySpan<byte> tail, int end, long tailOffset)
    {
        ReadOnlySpan<byte> locator = tail[(end - LocatorLength)..];

        // The record lies just before its locator. Its length field does not count the first 12
        // bytes.
        int at = end - LocatorLength - EndLength64;
        bool isWhereItSays =
            at >= 0
            && BinaryPrimitives.ReadUInt64LittleEndian(locator[8..]) == (ulong)(tailOffset + at)
            && tail[at..].StartsWith(EndSignature64)
            && BinaryPrimitives.ReadUInt64LittleEndian(tail[(at + 4)..]) == EndLength64 - 12;
        Require(isWhereItSays, "The zip64 end record of the archive is not where its locator says");

        ReadOnlySpan<byte> record = tail[at..];
        uint disks =
            BinaryPrimitives.ReadUInt32LittleEndian(record[16..])
            | BinaryPrimitives.ReadUInt32LittleEndian(record[20..])
            | BinaryPrimitives.ReadUInt32LittleEndian(locator[4..]);
        long entriesHere = BinaryPrimitives.ReadInt64LittleEndian(record[24..]);
        long entries = BinaryPrimitives.ReadInt64LittleEndian(record[32..]);
        RequireOneDisk(
            disks == 0 && BinaryPrimitives.ReadUInt32LittleEndian(locator[16..]) <= 1 && entriesHere == entries
        );

        long length = BinaryPrimitives.ReadInt64LittleEndian(record[40..]);
        long offset = BinaryPrimitives.ReadInt64LittleEndian(record[48..]);
        Require(
            entries >= 0 && length >= 0 && offset >= 0,
            "The zip64 end record of the archive has numbers above 2^63-1"
        );
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

    private static void RequireOneDisk(bool isOneDisk) =>
        Require(isOneDisk, "The zip archive is one part of several; such archives are not supported");

    private static void Require(bool condition, string message)
    {
        if (!condition)
        {
            throw new InvalidDataException(message);
        }
    }
}

/// <summary>All entries lie before the directory.</summary>
internal readonly record struct ZipDirectoryLocation(long OffsetBytes, long LengthBytes, long EntryCount);
