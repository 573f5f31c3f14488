using Restore.Compression.Zip;

namespace Restore.Compression.Methods;

/// <summary>
/// Decodes archive entries from their compressed data, with one decoder per method, created at its first use and kept.
/// Also for compressed data without the archive (ranges of a remote volume). One user at a time.
/// </summary>
internal sealed class EntryDecoders(Codecs codecs) : IDisposable
{
    private readonly Dictionary<ushort, IEntryDecoder> byMethod = [];

    /// <summary>Decodes an entry of exactly <paramref name="destination"/>'s length.</summary>
    /// <exception cref="UnsupportedMethodException">No decoder for the method.</exception>
    public DecodeResult Decode(in ArchiveEntry entry, ReadOnlyMemory<byte> data, Span<byte> destination, bool checkCrc)
    {
        if (entry.Length != destination.Length || !TryDecode(entry.Method, data, destination))
        {
            return DecodeResult.Damaged;
        }

        return !checkCrc || codecs.Crc32(destination) == entry.Crc32 ? DecodeResult.Decoded : DecodeResult.CrcMismatch;
    }

    /// <summary>Opens an entry as a stream that checks length and CRC.</summary>
    /// <exception cref="InvalidDataException">The entry claims to be longer than <paramref name="maxLengthBytes"/>.</exception>
    /// <exception cref="UnsupportedMethodException">No decoder for the method.</exception>
    public Stream Open(in ArchiveEntry entry, ReadOnlyMemory<byte> data, long maxLengthBytes, string displayName)
    {
        EntryStream.RequireLength(entry.Length, maxLengthBytes, displayName);
        Stream decoded = IsPlain(entry.Method, data.Length, entry.Length) ? new MemoryReadStream(data) : For(entry.Method).Open(data, entry.Length);
        return new EntryStream(decoded, entry.Length, displayName, codecs, entry.Crc32);
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
