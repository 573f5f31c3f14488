using System.IO.Compression;
using Restore.Compression.Methods;

namespace Restore.Compression;

/// <summary>
/// What this machine decodes and compresses with. The constructor looks for the system's libraries once. Where one is missing, .NET's own code or the
/// build switch takes its place, or an error that names both. One for each restore, safe for concurrent use; its decoders are not.
/// </summary>
internal sealed class Codecs
{
    private readonly SystemLibraries libraries;
    private readonly Dictionary<ushort, MethodDecoder> decoders = [];

    /// <summary>Looks for the libraries.</summary>
    /// <param name="useNativeLibraries">False to use none of the system's libraries.</param>
    public Codecs(bool useNativeLibraries = true)
    {
        libraries = useNativeLibraries ? SystemLibraries.Find() : SystemLibraries.None;
        foreach (CompressionMethod method in CompressionMethods.All)
        {
            if (method.FindDecoder(libraries) is { } decoder)
            {
                decoders.Add(method.Id, decoder);
            }
        }
    }

    /// <summary>What was found, for the profile: "CRC-32 by libdeflate, Deflate by libdeflate, BZip2 by libbz2 1.0.8, ...".</summary>
    public string Description => string.Join(
        ", ",
        CompressionMethods.All
            .Where(method => method.IsWrittenByDuplicati)
            .Select(method => decoders.TryGetValue(method.Id, out MethodDecoder? decoder) ? $"{method.Name} by {decoder.By}" : $"{method.Name} not decoded")
            .Prepend($"CRC-32 by {(libraries.Deflate is null ? ".NET" : "libdeflate")}"));

    /// <summary>Continues a CRC-32 (0 at the start) with more data.</summary>
    public uint Crc32(ReadOnlySpan<byte> data, uint crc = 0) => libraries.Deflate?.AppendCrc32(crc, data) ?? Compression.Crc32.Append(crc, data);

    /// <summary>Makes a decoder for a compression method.</summary>
    /// <exception cref="UnsupportedMethodException">No decoder for the method.</exception>
    public IEntryDecoder CreateDecoder(ushort method) =>
        decoders.TryGetValue(method, out MethodDecoder? decoder) ? decoder.Create() : throw CompressionMethod.Unsupported(method);

    /// <summary>Makes a compressor of whole buffers at a level from 1 (fast) to 9 (small).</summary>
    public IDeflater CreateDeflater(int level) => CompressionMethods.Deflate.Compressor!(libraries, level);

    /// <summary>Opens the gzip stream of a tgz volume.</summary>
    public static Stream OpenGzip(ReadOnlyMemory<byte> data) => new GZipStream(new MemoryReadStream(data), CompressionMode.Decompress);

    /// <summary>Opens the ZStandard stream of a tzstd volume.</summary>
    /// <exception cref="UnsupportedMethodException">No decoder for ZStandard.</exception>
    public Stream OpenZstandard(ReadOnlyMemory<byte> data)
    {
        using IEntryDecoder decoder = CreateDecoder(CompressionMethods.Zstandard.Id);
        return decoder.Open(data, -1);
    }
}
