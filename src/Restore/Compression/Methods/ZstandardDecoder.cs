namespace Restore.Compression.Methods;

/// <summary>Decodes ZStandard by libzstd, with one context for all entries.</summary>
internal sealed class ZstandardDecoder(LibZstandard library) : IEntryDecoder
{
    private nint context;

    public bool TryDecode(ReadOnlyMemory<byte> data, Span<byte> destination)
    {
        if (context == 0)
        {
            context = library.CreateContext();
        }

        return library.TryDecode(context, data.Span, destination);
    }

    public Stream Open(ReadOnlyMemory<byte> data, long lengthBytes) => new ZstandardStream(library, data);

    public void Dispose()
    {
        if (context != 0)
        {
            library.Free(context);
            context = 0;
        }
    }
}
