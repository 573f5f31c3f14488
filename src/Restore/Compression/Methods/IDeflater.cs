namespace Restore.Compression.Methods;

/// <summary>Compresses whole buffers to raw Deflate data, one after the other. Not safe for concurrent use.</summary>
internal interface IDeflater : IDisposable
{
    /// <summary>Compresses to at most the length of <paramref name="destination"/>.</summary>
    /// <returns>Length of the compressed data; 0 when it does not fit.</returns>
    int Deflate(ReadOnlySpan<byte> source, Span<byte> destination);
}
