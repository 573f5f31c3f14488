using System.Runtime.InteropServices;
using Restore.Interop;

namespace Restore.Compression.Methods;

/// <summary>The functions of libdeflate that compress whole buffers.</summary>
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
