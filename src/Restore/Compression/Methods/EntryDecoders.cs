using System.IO.Compression;
using System.IO.Hashing;
using Restore.Compression.Zip;

namespace Restore.Compression.Methods;

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

/// <summary>Decodes entries of one compression method. May hold state that is expensive to create; one user at a time.</summary>
internal interface IEntryDecoder : IDisposable
{
    /// <summary>Decodes a whole entry; false if the data is damaged or does not have exactly the length of <paramref name="destination"/>. Writes nothing
    /// beyond it.</summary>
    bool TryDecode(ReadOnlyMemory<byte> data, Span<byte> destination);

    /// <summary>The stream is independent of this decoder. The data must stay valid as long as the stream is used.</summary>
    Stream Open(ReadOnlyMemory<byte> data, long lengthBytes);
}

/// <summary>For methods whose library only decodes piece by piece.</summary>
internal sealed class StreamDecoder(Func<ReadOnlyMemory<byte>, long, Stream> open) : IEntryDecoder
{
    public bool TryDecode(ReadOnlyMemory<byte> data, Span<byte> destination)
    {
        try
        {
            using Stream decoded = open(data, destination.Length);
            return decoded.ReadAtLeast(destination, destination.Length, throwOnEndOfStream: false) == destination.Length
                && decoded.ReadByte() < 0;
        }
        catch (InvalidDataException)
        {
            return false;
        }
    }

    public Stream Open(ReadOnlyMemory<byte> data, long lengthBytes) => open(data, lengthBytes);

    public void Dispose()
    {
    }
}

/// <summary>Decodes Deflate: whole entries by libdeflate, streams by <see cref="DeflateStream"/>.</summary>
internal sealed class DeflateDecoder(LibDeflate library) : IEntryDecoder
{
    private nint decompressor;

    public static Stream OpenStream(ReadOnlyMemory<byte> data) => new DeflateStream(new MemoryReadStream(data), CompressionMode.Decompress);

    public bool TryDecode(ReadOnlyMemory<byte> data, Span<byte> destination)
    {
        if (decompressor == 0)
        {
            decompressor = library.CreateDecompressor();
        }

        return library.TryInflate(decompressor, data.Span, destination);
    }

    public Stream Open(ReadOnlyMemory<byte> data, long lengthBytes) => OpenStream(data);

    public void Dispose()
    {
        if (decompressor != 0)
        {
            library.FreeDecompressor(decompressor);
            decompressor = 0;
        }
    }
}
