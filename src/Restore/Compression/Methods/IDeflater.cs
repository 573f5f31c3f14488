namespace Restore.Compression.Methods;

/// <summary>
/// Compresses whole buffers to raw Deflate data, one after the other. Not safe for concurrent use.
/// </summary>
internal interface IDeflater : IDisposable
{
    /// <summary>Length of the compressed data; 0 if it does not fit.</summary>
    int Deflate(ReadOnlySpan<byte> source, Span<byte> destination);
}
