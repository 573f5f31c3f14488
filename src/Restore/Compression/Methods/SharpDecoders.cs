using SharpCompress.Common;
using SharpCompress.Providers;

namespace Restore.Compression.Methods;

/// <summary>
/// Decoders for the rare methods, by SharpCompress. It answers damaged data with exceptions of many
/// kinds: all become <see cref="InvalidDataException"/>. None takes more than
/// <see cref="MaxMemoryBytes"/> for what the data asks for.
/// </summary>
internal static class SharpDecoders
{
    private const int MaxMemoryBytes = 128 << 20;

    public static MethodDecoder Deflate64 { get; } = Of(CompressionType.Deflate64);

    /// <summary>Takes at most 6 MiB.</summary>
    public static MethodDecoder BZip2 { get; } = Of(CompressionType.BZip2);

    public static MethodDecoder Lzma { get; } = Streaming(OpenLzma);

    /// <summary>The library itself refuses windows of more than 128 MiB.</summary>
    public static MethodDecoder Zstandard { get; } = Of(CompressionType.ZStandard);

    public static MethodDecoder Xz { get; } = Of(CompressionType.Xz);

    public static MethodDecoder Ppmd { get; } = Streaming((data, _) => OpenPpmd(data));

    private static MethodDecoder Of(CompressionType type) =>
        Streaming((data, lengthBytes) => Open(type, data, lengthBytes));

    private static MethodDecoder Streaming(Func<ReadOnlyMemory<byte>, long, Stream> open) =>
        MethodDecoder.Streaming("SharpCompress", open);

    private static GuardedStream OpenLzma(ReadOnlyMemory<byte> data, long lengthBytes)
    {
        // Two bytes of version, two with the length of the properties: lc, lp and pb in one byte,
        // and how far back the data may refer.
        const int StartBytes = 4;
        const int PropertiesBytes = 5;
        const int LeastDictionaryBytes = 4096;
        if (
            data.Length < StartBytes + PropertiesBytes
            || BinaryPrimitives.ReadUInt16LittleEndian(data.Span[2..]) != PropertiesBytes
        )
        {
            throw new InvalidDataException("The header of the LZMA data is damaged");
        }

        // No decoder looks back further than the data is long; a larger dictionary would only cost
        // memory.
        byte[] properties = data.Slice(StartBytes, PropertiesBytes).ToArray();
        long claimedBytes = BinaryPrimitives.ReadUInt32LittleEndian(properties.AsSpan(1));
        long dictionaryBytes =
            lengthBytes < 0 ? claimedBytes : Math.Min(claimedBytes, Math.Max(LeastDictionaryBytes, lengthBytes));
        if (dictionaryBytes > MaxMemoryBytes)
        {
            throw new InvalidDataException("The LZMA data needs more than 128 MiB to decode");
        }

        BinaryPrimitives.WriteUInt32LittleEndian(properties.AsSpan(1), (uint)dictionaryBytes);
        return Open(CompressionType.LZMA, data[(StartBytes + PropertiesBytes)..], lengthBytes, properties);
    }

    private static GuardedStream OpenPpmd(ReadOnlyMemory<byte> data)
    {
        // Two bytes: the order of the model less 1, its memory in MiB less 1, and how it starts
        // over when that is full.
        int parameters = data.Length < 2 ? 0 : BinaryPrimitives.ReadUInt16LittleEndian(data.Span);
        int order = (parameters & 0xF) + 1;
        int modelBytes = (((parameters >> 4) & 0xFF) + 1) << 20;
        return order >= 2 && modelBytes <= MaxMemoryBytes
            ? Open(CompressionType.PPMd, data[2..], -1, data.Span[..2].ToArray())
            : throw new InvalidDataException(
                "The header of the PPMd data is damaged, or asks for more than 128 MiB to decode"
            );
    }

    private static GuardedStream Open(
        CompressionType type,
        ReadOnlyMemory<byte> data,
        long lengthBytes,
        byte[]? properties = null
    )
    {
        CompressionContext context = new()
        {
            InputSize = data.Length,
            OutputSize = lengthBytes,
            Properties = properties,
        };
        return new GuardedStream(() =>
            CompressionProviderRegistry.Default.CreateDecompressStream(type, new MemoryReadStream(data), context)
        );
    }

    private sealed class GuardedStream(Func<Stream> open) : ForwardReadStream
    {
        private Stream? decoded;

        public override int Read(Span<byte> buffer)
        {
            try
            {
                decoded ??= open();
                return decoded.Read(buffer);
            }
            catch (Exception error) when (error is not OutOfMemoryException)
            {
                throw new InvalidDataException("The compressed data is damaged", error);
            }
        }

        protected override void Dispose(bool disposing)
        {
            if (disposing)
            {
                decoded?.Dispose();
            }

            base.Dispose(disposing);
        }
    }
}
