using System.IO.Compression;

namespace Restore.Compression.Methods;

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

        return compressed.GetBuffer().AsSpan(0, (int)compressed.Length).TryCopyTo(destination)
            ? (int)compressed.Length
            : 0;
    }

    public void Dispose() => compressed.Dispose();
}
