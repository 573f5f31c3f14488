using System.Runtime.InteropServices;
using Restore.Interop;

namespace Restore.Compression.Methods;

/// <summary>The functions of libdeflate, which inflates whole buffers faster than zlib and computes CRC-32.</summary>
internal sealed unsafe class LibDeflate
{
    private readonly delegate* unmanaged[Cdecl]<void*> alloc;
    private readonly delegate* unmanaged[Cdecl]<void*, void*, nuint, void*, nuint, nuint*, int> decompress;
    private readonly delegate* unmanaged[Cdecl]<void*, void> free;
    private readonly delegate* unmanaged[Cdecl]<uint, void*, nuint, uint> crc32;

    private LibDeflate(nint library)
    {
        alloc = (delegate* unmanaged[Cdecl]<void*>)NativeLibrary.GetExport(library, "libdeflate_alloc_decompressor");
        decompress = (delegate* unmanaged[Cdecl]<void*, void*, nuint, void*, nuint, nuint*, int>)
            NativeLibrary.GetExport(library, "libdeflate_deflate_decompress");
        free = (delegate* unmanaged[Cdecl]<void*, void>)NativeLibrary.GetExport(library, "libdeflate_free_decompressor");
        crc32 = (delegate* unmanaged[Cdecl]<uint, void*, nuint, uint>)NativeLibrary.GetExport(library, "libdeflate_crc32");
    }

    /// <summary>What the library is called on Linux, macOS and Windows.</summary>
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

    /// <summary>Continues a CRC-32 (0 at the start) with more data.</summary>
    public uint AppendCrc32(uint crc, ReadOnlySpan<byte> data)
    {
        // For a null pointer libdeflate returns the CRC of nothing instead of the one that was passed.
        if (data.IsEmpty)
        {
            return crc;
        }

        fixed (byte* input = data)
        {
            return crc32(crc, input, (nuint)data.Length);
        }
    }
}
