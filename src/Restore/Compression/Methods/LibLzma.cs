using System.Runtime.InteropServices;
using Restore.Interop;

namespace Restore.Compression.Methods;

/// <summary>The functions of liblzma.</summary>
internal sealed unsafe class LibLzma
{
    private const ulong MemoryLimitBytes = 128 << 20;
    private const int Ok = 0;
    private const int StreamEnd = 1;
    private const int OutOfMemory = 5;
    private const int Run = 0;

    private readonly delegate* unmanaged[Cdecl]<State*, ulong, int> createAloneDecoder;
    private readonly delegate* unmanaged[Cdecl]<State*, int, int> code;
    private readonly delegate* unmanaged[Cdecl]<State*, void> end;

    private LibLzma(nint library)
    {
        createAloneDecoder = (delegate* unmanaged[Cdecl]<State*, ulong, int>)NativeLibrary.GetExport(library, "lzma_alone_decoder");
        code = (delegate* unmanaged[Cdecl]<State*, int, int>)NativeLibrary.GetExport(library, "lzma_code");
        end = (delegate* unmanaged[Cdecl]<State*, void>)NativeLibrary.GetExport(library, "lzma_end");
        var version = (delegate* unmanaged[Cdecl]<byte*>)NativeLibrary.GetExport(library, "lzma_version_string");
        Version = Marshal.PtrToStringUTF8((nint)version()) ?? "";
    }

    public string Version { get; }

    public static LibLzma? TryLoad() =>
        NativeLibraryFinder.TryLoad(["liblzma.so.5", "liblzma.5.dylib", "liblzma.dylib", "liblzma.dll", "lzma.dll"], library => new LibLzma(library));

    /// <summary>Makes the state of a decoder of the .lzma format.</summary>
    public State* Create()
    {
        var state = (State*)NativeMemory.AllocZeroed((nuint)sizeof(State));
        if (createAloneDecoder(state, MemoryLimitBytes) != Ok)
        {
            Free(state);
            throw new InsufficientMemoryException("liblzma could not allocate a decoder");
        }

        return state;
    }

    public void Free(State* state)
    {
        end(state);
        NativeMemory.Free(state);
    }

    /// <summary>Decodes a piece; true at the end of the stream.</summary>
    public bool Step(State* state) => code(state, Run) switch
    {
        Ok => false,
        StreamEnd => true,
        OutOfMemory => throw new InsufficientMemoryException("liblzma could not allocate its dictionary"),
        _ => throw new InvalidDataException("The LZMA data is damaged, or needs more than 128 MiB to decode"),
    };

    /// <summary>lzma_stream.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct State
    {
        public byte* NextIn;
        public nuint AvailableIn;
        public ulong TotalIn;
        public byte* NextOut;
        public nuint AvailableOut;
        public ulong TotalOut;
        public void* Allocator;
        public void* Internal;
        public fixed ulong ReservedPointers[4];
        public ulong SeekPosition;
        public ulong ReservedNumber;
        public nuint ReservedSize1;
        public nuint ReservedSize2;
        public uint ReservedEnum1;
        public uint ReservedEnum2;
    }
}
