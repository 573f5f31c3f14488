using Restore.Compression.Zip;

namespace Restore.Compression.Tar;

/// <summary>
/// A tar archive that is decompressed as it is walked: entries in order, only the current one can
/// be decoded.
/// </summary>
internal sealed class TarArchiveReader : Archive
{
    private readonly TarInput input;
    private readonly byte[] header = new byte[TarHeader.LengthBytes];
    private ArchiveEntry current;
    private long nextHeader;
    private bool hasEndEntry;
    private bool isAtEnd;

    public TarArchiveReader(Stream stream, long compressedLengthBytes) =>
        input = new TarInput(stream, compressedLengthBytes);

    public override bool IsRandomAccess => false;

    private static ReadOnlySpan<byte> EndEntryName => ".eof-header"u8;

    /// <summary>
    /// If the stream is damaged or cut, the entries before the defect were readable.
    /// </summary>
    public override bool MoveNext(out ArchiveEntry entry)
    {
        entry = default;
        while (!isAtEnd && MoveToNextHeader(out TarHeader found))
        {
            long dataStart = input.Position;
            nextHeader = dataStart + PaddedLength(found.Length);

            // A tar archive has no checksum or compression for each entry: the stream around it has
            // both.
            entry = current = new ArchiveEntry(
                0,
                found.NameLength,
                dataStart,
                found.Length,
                found.Length,
                0,
                ZipMethod.Stored
            );
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

    private static long PaddedLength(long length) =>
        (length + TarHeader.LengthBytes - 1) / TarHeader.LengthBytes * TarHeader.LengthBytes;

    private bool MoveToNextHeader(out TarHeader found)
    {
        found = default;
        input.Skip(nextHeader - input.Position);
        int length = input.Fill(header);

        // An archive with the entry that marks its end may have no blocks of zeros. Any other
        // archive that ends here was cut.
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

    /// <summary>
    /// The stream is forward-only: an entry can be read once, while it is the current one.
    /// </summary>
    private void RequireUnread(in ArchiveEntry entry)
    {
        if (entry != current || input.Position != entry.DataOffset)
        {
            throw new InvalidOperationException(
                "An entry of a tar archive can be decoded once, and only before the next one is moved to"
            );
        }
    }

    private sealed class CurrentEntryStream(TarArchiveReader archive, ArchiveEntry entry) : ForwardReadStream
    {
        public override int Read(Span<byte> buffer)
        {
            if (entry != archive.current)
            {
                throw new InvalidOperationException(
                    "An entry of a tar archive can be read only before the next one is moved to"
                );
            }

            long left = entry.DataOffset + entry.Length - archive.input.Position;
            return archive.input.Read(buffer[..(int)Math.Min(buffer.Length, left)]);
        }
    }
}
