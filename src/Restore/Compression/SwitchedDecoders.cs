#if SHARPCOMPRESS
using System.Buffers.Binary;
using SharpCompress.Common;
using SharpCompress.Providers;
#endif

namespace Restore.Compression;

/// <summary>Decoders for the rare methods by SharpCompress, in a build with <c>-p:ZipLibrary=SharpCompress</c>; in any other build there are none.</summary>
internal static class SwitchedDecoders
{
#if SHARPCOMPRESS
    private const int MaxPpmdMegabytes = 128;

    public static bool IsBuiltIn => true;

    public static IEntryDecoder? TryCreate(ushort method) => method switch
    {
        ZipMethod.Zstandard => Create(CompressionType.ZStandard),
        ZipMethod.BZip2 => Create(CompressionType.BZip2),
        ZipMethod.Deflate64 => Create(CompressionType.Deflate64),
        ZipMethod.Xz => Create(CompressionType.Xz),
        ZipMethod.Lzma => new StreamDecoder(OpenLzma),
        ZipMethod.Ppmd => new StreamDecoder(OpenPpmd),
        _ => null,
    };

    private static StreamDecoder Create(CompressionType type) =>
        new((data, lengthBytes) => Open(type, data, new CompressionContext { InputSize = data.Length, OutputSize = lengthBytes }));
#else
    public static bool IsBuiltIn => false;

    public static IEntryDecoder? TryCreate(ushort method) => null;
#endif
}
