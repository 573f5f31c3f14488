namespace Restore.Compression.Methods;

internal sealed unsafe class LibZstandard
{
    // ZSTD_d_windowLogMax, and 2^27 bytes = 128 MiB, which is also the default of the library.
    private const int WindowLogMaxParameter = 100;
    private const int WindowLogMax = 27;

    private readonly delegate* unmanaged[Cdecl]<void*> createContext;
    private readonly delegate* unmanaged[Cdecl]<void*, nuint> freeContext;
    private readonly delegate* unmanaged[Cdecl]<void*, int, int, nuint> setParameter;
    private readonly delegate* unmanaged[Cdecl]<void*, void*, nuint, void*, nuint, nuint> decompress;
    private readonly delegate* unmanaged[Cdecl]<void*, Piece*, Piece*, nuint> decompressStream;
    private readonly delegate* unmanaged[Cdecl]<nuint, uint> isError;

    private LibZstandard(nint library)
    {
        createContext = (delegate* unmanaged[Cdecl]<void*>)NativeLibrary.GetExport(library, "ZSTD_createDCtx");
        freeContext = (delegate* unmanaged[Cdecl]<void*, nuint>)NativeLibrary.GetExport(library, "ZSTD_freeDCtx");
        setParameter = (delegate* unmanaged[Cdecl]<void*, int, int, nuint>)
            NativeLibrary.GetExport(library, "ZSTD_DCtx_setParameter");
        decompress = (delegate* unmanaged[Cdecl]<void*, void*, nuint, void*, nuint, nuint>)
            NativeLibrary.GetExport(library, "ZSTD_decompressDCtx");
        decompressStream = (delegate* unmanaged[Cdecl]<void*, Piece*, Piece*, nuint>)
            NativeLibrary.GetExport(library, "ZSTD_decompressStream");
        isError = (delegate* unmanaged[Cdecl]<nuint, uint>)NativeLibrary.GetExport(library, "ZSTD_isError");
        var versionString = (delegate* unmanaged[Cdecl]<byte*>)NativeLibrary.GetExport(library, "ZSTD_versionString");
        Version = Marshal.PtrToStringUTF8((nint)versionString()) ?? "";
    }

    public string Version { get; }

    public static LibZstandard? TryLoad() =>
        NativeLibraryFinder.TryLoad(
            ["libzstd.so.1", "libzstd.1.dylib", "libzstd.dylib", "libzstd.dll", "zstd.dll"],
            library => new LibZstandard(library)
        );

    public nint CreateContext()
    {
        void* context = createContext();
        if (context is null)
        {
            throw new InsufficientMemoryException("libzstd could not allocate a context");
        }

        setParameter(context, WindowLogMaxParameter, WindowLogMax);
        return (nint)context;
    }

    public void Free(nint context) => freeContext((void*)context);

    /// <summary>
    /// Decodes to exactly the length of <paramref name="destination"/>; false when the data is
    /// damaged or of another length.
    /// </summary>
    public bool TryDecode(nint context, ReadOnlySpan<byte> source, Span<byte> destination)
    {
        byte none = 0;
        fixed (
            byte* input = source,
                output = destination
        )
        {
            nuint length = decompress(
                (void*)context,
                output is null ? &none : output,
                (nuint)destination.Length,
                input,
                (nuint)source.Length
            );
            return isError(length) == 0 && length == (nuint)destination.Length;
        }
    }

    /// <summary>Decodes a piece; true at the end of a frame.</summary>
    public bool Step(nint context, ref Piece input, ref Piece output)
    {
        fixed (
            Piece* inputPiece = &input,
                outputPiece = &output
        )
        {
            nuint result = decompressStream((void*)context, outputPiece, inputPiece);
            return isError(result) == 0
                ? result == 0
                : throw new InvalidDataException("The ZStandard data is damaged, or needs a window above 128 MiB");
        }
    }

    /// <summary>
    /// ZSTD_inBuffer and ZSTD_outBuffer: memory, its length, and how far it is used.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct Piece
    {
        public void* Memory;
        public nuint Length;
        public nuint Position;
    }
}
