using System.Buffers.Binary;

namespace Restore.Compression;

/// <summary>Decodes LZMA as zip has it, by liblzma.</summary>
internal sealed unsafe class LzmaStream : NativeDecoderStream
{
    private const int PropertiesLength = 5;

    // Two bytes of version, two of the length of the properties, the properties.
    private const int ZipHeaderLength = 4 + PropertiesLength;

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
        ReadOnlySpan<byte> source = data.Span;
        if (source.Length < ZipHeaderLength || BinaryPrimitives.ReadUInt16LittleEndian(source[2..]) != PropertiesLength)
        {
            throw new InvalidDataException("The header of the LZMA data is damaged.");
        }

        var stream = new LzmaStream(library, data[ZipHeaderLength..]);
        try
        {
            stream.Begin(source.Slice(4, PropertiesLength), lengthBytes);
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

    /// <summary>Gives the decoder the header of an .lzma file: the properties, and the length, which zip keeps elsewhere.</summary>
    private void Begin(ReadOnlySpan<byte> properties, long lengthBytes)
    {
        Span<byte> header = stackalloc byte[PropertiesLength + sizeof(long)];
        properties.CopyTo(header);

        // No decoder looks back further than the data is long; a dictionary declared larger would only cost memory.
        uint dictionaryBytes = BinaryPrimitives.ReadUInt32LittleEndian(header[1..]);
        BinaryPrimitives.WriteUInt32LittleEndian(header[1..], (uint)Math.Min(dictionaryBytes, Math.Max(4096, lengthBytes)));
        BinaryPrimitives.WriteInt64LittleEndian(header[PropertiesLength..], lengthBytes);

        // The decoder wants room for output to do anything; from the header alone none can come.
        byte none;
        fixed (byte* input = header)
        {
            Step(input, header.Length, &none, 1, out _, out _);
        }
    }
}
