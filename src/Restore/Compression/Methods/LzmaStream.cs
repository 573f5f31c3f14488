using System.Buffers.Binary;

namespace Restore.Compression.Methods;

/// <summary>Decodes LZMA as zip has it, by liblzma.</summary>
internal sealed unsafe class LzmaStream : NativeDecoderStream
{
    private readonly LibLzma library;
    private readonly LibLzma.State* state;

    private LzmaStream(LibLzma library, ReadOnlyMemory<byte> data)
        : base(data)
    {
        this.library = library;
        state = library.Create();
    }

    /// <summary>Opens the data of an entry.</summary>
    /// <exception cref="InvalidDataException">Its header is damaged.</exception>
    public static LzmaStream Open(LibLzma library, ReadOnlyMemory<byte> data, long lengthBytes)
    {
        LzmaHeader header = LzmaHeader.Read(data.Span, lengthBytes);
        var stream = new LzmaStream(library, data[LzmaHeader.LengthBytes..]);
        try
        {
            stream.Begin(header, lengthBytes);
            return stream;
        }
        catch
        {
            stream.Dispose();
            throw;
        }
    }

    protected override bool Step(byte* input, int inputLength, byte* output, int outputLength, out int used, out int written)
    {
        state->NextIn = input;
        state->AvailableIn = (nuint)inputLength;
        state->NextOut = output;
        state->AvailableOut = (nuint)outputLength;
        bool isAtEnd = library.Step(state);
        used = inputLength - (int)state->AvailableIn;
        written = outputLength - (int)state->AvailableOut;
        return isAtEnd;
    }

    protected override void Free() => library.Free(state);

    /// <summary>Gives the decoder the header of an .lzma file: the properties, and the length, which zip stores elsewhere.</summary>
    private void Begin(LzmaHeader header, long lengthBytes)
    {
        Span<byte> start = stackalloc byte[LzmaHeader.PropertiesLength + sizeof(long)];
        header.ToProperties().CopyTo(start);
        BinaryPrimitives.WriteInt64LittleEndian(start[LzmaHeader.PropertiesLength..], lengthBytes);

        // The decoder does nothing without room for output; the header alone cannot produce any.
        byte none;
        fixed (byte* input = start)
        {
            Step(input, start.Length, &none, 1, out _, out _);
        }
    }
}
