namespace Restore.Compression.Methods;

/// <summary>The functions of libdeflate, which inflates whole buffers faster than zlib.</summary>
internal sealed unsafe class LibDeflate
{
    private readonly delegate* unmanaged[Cdecl]<void*> alloc;
    private readonly delegate* unmanaged[Cdecl]<void*, void*, nuint, void*, nuint, nuint*, int> decompress;
    private readonly delegate* unmanaged[Cdecl]<void*, void> free;

    private LibDeflate(nint library)
    {
        alloc = (delegate* unmanaged[Cdecl]<void*>)NativeLibrary.GetExport(library, "libdeflate_alloc_decompressor");
        decompress = (delegate* unmanaged[Cdecl]<void*, void*, nuint, void*, nuint, nuint*, int>)
            NativeLibrary.GetExport(library, "libdeflate_deflate_decompress");
        free = (delegate* unmanaged[Cdecl]<void*, void>)NativeLibrary.GetExport(library, "libdeflate_free_decompressor");
    }

    public static ReadOnlySpan<string> FileNames => new[] { "libdeflate.so.0", "libdeflate.0.dylib", "libdeflate.dylib", "libdeflate.dll", "deflate.dll" };

    public static LibDeflate? TryLoad() =>
        NativeLibraryFinder.TryLoad(FileNames, library => new LibDeflate(library));

    public nint CreateDecompressor()
    {
        void* decompressor = alloc();
        return decompressor is null ? throw new InsufficientMemoryException("libdeflate could not allocate a decompressor") : (nint)decompressor;
    }

    public void Free(nint decompressor) => free((void*)decompressor);

    /// <summary>Inflates to exactly the length of <paramref name="destination"/>; false when the data is damaged or of another length.</summary>
    public bool TryInflate(nint decompressor, ReadOnlySpan<byte> source, Span<byte> destination)
    {
        // libdeflate must not get a null pointer: for an empty destination it gets a byte that is never written.
        byte none = 0;
        fixed (byte* input = source, output = destination)
        {
            return decompress((void*)decompressor, input, (nuint)source.Length, output is null ? &none : output, (nuint)destination.Length, null) == 0;
        }
    }
}

internal sealed unsafe class LibDeflateCompressor
{
    private readonly delegate* unmanaged[Cdecl]<int, void*> alloc;
    private readonly delegate* unmanaged[Cdecl]<void*, void*, nuint, void*, nuint, nuint> compress;
    private readonly delegate* unmanaged[Cdecl]<void*, void> free;

    private LibDeflateCompressor(nint library)
    {
        alloc = (delegate* unmanaged[Cdecl]<int, void*>)NativeLibrary.GetExport(library, "libdeflate_alloc_compressor");
        compress = (delegate* unmanaged[Cdecl]<void*, void*, nuint, void*, nuint, nuint>)
            NativeLibrary.GetExport(library, "libdeflate_deflate_compress");
        free = (delegate* unmanaged[Cdecl]<void*, void>)NativeLibrary.GetExport(library, "libdeflate_free_compressor");
    }

    public static LibDeflateCompressor? TryLoad() => NativeLibraryFinder.TryLoad(LibDeflate.FileNames, library => new LibDeflateCompressor(library));

    public nint Create(int level)
    {
        void* compressor = alloc(level);
        return compressor is null ? throw new InsufficientMemoryException("libdeflate could not allocate a compressor") : (nint)compressor;
    }

    public void Free(nint compressor) => free((void*)compressor);

    /// <summary>Compresses; 0 when the result does not fit.</summary>
    public int Compress(nint compressor, ReadOnlySpan<byte> source, Span<byte> destination)
    {
        byte none = 0;
        fixed (byte* input = source, output = destination)
        {
            return (int)compress((void*)compressor, input is null ? &none : input, (nuint)source.Length, output, (nuint)destination.Length);
        }
    }
}
