namespace Restore.Compression.Methods;

/// <summary>
/// The compression methods, one row for each. Decoders, the choice of compressors, the text of
/// errors and the profile follow from the rows.
/// </summary>
internal static class CompressionMethods
{
    public static readonly CompressionMethod Deflate = new(
        8,
        "Deflate",
        libraries =>
            libraries.Deflate is { } library
                ? new MethodDecoder("libdeflate", () => new DeflateDecoder(library))
                : MethodDecoder.Streaming(".NET", (data, _) => DeflateDecoder.OpenStream(data))
    )
    {
        IsWrittenByDuplicati = true,
    };

    // libzstd takes half the time of SharpCompress. SharpCompress is used where the system has no
    // libzstd.
    public static readonly CompressionMethod Zstandard = new(
        93,
        "ZStandard",
        libraries =>
            libraries.Zstandard is { } library
                ? new MethodDecoder($"libzstd {library.Version}", () => new ZstandardDecoder(library))
                : SharpDecoders.Zstandard
    )
    {
        IsWrittenByDuplicati = true,
    };

    public static readonly IReadOnlyList<CompressionMethod> All =
    [
        new(0, "Stored", _ => MethodDecoder.Streaming(".NET", (data, _) => new MemoryReadStream(data))),
        Deflate,
        new(9, "Deflate64", _ => SharpDecoders.Deflate64),
        new(12, "BZip2", _ => SharpDecoders.BZip2) { IsWrittenByDuplicati = true },
        new(14, "LZMA", _ => SharpDecoders.Lzma) { IsWrittenByDuplicati = true },
        Zstandard,
        new(95, "Xz", _ => SharpDecoders.Xz),
        new(98, "PPMd", _ => SharpDecoders.Ppmd) { IsWrittenByDuplicati = true },
    ];
}
