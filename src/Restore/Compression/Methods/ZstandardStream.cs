namespace Restore.Compression.Methods;

/// <summary>
/// Decodes ZStandard frames, one after the other until the input ends, by libzstd.
/// </summary>
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
                LibZstandard.Piece source = new()
                {
                    Memory = (byte*)pin.Pointer + consumed,
                    Length = (nuint)(inputLength - consumed),
                };
                LibZstandard.Piece target = new() { Memory = output, Length = (nuint)buffer.Length };
                bool isFrameEnd = library.Step(context, ref source, ref target);
                written = (int)target.Position;
                consumed += (int)source.Position;

                // Bytes after a whole frame that are not a frame were added later. The frame itself
                // is sound: its checksum is verified.
                isAtEnd =
                    isFrameEnd
                    && !IsFrame(new ReadOnlySpan<byte>((byte*)pin.Pointer + consumed, inputLength - consumed));
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
        return BinaryPrimitives.TryReadUInt32LittleEndian(data, out uint magic)
            && (magic == Frame || (magic & ~0xFu) == FirstSkippable);
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
