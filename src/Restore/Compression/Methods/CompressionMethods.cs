namespace Restore.Compression.Methods;

/// <summary>
/// The compression methods, one row for each. Decoders, the choice of compressors, the text of errors and the profile follow from the rows.
/// </summary>
internal static class CompressionMethods
{
    public static readonly CompressionMethod Deflate = new(8, "Deflate")
    {
        IsWrittenByDuplicati = true,
        Decoder = libraries => libraries.Deflate is { } library
            ? new MethodDecoder("libdeflate", () => new DeflateDecoder(library))
            : MethodDecoder.Streaming(".NET", (data, _) => DeflateDecoder.OpenStream(data)),
        Compressor = (libraries, level) =>
            libraries.DeflateCompressor is { } library ? new LibDeflateDeflater(library, level) : new StreamDeflater(level),
    };

    public static readonly CompressionMethod Zstandard = new(93, "ZStandard")
    {
        IsWrittenByDuplicati = true,
        Library = ("libzstd", "libzstd1"),
        Decoder = libraries => libraries.Zstandard is { } library
            ? new MethodDecoder($"libzstd {library.Version}", () => new ZstandardDecoder(library))
            : null,
        SwitchedDecoder = () => SwitchedDecoders.Of("ZStandard"),
    };

    public static readonly IReadOnlyList<CompressionMethod> All =
    [
        new(0, "Stored") { Decoder = _ => MethodDecoder.Streaming(".NET", (data, _) => new MemoryReadStream(data)) },
        Deflate,
        new(9, "Deflate64") { SwitchedDecoder = () => SwitchedDecoders.Of("Deflate64") },
        new(12, "BZip2")
        {
            IsWrittenByDuplicati = true,
            Library = ("libbz2", "libbz2-1.0"),
            Decoder = libraries => libraries.BZip2 is { } library
                ? MethodDecoder.Streaming($"libbz2 {library.Version}", (data, _) => new BZip2Stream(library, data))
                : null,
            SwitchedDecoder = () => SwitchedDecoders.Of("BZip2"),
        },
        new(14, "LZMA")
        {
            IsWrittenByDuplicati = true,
            Library = ("liblzma", "liblzma5"),
            Decoder = libraries => libraries.Lzma is { } library
                ? MethodDecoder.Streaming($"liblzma {library.Version}", (data, length) => LzmaStream.Open(library, data, length))
                : null,
            SwitchedDecoder = SwitchedDecoders.Lzma,
        },
        Zstandard,
        new(95, "Xz") { SwitchedDecoder = () => SwitchedDecoders.Of("Xz") },
        new(98, "PPMd") { IsWrittenByDuplicati = true, SwitchedDecoder = SwitchedDecoders.Ppmd },
    ];

    /// <summary>The method of a number; null if the table does not have it.</summary>
    public static CompressionMethod? Find(ushort id) => All.FirstOrDefault(method => method.Id == id);
}
