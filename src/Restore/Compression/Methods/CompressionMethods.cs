namespace Restore.Compression.Methods;

/// <summary>The compression methods, one row for each. Decoders, the choice of compressors, the text of errors and the profile follow from the rows.</summary>
internal static class CompressionMethods
{
    public static readonly CompressionMethod Deflate = new(
        8, "Deflate", libraries => libraries.Deflate is { } library
            ? new MethodDecoder("libdeflate", () => new DeflateDecoder(library))
            : MethodDecoder.Streaming(".NET", (data, _) => DeflateDecoder.OpenStream(data)))
    {
        IsWrittenByDuplicati = true,
    };

    // libzstd takes half the time of SharpCompress, which is there where the system has no libzstd.
    public static readonly CompressionMethod Zstandard = new(
        93, "ZStandard", libraries => libraries.Zstandard is { } library
            ? new MethodDecoder($"libzstd {library.Version}", () => new ZstandardDecoder(library))
            : SharpDecoders.Zstandard)
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

internal sealed record CompressionMethod(ushort Id, string Name, Func<SystemLibraries, MethodDecoder> Decoder)
{
    /// <summary>Whether Duplicati can write the method; then the profile says what decodes it.</summary>
    public bool IsWrittenByDuplicati { get; init; }
}

internal sealed record MethodDecoder(string By, Func<IEntryDecoder> Create)
{
    /// <summary>For methods that can only be decoded piece by piece.</summary>
    public static MethodDecoder Streaming(string by, Func<ReadOnlyMemory<byte>, long, Stream> open) => new(by, () => new StreamDecoder(open));
}

/// <summary>Decodes entries of one compression method. May hold state that is expensive to create; one user at a time.</summary>
internal interface IEntryDecoder : IDisposable
{
    /// <summary>Decodes a whole entry; false if the data is damaged or does not have exactly the length of <paramref name="destination"/>. Writes nothing
    /// beyond it.</summary>
    bool TryDecode(ReadOnlyMemory<byte> data, Span<byte> destination);

    /// <summary>The stream is independent of this decoder. The data must stay valid as long as the stream is used.</summary>
    Stream Open(ReadOnlyMemory<byte> data, long lengthBytes);
}

/// <summary>For methods whose library only decodes piece by piece.</summary>
internal sealed class StreamDecoder(Func<ReadOnlyMemory<byte>, long, Stream> open) : IEntryDecoder
{
    public bool TryDecode(ReadOnlyMemory<byte> data, Span<byte> destination)
    {
        try
        {
            using Stream decoded = open(data, destination.Length);
            return decoded.ReadAtLeast(destination, destination.Length, throwOnEndOfStream: false) == destination.Length
                && decoded.ReadByte() < 0;
        }
        catch (InvalidDataException)
        {
            return false;
        }
    }

    public Stream Open(ReadOnlyMemory<byte> data, long lengthBytes) => open(data, lengthBytes);

    public void Dispose()
    {
    }
}

/// <summary>The libraries of the system that decode and compress; each is null if this machine does not have it.</summary>
internal sealed record SystemLibraries(LibDeflate? Deflate = null, LibZstandard? Zstandard = null)
{
    public static SystemLibraries None { get; } = new();

    public static SystemLibraries Find() => new(LibDeflate.TryLoad(), LibZstandard.TryLoad());
}
