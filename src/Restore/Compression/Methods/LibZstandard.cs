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
        setParameter = (delegate* unmanaged[Cdecl]<void*, int, int, nuint>)NativeLibrary.GetExport(library, "ZSTD_DCtx_setParameter");
        decompress = (delegate* unmanaged[Cdecl]<void*, void*, nuint, void*, nuint, nuint>)NativeLibrary.GetExport(library, "ZSTD_decompressDCtx");
        decompressStream = (delegate* unmanaged[Cdecl]<void*, Piece*, Piece*, nuint>)NativeLibrary.GetExport(library, "ZSTD_decompressStream");
        isError = (delegate* unmanaged[Cdecl]<nuint, uint>)NativeLibrary.GetExport(library, "ZSTD_isError");
        var versionString = (delegate* unmanaged[Cdecl]<byte*>)NativeLibrary.GetExport(library, "ZSTD_versionString");
        Version = Marshal.PtrToStringUTF8((nint)versionString()) ?? "";
    }

    public string Version { get; }

    public static LibZstandard? TryLoad() =>
        NativeLibraryFinder.TryLoad(["libzstd.so.1", "libzstd.1.dylib", "libzstd.dylib", "libzstd.dll", "zstd.dll"], library => new LibZstandard(library));

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

    /// <summary>Decodes to exactly the length of <paramref name="destination"/>; false when the data is damaged or of another length.</summary>
    public bool TryDecode(nint context, ReadOnlySpan<byte> source, Span<byte> destination)
    {
        byte none = 0;
        fixed (byte* input = source, output = destination)
        {
            nuint length = decompress((void*)context, output is null ? &none : output, (nuint)destination.Length, input, (nuint)source.Length);
            return isError(length) == 0 && length == (nuint)destination.Length;
        }
    }

    /// <summary>Decodes a piece; true at the end of a frame.</summary>
    public bool Step(nint context, ref Piece input, ref Piece output)
    {
        fixed (Piece* inputPiece = &input, outputPiece = &output)
        {
            nuint result = decompressStream((void*)context, outputPiece, inputPiece);
            return isError(result) == 0
                ? result == 0
                : throw new InvalidDataException("The ZStandard data is damaged, or needs a window above 128 MiB");
        }
    }

    /// <summary>ZSTD_inBuffer and ZSTD_outBuffer: memory, its length, and how far it is used.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct Piece
    {
        public void* Memory;
        public nuint Length;
        public nuint Position;
    }
}

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

/// <summary>Decodes ZStandard frames, one after the other until the input ends, by libzstd.</summary>
internal sealed unsafe class ZstandardStream : ForwardReadStream
{
    private readonly LibZstandard library;
    private readonly nint context;
    private readonly int inputLength;
    private MemoryHandle pin;
    private int consumed;
    private bool isAtEnd;
    private bool isDisposed;

    public ZstandardStream(LibZstandard library, ReadOnlyMemory<byte> data)
    {
        this.library = library;
        context = library.CreateContext();
        inputLength = data.Length;
        pin = data.Pin();
    }

    public override int Read(Span<byte> buffer)
    {
        ObjectDisposedException.ThrowIf(isDisposed, this);
        int written = 0;
        while (written == 0 && !isAtEnd && !buffer.IsEmpty)
        {
            fixed (byte* output = buffer)
            {
                LibZstandard.Piece source = new() { Memory = (byte*)pin.Pointer + consumed, Length = (nuint)(inputLength - consumed) };
                LibZstandard.Piece target = new() { Memory = output, Length = (nuint)buffer.Length };
                bool isFrameEnd = library.Step(context, ref source, ref target);
                written = (int)target.Position;
                consumed += (int)source.Position;

                // What comes after a whole frame, and is no frame, was added to it: its own checksum is verified.
                isAtEnd = isFrameEnd && !IsFrame(new ReadOnlySpan<byte>((byte*)pin.Pointer + consumed, inputLength - consumed));
                if (source.Position == 0 && written == 0 && !isAtEnd)
                {
                    throw new InvalidDataException("The compressed data ends too early");
                }
            }
        }

        return written;
    }

    private static bool IsFrame(ReadOnlySpan<byte> data)
    {
        const uint Frame = 0xFD2FB528;
        const uint FirstSkippable = 0x184D2A50;
        return BinaryPrimitives.TryReadUInt32LittleEndian(data, out uint magic) && (magic == Frame || (magic & ~0xFu) == FirstSkippable);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing && !isDisposed)
        {
            isDisposed = true;
            library.Free(context);
            pin.Dispose();
        }

        base.Dispose(disposing);
    }
}
