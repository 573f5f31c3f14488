using Restore.Compression.Zip;

namespace Restore.Compression.Tar;

/// <summary>A tar archive that is decompressed as it is walked: entries in order, only the current one can be decoded.</summary>
internal sealed class TarArchiveReader : Archive
{
    private readonly TarInput input;
    private readonly byte[] header = new byte[TarHeader.LengthBytes];
    private ArchiveEntry current;
    private long nextHeader;
    private bool hasEndEntry;
    private bool isAtEnd;

    public TarArchiveReader(Stream stream, long compressedLengthBytes) => input = new TarInput(stream, compressedLengthBytes);

    public override bool IsRandomAccess => false;

    private static ReadOnlySpan<byte> EndEntryName => ".eof-header"u8;

    /// <summary>If the stream is damaged or cut, the entries before the defect were readable.</summary>
    public override bool MoveNext(out ArchiveEntry entry)
    {
        entry = default;
        while (!isAtEnd && MoveToNextHeader(out TarHeader found))
        {
            long dataStart = input.Position;
            nextHeader = dataStart + PaddedLength(found.Length);
            entry = current = new ArchiveEntry(0, found.NameLength, dataStart, found.Length, found.Length, 0, ZipMethod.Stored);
            bool isEndEntry = NameOf(entry).SequenceEqual(EndEntryName);
            hasEndEntry |= isEndEntry;
            if (found.IsFile && !isEndEntry)
            {
                return true;
            }
        }

        isAtEnd = true;
        entry = default;
        return false;
    }

    public override ReadOnlySpan<byte> NameOf(in ArchiveEntry entry) => header.AsSpan(0, entry.NameLength);

    public override DecodeResult Decode(in ArchiveEntry entry, Span<byte> destination, bool checkCrc)
    {
        RequireUnread(entry);
        if (entry.Length != destination.Length)
        {
            return DecodeResult.Damaged;
        }

        try
        {
            return input.Fill(destination) == destination.Length ? DecodeResult.Decoded : DecodeResult.Damaged;
        }
        catch (InvalidDataException)
        {
            return DecodeResult.Damaged;
        }
    }

    public override Stream Open(in ArchiveEntry entry, long maxLengthBytes)
    {
        RequireUnread(entry);
        string name = EntryName.ForDisplay(NameOf(entry));
        EntryStream.RequireLength(entry.Length, maxLengthBytes, name);
        return new EntryStream(new CurrentEntryStream(this, entry), entry.Length, name);
    }

    public override SalvagedStream OpenSalvaged(in ArchiveEntry entry, long maxLengthBytes)
    {
        RequireUnread(entry);
        return new SalvagedStream(new CurrentEntryStream(this, entry), entry.Length, expectedCrc: null, maxLengthBytes);
    }

    public override void Dispose()
    {
        input.Dispose();
        base.Dispose();
    }

    private static long PaddedLength(long length) => (length + TarHeader.LengthBytes - 1) / TarHeader.LengthBytes * TarHeader.LengthBytes;

    private bool MoveToNextHeader(out TarHeader found)
    {
        found = default;
        input.Skip(nextHeader - input.Position);
        int length = input.Fill(header);
        if (length == 0 && hasEndEntry)
        {
            return false;
        }

        if (length < TarHeader.LengthBytes)
        {
            throw input.Fail("is cut off");
        }

        if (!header.AsSpan().ContainsAnyExcept((byte)0))
        {
            input.ReadPadding();
            return false;
        }

        bool isSound = TarHeader.TryRead(header, out found) && found.Length <= input.AllowedBytes;
        return isSound ? true : throw input.Fail("has a damaged header");
    }

    /// <summary>The stream is forward-only: an entry can be read once, while it is the current one.</summary>
    private void RequireUnread(in ArchiveEntry entry)
    {
        if (entry != current || input.Position != entry.DataOffset)
        {
            throw new InvalidOperationException("An entry of a tar archive can be decoded once, and only before the next one is moved to");
        }
    }

    private sealed class CurrentEntryStream(TarArchiveReader archive, ArchiveEntry entry) : ForwardReadStream
    {
        public override int Read(Span<byte> buffer)
        {
            if (entry != archive.current)
            {
                throw new InvalidOperationException("An entry of a tar archive can be read only before the next one is moved to");
            }

            long left = entry.DataOffset + entry.Length - archive.input.Position;
            return archive.input.Read(buffer[..(int)Math.Min(buffer.Length, left)]);
        }
    }
}

/// <summary>The decompressed bytes of a tar archive: forward-only, and no more than a sound volume has. After a failure every read fails.</summary>
internal sealed class TarInput(Stream stream, long compressedLengthBytes) : IDisposable
{
    // gzip data decodes to at most 1,032 times its length, so the limit never stops a sound tgz; a tzstd beyond it is a bomb.
    private const long MaxRatio = 1032;
    private const long AlwaysAllowedBytes = 1L << 30;

    // Archives are commonly padded to 10 KiB. What follows the end is read only to check the checksum of the compressed stream.
    private const int MaxPaddingBytes = 1 << 20;

    private readonly long maxLengthBytes = AlwaysAllowedBytes + (MaxRatio * compressedLengthBytes);
    private readonly byte[] discarded = new byte[16 * 1024];
    private InvalidDataException? failure;
    public long Position { get; private set; }

    /// <summary>How many more bytes the archive may have.</summary>
    public long AllowedBytes => maxLengthBytes - Position;

    public int Read(Span<byte> buffer)
    {
        if (failure is not null)
        {
            throw failure;
        }

        try
        {
            int length = stream.Read(buffer);
            Position += length;
            return Position <= maxLengthBytes ? length : throw Fail("decompresses to more than any sound volume does");
        }
        catch (InvalidDataException error) when (failure is null)
        {
            throw Fail("does not decompress", error);
        }
    }

    public int Fill(Span<byte> buffer)
    {
        int filled = 0;
        while (filled < buffer.Length && Read(buffer[filled..]) is int length and > 0)
        {
            filled += length;
        }

        return filled;
    }

    public void Skip(long lengthBytes)
    {
        while (lengthBytes > 0)
        {
            int length = Read(discarded.AsSpan(0, (int)Math.Min(lengthBytes, discarded.Length)));
            lengthBytes -= length == 0 ? throw Fail("is cut off") : length;
        }
    }

    /// <summary>Reads what follows the end, so that the checksum of the compressed stream is checked.</summary>
    public void ReadPadding()
    {
        for (int left = MaxPaddingBytes; left > 0;)
        {
            int length = Read(discarded);
            if (length == 0)
            {
                return;
            }

            left -= length;
        }

        throw Fail("continues after its end");
    }

    public InvalidDataException Fail(string what, Exception? cause = null) => failure = new InvalidDataException($"The tar archive {what}", cause);

    public void Dispose() => stream.Dispose();
}

/// <summary>The name starts the header; the content is padded to a multiple of the header's length.</summary>
internal readonly record struct TarHeader(bool IsFile, int NameLength, long Length)
{
    /// <summary>Length of a header, and the unit that everything in a tar archive is padded to.</summary>
    public const int LengthBytes = 512;

    private const int MaxNameLength = 100;
    private const byte BinaryNumber = 0x80;

    /// <summary>Reads a header; false if its checksum is wrong or its length is not a number.</summary>
    public static bool TryRead(ReadOnlySpan<byte> source, out TarHeader header)
    {
        header = default;
        if (!TryReadNumber(source.Slice(148, 8), out long checksum) || checksum != Checksum(source) || !TryReadNumber(source.Slice(124, 12), out long length))
        {
            return false;
        }

        int nameLength = source[..MaxNameLength].IndexOf((byte)0);
        header = new TarHeader(source[156] is (byte)'0' or 0, nameLength < 0 ? MaxNameLength : nameLength, length);
        return true;
    }

    /// <summary>The sum of all bytes, with those of the checksum itself counted as blanks.</summary>
    private static long Checksum(ReadOnlySpan<byte> source)
    {
        long sum = 8 * ' ';
        for (int i = 0; i < LengthBytes; i++)
        {
            sum += i is >= 148 and < 156 ? 0 : source[i];
        }

        return sum;
    }

    /// <summary>Octal digits, ended by a blank or a zero byte; larger numbers are binary, marked by the first bit.</summary>
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
