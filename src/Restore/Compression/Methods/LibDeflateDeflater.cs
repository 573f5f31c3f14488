namespace Restore.Compression.Methods;

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
