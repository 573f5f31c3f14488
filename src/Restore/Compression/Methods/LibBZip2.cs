using System.Runtime.InteropServices;
using Restore.Interop;

namespace Restore.Compression.Methods;

/// <summary>The functions of libbz2.</summary>
internal sealed unsafe class LibBZip2
{
    private const int Ok = 0;
    private const int StreamEnd = 4;

    private readonly delegate* unmanaged[Cdecl]<State*, int, int, int> initialize;
    private readonly delegate* unmanaged[Cdecl]<State*, int> decompress;
    private readonly delegate* unmanaged[Cdecl]<State*, int> end;

    private LibBZip2(nint library)
    {
        initialize = (delegate* unmanaged[Cdecl]<State*, int, int, int>)NativeLibrary.GetExport(library, "BZ2_bzDecompressInit");
        decompress = (delegate* unmanaged[Cdecl]<State*, int>)NativeLibrary.GetExport(library, "BZ2_bzDecompress");
        end = (delegate* unmanaged[Cdecl]<State*, int>)NativeLibrary.GetExport(library, "BZ2_bzDecompressEnd");
        var version = (delegate* unmanaged[Cdecl]<byte*>)NativeLibrary.GetExport(library, "BZ2_bzlibVersion");

        // "1.0.8, 13-Jul-2019"
        Version = (Marshal.PtrToStringUTF8((nint)version()) ?? "").Split(',')[0];
    }

    public string Version { get; }

    public static LibBZip2? TryLoad() =>
        NativeLibraryFinder.TryLoad(
            ["libbz2.so.1.0", "libbz2.so.1", "libbz2.1.0.dylib", "libbz2.dylib", "libbz2.dll", "bz2.dll"], library => new LibBZip2(library));

    /// <summary>Creates the state of a decoder; it must not move, because the library keeps its address.</summary>
    public State* Create()
    {
        var state = (State*)NativeMemory.AllocZeroed((nuint)sizeof(State));
        if (initialize(state, 0, 0) != Ok)
        {
            NativeMemory.Free(state);
            throw new InsufficientMemoryException("libbz2 could not allocate a decoder");
        }

        return state;
    }

    public void Free(State* state)
    {
        end(state);
        NativeMemory.Free(state);
    }

    /// <summary>Decodes a piece; true at the end of the stream.</summary>
    public bool Step(State* state) => decompress(state) switch
    {
        Ok => false,
        StreamEnd => true,
        _ => throw new InvalidDataException("The BZip2 data is damaged"),
    };

    /// <summary>bz_stream.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct State
    {
        public byte* NextIn;
        public uint AvailableIn;
        public uint TotalInLow;
        public uint TotalInHigh;
        public byte* NextOut;
        public uint AvailableOut;
        public uint TotalOutLow;
        public uint TotalOutHigh;
        public void* Internal;
        public void* Alloc;
        public void* Release;
        public void* Opaque;
    }
}
