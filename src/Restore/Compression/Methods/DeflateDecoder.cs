using System.IO.Compression;

namespace Restore.Compression.Methods;

/// <summary>
/// Decodes Deflate: whole entries by libdeflate, streams by <see cref="DeflateStream"/>.
/// </summary>
internal sealed class DeflateDecoder(LibDeflate library) : IEntryDecoder
{
    private nint decompressor;

    public static Stream OpenStream(ReadOnlyMemory<byte> data) =>
        new DeflateStream(new MemoryReadStream(data), CompressionMode.Decompress);

    public bool TryDecode(ReadOnlyMemory<byte> data, Span<byte> destination)
    {
        if (decompressor == 0)
        {
            decompressor = library.CreateDecompressor();
        }

        return library.TryInflate(decompressor, data.Span, destination);
    }

    public Stream Open(ReadOnlyMemory<byte> data, long lengthBytes) => OpenStream(data);

    public void Dispose()
    {
        if (decompressor != 0)
        {
            library.FreeDecompressor(decompressor);
            decompressor = 0;
        }
    }
}
