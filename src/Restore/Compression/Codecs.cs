using System.IO.Compression;
using Restore.Compression.Methods;

namespace Restore.Compression;

/// <summary>
/// What this machine decodes and compresses with. The constructor looks for the system's libraries
/// once; where one is missing, managed code takes its place. One for each restore, safe for
/// concurrent use; its decoders are not.
/// </summary>
internal sealed class Codecs
{
    private readonly SystemLibraries libraries;
    private readonly Dictionary<ushort, MethodDecoder> decoders;

    public Codecs(bool useNativeLibraries = true)
    {
        libraries = useNativeLibraries ? SystemLibraries.Find() : SystemLibraries.None;
        decoders = CompressionMethods.All.ToDictionary(method => method.Id, method => method.Decoder(libraries));
    }

    /// <summary>
    /// The libraries in use, for the profile: "Deflate by libdeflate, BZip2 by SharpCompress, ...".
    /// </summary>
    public string Description =>
        string.Join(
            ", ",
            CompressionMethods
                .All.Where(method => method.IsWrittenByDuplicati)
                .Select(method => $"{method.Name} by {decoders[method.Id].By}")
        );

    public IEntryDecoder CreateDecoder(ushort method) =>
        decoders.TryGetValue(method, out MethodDecoder? decoder)
            ? decoder.Create()
            : throw UnsupportedMethodException.Of(method);

    /// <summary>
    /// Makes a compressor of whole buffers at a level from 1 (fast) to 9 (small).
    /// </summary>
    public IDeflater CreateDeflater(int level) =>
        libraries.Deflate is { } library ? new LibDeflateDeflater(library, level) : new StreamDeflater(level);

    public static Stream OpenGzip(ReadOnlyMemory<byte> data) =>
        new GZipStream(new MemoryReadStream(data), CompressionMode.Decompress);

    public Stream OpenZstandard(ReadOnlyMemory<byte> data)
    {
        using IEntryDecoder decoder = CreateDecoder(CompressionMethods.Zstandard.Id);
        return decoder.Open(data, -1);
    }
}
