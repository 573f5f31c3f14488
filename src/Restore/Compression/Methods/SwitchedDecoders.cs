#if SHARPCOMPRESS
using System.Buffers.Binary;
using SharpCompress.Common;
using SharpCompress.Providers;
#endif

namespace Restore.Compression.Methods;

/// <summary>Decoders for the rare methods by SharpCompress, in a build with <c>-p:ZipLibrary=SharpCompress</c>; in any other build there are none.</summary>
internal static class SwitchedDecoders
{
#if SHARPCOMPRESS
    private const int MaxPpmdMegabytes = 128;
    private const uint MaxDictionaryBytes = 128 << 20;

    public static bool IsBuiltIn => true;

    /// <summary>A method whose data needs no preparation.</summary>
    /// <param name="type">The library's name of it.</param>
    public static MethodDecoder? Of(string type)
    {
        CompressionType method = Enum.Parse<CompressionType>(type);
        return Streaming((data, lengthBytes) => Open(method, data, lengthBytes));
    }

    public static MethodDecoder? Lzma() => Streaming(OpenLzma);

    public static MethodDecoder? Ppmd() => Streaming((data, _) => OpenPpmd(data));

    private static MethodDecoder Streaming(Func<ReadOnlyMemory<byte>, long, Stream> open) => MethodDecoder.Streaming("SharpCompress", open);

    private static GuardedStream OpenLzma(ReadOnlyMemory<byte> data, long lengthBytes)
    {
        LzmaHeader header = LzmaHeader.Read(data.Span, lengthBytes);
        if (header.DictionaryBytes > MaxDictionaryBytes)
        {
            throw new InvalidDataException("The LZMA data needs more than 128 MiB to decode");
        }

        return Open(CompressionType.LZMA, data[LzmaHeader.LengthBytes..], lengthBytes, header.ToProperties());
    }

    private static GuardedStream OpenPpmd(ReadOnlyMemory<byte> data)
    {
        // Two bytes: the order of the model less 1, its memory in MiB less 1, and how it starts over when that is full.
        int parameters = data.Length < 2 ? 0 : BinaryPrimitives.ReadUInt16LittleEndian(data.Span);
        int order = (parameters & 0xF) + 1;
        int megabytes = ((parameters >> 4) & 0xFF) + 1;
        return order >= 2 && megabytes <= MaxPpmdMegabytes
            ? Open(CompressionType.PPMd, data[2..], -1, data.Span[..2].ToArray())
            : throw new InvalidDataException("The header of the PPMd data is damaged, or asks for more than 128 MiB to decode");
    }

    private static GuardedStream Open(CompressionType type, ReadOnlyMemory<byte> data, long lengthBytes, byte[]? properties = null)
    {
        var context = new CompressionContext { InputSize = data.Length, OutputSize = lengthBytes, Properties = properties };
        return new GuardedStream(() => CompressionProviderRegistry.Default.CreateDecompressStream(type, new MemoryReadStream(data), context));
    }

    /// <summary>Maps the library's many kinds of exceptions for damaged data to one.</summary>
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
#else
    public static bool IsBuiltIn => false;

    public static MethodDecoder? Of(string type) => null;

    public static MethodDecoder? Lzma() => null;

    public static MethodDecoder? Ppmd() => null;
#endif
}
