using System.IO.Hashing;
using Restore.Compression.Methods;

namespace Restore.Compression.Zip;

/// <summary>
/// Decodes archive entries from their compressed data, with one decoder per method, created at its
/// first use and kept. Also for compressed data without the archive (ranges of a remote volume).
/// One user at a time.
/// </summary>
internal sealed class EntryDecoders(Codecs codecs) : IDisposable
{
    private readonly Dictionary<ushort, IEntryDecoder> byMethod = [];

    public DecodeResult Decode(in ArchiveEntry entry, ReadOnlyMemory<byte> data, Span<byte> destination, bool checkCrc)
    {
        if (entry.Length != destination.Length || !TryDecode(entry.Method, data, destination))
        {
            return DecodeResult.Damaged;
        }

        return !checkCrc || Crc32.HashToUInt32(destination) == entry.Crc32
            ? DecodeResult.Decoded
            : DecodeResult.CrcMismatch;
    }

    public Stream Open(in ArchiveEntry entry, ReadOnlyMemory<byte> data, long maxLengthBytes, string displayName)
    {
        EntryStream.RequireLength(entry.Length, maxLengthBytes, displayName);
        Stream decoded = IsPlain(entry.Method, data.Length, entry.Length)
            ? new MemoryReadStream(data)
            : For(entry.Method).Open(data, entry.Length);
        return new EntryStream(decoded, entry.Length, displayName, entry.Crc32);
    }

    /// <summary>Opens what is left of an entry.</summary>
    /// <param name="isCut">Whether its end is known to be lost, and with it length and
    /// checksum.</param>
    public SalvagedStream OpenSalvaged(
        in ArchiveEntry entry,
        ReadOnlyMemory<byte> data,
        long maxLengthBytes,
        bool isCut
    )
    {
        long length = isCut ? ZipSalvager.UnknownLength : entry.Length;
        Stream decoded = IsPlain(entry.Method, data.Length, entry.Length)
            ? new MemoryReadStream(data)
            : For(entry.Method).Open(data, length);
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
    private static bool IsPlain(ushort method, long dataLength, long length) =>
        method == ZipMethod.Stored || (dataLength == 0 && length == 0);

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
