namespace Restore.Compression.Methods;

internal sealed class LibDeflateDeflater(LibDeflate library, int level) : IDeflater
{
    private nint compressor = library.CreateCompressor(level);

    public int Deflate(ReadOnlySpan<byte> source, Span<byte> destination) =>
        library.Deflate(compressor, source, destination);

    public void Dispose()
    {
        if (compressor != 0)
        {
            library.FreeCompressor(compressor);
            compressor = 0;
        }
    }
}
