using System.IO.Hashing;
using Restore.Compression.Methods;

namespace Restore.Compression.Zip;

/// <summary>A zip archive in memory. Opening it checks the whole directory. If the directory is missing or wrong, the entries are found by their local headers
/// instead (<see cref="IsSalvaged"/>). Decoding an entry checks its own local header.</summary>
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

    /// <param name="keepsCut">Whether a salvaged archive has entries whose end is lost, too.</param>
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
            RequireAnyEntry(salvager);
        }
    }

    /// <summary>Opens parts of an archive whose directory was read before; the entries have their places in <paramref name="bytes"/>.</summary>
    public ZipArchiveReader(ReadOnlyMemory<byte> bytes, IReadOnlyList<ArchiveEntry> entries, int dataLength, Codecs codecs)
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

    public override ReadOnlySpan<byte> NameOf(in ArchiveEntry entry) => bytes.Span.Slice(entry.NameOffset, entry.NameLength);

    public override DecodeResult Decode(in ArchiveEntry entry, Span<byte> destination, bool checkCrc) =>
        TryGetData(entry, out ReadOnlyMemory<byte> data) ? decoders.Decode(entry, data, destination, checkCrc) : DecodeResult.Damaged;

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
            : throw new InvalidDataException($"The local header of the archive entry '{name}' is not what the directory of the zip archive says");
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

    /// <summary>The data of an entry whose local header is damaged: the directory says how long it is, and the names that Duplicati gives have no extra
    /// fields. What is wrong shows when it is decoded.</summary>
    private ReadOnlyMemory<byte> DataBefore(in ArchiveEntry entry)
    {
        int start = (int)Math.Min(entry.DataOffset + ZipLocalHeader.FixedLengthBytes + entry.NameLength, directoryOffset);
        return bytes[start..(int)Math.Min(start + entry.CompressedLength, directoryOffset)];
    }

    private static ZipDirectoryLocation CheckedDirectory(ReadOnlySpan<byte> archive)
    {
        ZipDirectoryLocation location = ZipDirectory.Locate(archive, archive.Length)
            ?? throw new InvalidDataException("The zip archive has no end record");
        ReadOnlySpan<byte> directory = archive.Slice((int)location.OffsetBytes, (int)location.LengthBytes);
        var reader = new ZipDirectoryReader(location);
        while (reader.MoveNext(directory, out _))
        {
        }

        return location;
    }

    private void RequireAnyEntry(ZipSalvager copy)
    {
        if (!copy.MoveNext(bytes.Span, out _))
        {
            throw new InvalidDataException($"{salvageReason}; no entry could be found without its directory either");
        }
    }

    /// <summary>Finds the data behind the local header of an entry; false if the header belongs to another entry.</summary>
    private bool TryGetData(in ArchiveEntry entry, out ReadOnlyMemory<byte> data)
    {
        data = default;
        ReadOnlyMemory<byte> source = bytes[(int)entry.DataOffset..directoryOffset];
        if (!ZipLocalHeader.TryRead(source.Span, out ZipLocalHeader header)
            || !header.BelongsTo(source.Span, entry.Method, NameOf(entry))
            || entry.CompressedLength > source.Length - header.LengthBytes)
        {
            return false;
        }

        if (header.IsEncrypted)
        {
            throw new UnsupportedMethodException(
                $"The archive entry '{EntryName.ForDisplay(NameOf(entry))}' is encrypted by the zip format itself; "
                + "Duplicati encrypts whole volumes and never writes such entries; they are not read");
        }

        data = source.Slice(header.LengthBytes, (int)entry.CompressedLength);
        return true;
    }
}

/// <summary>Decodes archive entries from their compressed data, with one decoder per method, created at its first use and kept. Also for compressed data
/// without the archive (ranges of a remote volume). One user at a time.</summary>
internal sealed class EntryDecoders(Codecs codecs) : IDisposable
{
    private readonly Dictionary<ushort, IEntryDecoder> byMethod = [];

    public DecodeResult Decode(in ArchiveEntry entry, ReadOnlyMemory<byte> data, Span<byte> destination, bool checkCrc)
    {
        if (entry.Length != destination.Length || !TryDecode(entry.Method, data, destination))
        {
            return DecodeResult.Damaged;
        }

        return !checkCrc || Crc32.HashToUInt32(destination) == entry.Crc32 ? DecodeResult.Decoded : DecodeResult.CrcMismatch;
    }

    public Stream Open(in ArchiveEntry entry, ReadOnlyMemory<byte> data, long maxLengthBytes, string displayName)
    {
        EntryStream.RequireLength(entry.Length, maxLengthBytes, displayName);
        Stream decoded = IsPlain(entry.Method, data.Length, entry.Length) ? new MemoryReadStream(data) : For(entry.Method).Open(data, entry.Length);
        return new EntryStream(decoded, entry.Length, displayName, entry.Crc32);
    }

    /// <summary>Opens what is left of an entry.</summary>
    /// <param name="isCut">Whether its end is known to be lost, and with it length and checksum.</param>
    public SalvagedStream OpenSalvaged(in ArchiveEntry entry, ReadOnlyMemory<byte> data, long maxLengthBytes, bool isCut)
    {
        long length = isCut ? ZipSalvager.UnknownLength : entry.Length;
        Stream decoded = IsPlain(entry.Method, data.Length, entry.Length) ? new MemoryReadStream(data) : For(entry.Method).Open(data, length);
        return new SalvagedStream(decoded, length, isCut ? null : entry.Crc32, maxLengthBytes);
    }

    public void Dispose()
    {
        foreach (IEntryDecoder decoder in byMethod.Values)
        {
            decoder.Dispose();
        }

        byMethod.Clear();
    }

    private bool TryDecode(ushort method, ReadOnlyMemory<byte> data, Span<byte> destination)
    {
        if (IsPlain(method, data.Length, destination.Length))
        {
            return data.Length == destination.Length && data.Span.TryCopyTo(destination);
        }

        return For(method).TryDecode(data, destination);
    }

    /// <summary>Some writers leave out the two bytes that empty content deflates to.</summary>
    private static bool IsPlain(ushort method, long dataLength, long length) => method == ZipMethod.Stored || (dataLength == 0 && length == 0);

    private IEntryDecoder For(ushort method)
    {
        if (!byMethod.TryGetValue(method, out IEntryDecoder? decoder))
        {
            decoder = codecs.CreateDecoder(method);
            byMethod.Add(method, decoder);
        }

        return decoder;
    }
}
