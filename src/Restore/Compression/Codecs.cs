using System.IO.Compression;
using Restore.Compression.Methods;
using Restore.Compression.Zip;

namespace Restore.Compression;

/// <summary>
/// What this machine decodes with. The system's libraries are looked for once, when this is made; where one is missing, .NET's own code,
/// the build switch, or an error that names both takes its place. One for a run, safe for concurrent use; the decoders that it makes are not.
/// </summary>
internal sealed class Codecs
{
    private readonly LibDeflate? deflate;
    private readonly LibDeflateCompressor? compress;
    private readonly LibZstandard? zstandard;
    private readonly LibBZip2? bzip2;
    private readonly LibLzma? lzma;

    /// <summary>Looks for the libraries.</summary>
    /// <param name="useNativeLibraries">False to do without any of the system's libraries.</param>
    public Codecs(bool useNativeLibraries = true)
    {
        if (useNativeLibraries)
        {
            deflate = LibDeflate.TryLoad();
            compress = LibDeflateCompressor.TryLoad();
            zstandard = LibZstandard.TryLoad();
            bzip2 = LibBZip2.TryLoad();
            lzma = LibLzma.TryLoad();
        }
    }

    /// <summary>What was found, for the profile: "inflate and CRC-32 by libdeflate, ZStandard by libzstd 1.5.4, ...".</summary>
    public string Description => string.Join(
        ", ",
        deflate is null ? "inflate by .NET" : "inflate and CRC-32 by libdeflate",
        Describe("ZStandard", "libzstd", zstandard?.Version),
        Describe("BZip2", "libbz2", bzip2?.Version),
        Describe("LZMA", "liblzma", lzma?.Version),
        Describe("PPMd", "", null));

    /// <summary>Continues a CRC-32 (0 at the start) with more data.</summary>
    public uint Crc32(ReadOnlySpan<byte> data, uint crc = 0) => deflate?.AppendCrc32(crc, data) ?? Compression.Crc32.Append(crc, data);

    /// <summary>Makes a decoder for a compression method.</summary>
    /// <exception cref="UnsupportedMethodException">Nothing here decodes it.</exception>
    public IEntryDecoder CreateDecoder(ushort method) => method switch
    {
        ZipMethod.Deflate when deflate is not null => new DeflateDecoder(deflate),
        ZipMethod.Deflate => new StreamDecoder((data, _) => DeflateDecoder.OpenStream(data)),
        ZipMethod.Zstandard when zstandard is not null => new ZstandardDecoder(zstandard),
        ZipMethod.BZip2 when bzip2 is not null => new StreamDecoder((data, _) => new BZip2Stream(bzip2, data)),
        ZipMethod.Lzma when lzma is not null => new StreamDecoder((data, length) => LzmaStream.Open(lzma, data, length)),
        _ => SwitchedDecoders.TryCreate(method) ?? throw UnsupportedMethod.Error(method),
    };

    /// <summary>Makes a compressor of whole buffers at a level from 1 (fast) to 9 (small).</summary>
    public IDeflater CreateDeflater(int level) => compress is null ? new StreamDeflater(level) : new LibDeflateDeflater(compress, level);

    /// <summary>Opens the gzip stream of a tgz volume.</summary>
    public static Stream OpenGzip(ReadOnlyMemory<byte> data) => new GZipStream(new MemoryReadStream(data), CompressionMode.Decompress);

    /// <summary>Opens the ZStandard stream of a tzstd volume.</summary>
    /// <exception cref="UnsupportedMethodException">Nothing here decodes it.</exception>
    public Stream OpenZstandard(ReadOnlyMemory<byte> data)
    {
        using IEntryDecoder decoder = CreateDecoder(ZipMethod.Zstandard);
        return decoder.Open(data, -1);
    }

    private static string Describe(string method, string library, string? version) => version switch
    {
        not null => $"{method} by {library} {version}",
        null when SwitchedDecoders.IsBuiltIn => $"{method} by SharpCompress",
        _ => $"{method} not decoded",
    };
}
