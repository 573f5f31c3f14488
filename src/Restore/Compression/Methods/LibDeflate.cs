namespace Restore.Compression.Methods;

/// <summary>
/// The functions of libdeflate, which inflates and deflates whole buffers faster than zlib.
/// </summary>
internal sealed unsafe class LibDeflate
{
    private readonly delegate* unmanaged[Cdecl]<void*> allocDecompressor;
    private readonly delegate* unmanaged[Cdecl]<void*, void*, nuint, void*, nuint, nuint*, int> decompress;
    private readonly delegate* unmanaged[Cdecl]<void*, void> freeDecompressor;
    private readonly delegate* unmanaged[Cdecl]<int, void*> allocCompressor;
    private readonly delegate* unmanaged[Cdecl]<void*, void*, nuint, void*, nuint, nuint> compress;
    private readonly delegate* unmanaged[Cdecl]<void*, void> freeCompressor;

    private LibDeflate(nint library)
    {
        allocDecompressor = (delegate* unmanaged[Cdecl]<void*>)
            NativeLibrary.GetExport(library, "libdeflate_alloc_decompressor");
        decompress = (delegate* unmanaged[Cdecl]<void*, void*, nuint, void*, nuint, nuint*, int>)
            NativeLibrary.GetExport(library, "libdeflate_deflate_decompress");
        freeDecompressor = (delegate* unmanaged[Cdecl]<void*, void>)
            NativeLibrary.GetExport(library, "libdeflate_free_decompressor");
        allocCompressor = (delegate* unmanaged[Cdecl]<int, void*>)
            NativeLibrary.GetExport(library, "libdeflate_alloc_compressor");
        compress = (delegate* unmanaged[Cdecl]<void*, void*, nuint, void*, nuint, nuint>)
            NativeLibrary.GetExport(library, "libdeflate_deflate_compress");
        freeCompressor = (delegate* unmanaged[Cdecl]<void*, void>)
            NativeLibrary.GetExport(library, "libdeflate_free_compressor");
    }

    public static LibDeflate? TryLoad() =>
        NativeLibraryFinder.TryLoad(
            ["libdeflate.so.0", "libdeflate.0.dylib", "libdeflate.dylib", "libdeflate.dll", "deflate.dll"],
            library => new LibDeflate(library)
        );

    public nint CreateDecompressor() => Allocated(allocDecompressor());

    public void FreeDecompressor(nint decompressor) => freeDecompressor((void*)decompressor);

    public nint CreateCompressor(int level) => Allocated(allocCompressor(level));

    public void FreeCompressor(nint compressor) => freeCompressor((void*)compressor);

    /// <summary>
    /// Inflates to exactly the length of <paramref name="destination"/>; false when the data is
    /// damaged or of another length.
    /// </summary>
    public bool TryInflate(nint decompressor, ReadOnlySpan<byte> source, Span<byte> destination)
    {
        // libdeflate must not get a null pointer: for an empty destination it gets a byte that is
        // never written.
        byte none = 0;
        fixed (
            byte* input = source,
                output = destination
        )
        {
            // Without a place for the actual length, libdeflate fails if the output is not filled
            // exactly.
            return decompress(
                    (void*)decompressor,
                    input,
                    (nuint)source.Length,
                    output is null ? &none : output,
                    (nuint)destination.Length,
                    null
                ) == 0;
        }
    }

    /// <summary>Compresses; 0 when the result does not fit.</summary>
    public int Deflate(nint compressor, ReadOnlySpan<byte> source, Span<byte> destination)
    {
        byte none = 0;
        fixed (
            byte* input = source,
                output = destination
        )
        {
            return (int)compress(
                (void*)compressor,
                input is null ? &none : input,
                (nuint)source.Length,
                output,
                (nuint)destination.Length
            );
        }
    }

    private static nint Allocated(void* state) =>
        state is null ? throw new InsufficientMemoryException("libdeflate could not allocate its state") : (nint)state;
}
