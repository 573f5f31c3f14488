namespace Restore.Compression.Methods;

/// <summary>Decodes ZStandard frames, one after the other until the input ends, by libzstd.</summary>
internal sealed unsafe class ZstandardStream(LibZstandard library, ReadOnlyMemory<byte> data) : NativeDecoderStream(data)
{
    private readonly nint context = library.CreateContext();

    protected override bool Step(byte* input, int inputLength, byte* output, int outputLength, out int used, out int written)
    {
        var source = new LibZstandard.Piece { Memory = input, Length = (nuint)inputLength };
        var target = new LibZstandard.Piece { Memory = output, Length = (nuint)outputLength };
        bool isFrameEnd = library.Step(context, ref source, ref target);
        used = (int)source.Position;
        written = (int)target.Position;
        return isFrameEnd && used == inputLength;
    }

    protected override void Free() => library.Free(context);
}
