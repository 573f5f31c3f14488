using Restore.Compression.Zip;

namespace Restore.Compression.Tar;

/// <summary>A tar archive that is decompressed as it is walked: entries in order, only the current one can be decoded.</summary>
internal sealed class TarArchiveReader : Archive
{
    // Nothing that gzip wrote decodes to more than 1,032 times its length, so this never stops a tgz; a tzstd beyond it is a bomb.
    private const long MaxRatio = 1032;
    private const long AlwaysAllowedBytes = 1L << 30;

    // Archives are commonly padded to 10 KiB; whatever follows the end is read only so that the checksum of the compressed stream gets checked.
    private const int MaxPaddingBytes = 1 << 20;

    private readonly Stream stream;
    private readonly long maxLengthBytes;
    private readonly byte[] header = new byte[TarHeader.LengthBytes];
    private readonly byte[] discarded = new byte[16 * 1024];
    private ArchiveEntry current;
    private long position;
    private long nextHeader;
    private bool hasEndEntry;
    private bool isAtEnd;
    private InvalidDataException? failure;

    /// <summary>Reads the archive from a decompressing stream, which it then owns.</summary>
    public TarArchiveReader(Stream stream, long compressedLengthBytes)
    {
        this.stream = stream;
        maxLengthBytes = AlwaysAllowedBytes + (MaxRatio * compressedLengthBytes);
    }

    public override bool IsRandomAccess => false;

    private static ReadOnlySpan<byte> EndEntryName => ".eof-header"u8;

    /// <summary>Goes to the next entry; false at the end.</summary>
    /// <exception cref="InvalidDataException">The stream is damaged or cut off; the entries before are what could be read.</exception>
    public override bool MoveNext(out ArchiveEntry entry)
    {
        entry = default;
        while (!isAtEnd && MoveToNextHeader(out TarHeader found))
        {
            long dataStart = position;
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
            return Fill(destination) == destination.Length ? DecodeResult.Decoded : DecodeResult.Damaged;
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

    public override void Dispose()
    {
        stream.Dispose();
        base.Dispose();
    }

    private static long PaddedLength(long length) => (length + TarHeader.LengthBytes - 1) / TarHeader.LengthBytes * TarHeader.LengthBytes;

    private bool MoveToNextHeader(out TarHeader found)
    {
        found = default;
        Skip(nextHeader - position);
        int length = Fill(header);
        if (length == 0 && hasEndEntry)
        {
            return false;
        }

        if (length < TarHeader.LengthBytes)
        {
            throw Fail("is cut off");
        }

        if (!header.AsSpan().ContainsAnyExcept((byte)0))
        {
            ReadPadding();
            return false;
        }

        bool isSound = TarHeader.TryRead(header, out found) && found.Length <= maxLengthBytes - position;
        return isSound ? true : throw Fail("has a damaged header");
    }

    private void ReadPadding()
    {
        for (int left = MaxPaddingBytes; left > 0;)
        {
            int length = ReadDecoded(discarded);
            if (length == 0)
            {
                return;
            }

            left -= length;
        }

        throw Fail("goes on after its end");
    }

    private void Skip(long lengthBytes)
    {
        while (lengthBytes > 0)
        {
            int length = ReadDecoded(discarded.AsSpan(0, (int)Math.Min(lengthBytes, discarded.Length)));
            lengthBytes -= length == 0 ? throw Fail("is cut off") : length;
        }
    }

    private int Fill(Span<byte> buffer)
    {
        int filled = 0;
        while (filled < buffer.Length && ReadDecoded(buffer[filled..]) is int length and > 0)
        {
            filled += length;
        }

        return filled;
    }

    private int ReadDecoded(Span<byte> buffer)
    {
        if (failure is not null)
        {
            throw failure;
        }

        try
        {
            int length = stream.Read(buffer);
            position += length;
            return position <= maxLengthBytes ? length : throw Fail("decompresses to more than any sound volume does");
        }
        catch (InvalidDataException error) when (failure is null)
        {
            throw Fail("does not decompress", error);
        }
    }

    private InvalidDataException Fail(string what, Exception? cause = null) => failure = new InvalidDataException($"The tar archive {what}", cause);

    /// <summary>The stream has no way back: an entry can be had once, while it is the current one.</summary>
    private void RequireUnread(in ArchiveEntry entry)
    {
        if (entry != current || position != entry.DataOffset)
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

            long left = entry.DataOffset + entry.Length - archive.position;
            return archive.ReadDecoded(buffer[..(int)Math.Min(buffer.Length, left)]);
        }
    }
}
