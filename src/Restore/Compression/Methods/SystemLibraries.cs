namespace Restore.Compression.Methods;

/// <summary>The libraries of the system that decode and compress; each is null if this machine does not have it.</summary>
internal sealed record SystemLibraries
{
    /// <summary>No library at all.</summary>
    public static SystemLibraries None { get; } = new();

    public LibDeflate? Deflate { get; private init; }

    public LibDeflateCompressor? DeflateCompressor { get; private init; }

    public LibZstandard? Zstandard { get; private init; }

    public LibBZip2? BZip2 { get; private init; }

    public LibLzma? Lzma { get; private init; }

    /// <summary>Looks for all of them.</summary>
    public static SystemLibraries Find() => new()
    {
        Deflate = LibDeflate.TryLoad(),
        DeflateCompressor = LibDeflateCompressor.TryLoad(),
        Zstandard = LibZstandard.TryLoad(),
        BZip2 = LibBZip2.TryLoad(),
        Lzma = LibLzma.TryLoad(),
    };
}
