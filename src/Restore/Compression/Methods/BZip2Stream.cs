namespace Restore.Compression.Methods;

/// <summary>Decodes BZip2 with libbz2, which needs at most 4 MB.</summary>
internal sealed unsafe class BZip2Stream(LibBZip2 library, ReadOnlyMemory<byte> data) : NativeDecoderStream(data)
{
    private readonly LibBZip2.State* state = library.Create();

    protected override bool Step(byte* input, int inputLength, byte* output, int outputLength, out int used, out int written)
    {
        state->NextIn = input;
        state->AvailableIn = (uint)inputLength;
        state->NextOut = output;
        state->AvailableOut = (uint)outputLength;
        bool isAtEnd = library.Step(state);
        used = inputLength - (int)state->AvailableIn;
        written = outputLength - (int)state->AvailableOut;
        return isAtEnd;
    }

    protected override void Free() => library.Free(state);
}
