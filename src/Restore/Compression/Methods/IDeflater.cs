using System.IO.Compression;

namespace Restore.Compression.Methods;

/// <summary>Compresses whole buffers to raw Deflate data, one after the other. Not safe for concurrent use.</summary>
internal interface IDeflater : IDisposable
{
    /// <summary>Compresses to at most the length of <paramref name="destination"/>.</summary>
    /// <returns>Length of the compressed data; 0 when it does not fit.</returns>
    int Deflate(ReadOnlySpan<byte> source, Span<byte> destination);
}

/// <summary>Compresses by libdeflate.</summary>
internal sealed class LibDeflateDeflater(LibDeflateCompressor library, int level) : IDeflater
{
    private nint compressor = library.Create(level);

    public int Deflate(ReadOnlySpan<byte> source, Span<byte> destination) => library.Compress(compressor, source, destination);

    public void Dispose()
    {
        if (compressor != 0)
        {
            library.Free(compressor);
            compressor = 0;
        }
    }
}

/// <summary>Compresses with <see cref="DeflateStream"/>, where libdeflate is missing.</summary>
internal sealed class StreamDeflater(int level) : IDeflater
{
    private readonly MemoryStream compressed = new();
    private readonly ZLibCompressionOptions options = new() { CompressionLevel = level };

    public int Deflate(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        compressed.SetLength(0);
        using (DeflateStream deflate = new(compressed, options, leaveOpen: true))
        {
            deflate.Write(source);
        }

        return compressed.GetBuffer().AsSpan(0, (int)compressed.Length).TryCopyTo(destination) ? (int)compressed.Length : 0;
    }

    public void Dispose() => compressed.Dispose();
}
