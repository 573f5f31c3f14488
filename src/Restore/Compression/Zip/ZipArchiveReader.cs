namespace Restore.Compression.Zip;

/// <summary>
/// A zip archive in memory. Opening it checks the whole directory. If the directory is missing or
/// wrong, the entries are found by their local headers instead (<see cref="IsSalvaged"/>). Decoding
/// an entry checks its own local header.
/// </summary>
internal sealed class ZipArchiveReader : Archive
{
    private readonly ReadOnlyMemory<byte> bytes;
    private readonly EntryDecoders decoders;
    private readonly int directoryOffset;
    private readonly int directoryLength;
    private readonly string? salvageReason;
    private readonly IReadOnlyList<ArchiveEntry>? entries;
    private ZipDirectoryReader directoryReader;
    private ZipSalvager salvager;
    private int nextEntry;

    /// <param name="keepsCut">Whether a salvaged archive includes entries that lost their
    /// end.</param>
    public ZipArchiveReader(ReadOnlyMemory<byte> bytes, Codecs codecs, bool keepsCut = false)
    {
        this.bytes = bytes;
        decoders = new EntryDecoders(codecs);
        try
        {
            ZipDirectoryLocation location = CheckedDirectory(bytes.Span);
            directoryReader = new ZipDirectoryReader(location);
            directoryOffset = (int)location.OffsetBytes;
            directoryLength = (int)location.LengthBytes;
        }
        catch (InvalidDataException lie)
        {
            salvageReason = lie.Reason();
            salvager = new ZipSalvager(bytes.Length, keepsCut);
            directoryOffset = bytes.Length;

            // The salvager is a struct: a copy looks for an entry, and the walk still begins at the
            // start.
            RequireAnyEntry(salvager);
        }
    }

    /// <summary>
    /// Opens parts of an archive after its directory was read. The offsets of the entries are
    /// places in <paramref name="bytes"/>.
    /// </summary>
    public ZipArchiveReader(
        ReadOnlyMemory<byte> bytes,
        IReadOnlyList<ArchiveEntry> entries,
        int dataLength,
        Codecs codecs
    )
    {
        this.bytes = bytes;
        this.entries = entries;
        directoryOffset = dataLength;
        decoders = new EntryDecoders(codecs);
    }

    public override bool IsRandomAccess => true;

    public override bool IsSalvaged => salvageReason is not null;

    public override string? SalvageReason => salvageReason;

    public override bool MoveNext(out ArchiveEntry entry)
    {
        if (entries is not null)
        {
            bool hasNext = nextEntry < entries.Count;
            entry = hasNext ? entries[nextEntry++] : default;
            return hasNext;
        }

        if (IsSalvaged)
        {
            return salvager.MoveNext(bytes.Span, out entry);
        }

        bool found = directoryReader.MoveNext(bytes.Span.Slice(directoryOffset, directoryLength), out entry);
        entry = entry with { NameOffset = entry.NameOffset + directoryOffset };
        return found;
    }

    public override ReadOnlySpan<byte> NameOf(in ArchiveEntry entry) =>
        bytes.Span.Slice(entry.NameOffset, entry.NameLength);

    public override DecodeResult Decode(in ArchiveEntry entry, Span<byte> destination, bool checkCrc) =>
        TryGetData(entry, out ReadOnlyMemory<byte> data)
            ? decoders.Decode(entry, data, destination, checkCrc)
            : DecodeResult.Damaged;

    public override bool TryGetStored(in ArchiveEntry entry, out ReadOnlyMemory<byte> data)
    {
        data = default;
        return entry.Method == ZipMethod.Stored && TryGetData(entry, out data);
    }

    public override bool TryGetDeflated(in ArchiveEntry entry, out ReadOnlyMemory<byte> data)
    {
        data = default;
        return entry.Method == ZipMethod.Deflate && TryGetData(entry, out data);
    }

    public override Stream Open(in ArchiveEntry entry, long maxLengthBytes)
    {
        string name = EntryName.ForDisplay(NameOf(entry));
        return TryGetData(entry, out ReadOnlyMemory<byte> data)
            ? decoders.Open(entry, data, maxLengthBytes, name)
            : throw new InvalidDataException(
                $"The local header of the archive entry '{name}' is not what the directory of the zip archive says"
            );
    }

    public override SalvagedStream OpenSalvaged(in ArchiveEntry entry, long maxLengthBytes)
    {
        bool isCut = IsSalvaged && entry.Length == ZipSalvager.UnknownLength;
        ReadOnlyMemory<byte> data = TryGetData(entry, out ReadOnlyMemory<byte> found) ? found : DataBefore(entry);
        return decoders.OpenSalvaged(entry, data, maxLengthBytes, isCut);
    }

    public override void Dispose()
    {
        decoders.Dispose();
        base.Dispose();
    }

    /// <summary>
    /// The data of an entry with a damaged local header. The directory says how long the data is,
    /// and the headers that Duplicati writes have no extra fields. If the place is wrong, decoding
    /// shows it.
    /// </summary>
    private ReadOnlyMemory<byte> DataBefore(in ArchiveEntry entry)
    {
        int start = (int)
            Math.Min(entry.DataOffset + ZipLocalHeader.FixedLengthBytes + entry.NameLength, directoryOffset);
        return bytes[start..(int)Math.Min(start + entry.CompressedLength, directoryOffset)];
    }

    private static ZipDirectoryLocation CheckedDirectory(ReadOnlySpan<byte> archive)
    {
        ZipDirectoryLocation location =
            ZipDirectory.Locate(archive, archive.Length)
            ?? throw new InvalidDataException("The zip archive has no end record");
        ReadOnlySpan<byte> directory = archive.Slice((int)location.OffsetBytes, (int)location.LengthBytes);
        var reader = new ZipDirectoryReader(location);

        // The whole directory is checked before any entry is used. A defect at its end is thus
        // found while the archive can still be salvaged.
        while (reader.MoveNext(directory, out _)) { }

        return location;
    }

    private void RequireAnyEntry(ZipSalvager copy)
    {
        if (!copy.MoveNext(bytes.Span, out _))
        {
            throw new InvalidDataException($"{salvageReason}; no entry could be found without its directory either");
        }
    }

    /// <summary>
    /// Finds the data behind the local header of an entry; false if the header belongs to another
    /// entry.
    /// </summary>
    private bool TryGetData(in ArchiveEntry entry, out ReadOnlyMemory<byte> data)
    {
        data = default;

        // The local header can have other extra fields than the directory, so only the local header
        // says where the data begins.
        ReadOnlyMemory<byte> source = bytes[(int)entry.DataOffset..directoryOffset];
        if (
            !ZipLocalHeader.TryRead(source.Span, out ZipLocalHeader header)
            || !header.BelongsTo(source.Span, entry.Method, NameOf(entry))
            || entry.CompressedLength > source.Length - header.LengthBytes
        )
        {
            return false;
        }

        if (header.IsEncrypted)
        {
            throw new UnsupportedMethodException(
                $"The archive entry '{EntryName.ForDisplay(NameOf(entry))}' is encrypted by the zip format itself; "
                    + "Duplicati encrypts whole volumes and never writes such entries; they are not read"
            );
        }

        data = source.Slice(header.LengthBytes, (int)entry.CompressedLength);
        return true;
    }
}
