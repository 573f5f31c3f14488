using System.Buffers;

namespace Restore.Compression.Methods;

/// <summary>Decodes memory with a native library that takes a piece of input and returns a piece of output at each call.</summary>
internal abstract unsafe class NativeDecoderStream : ForwardReadStream
{
    private readonly int inputLength;
    private MemoryHandle pin;
    private int consumed;
    private bool isAtEnd;
    private bool isDisposed;

    protected NativeDecoderStream(ReadOnlyMemory<byte> data)
    {
        inputLength = data.Length;
        pin = data.Pin();
    }

    public sealed override int Read(Span<byte> buffer)
    {
        ObjectDisposedException.ThrowIf(isDisposed, this);
        int written = 0;
        while (written == 0 && !isAtEnd && !buffer.IsEmpty)
        {
            int used;
            fixed (byte* output = buffer)
            {
                isAtEnd = Step((byte*)pin.Pointer + consumed, inputLength - consumed, output, buffer.Length, out used, out written);
            }

            consumed += used;
            if (used == 0 && written == 0 && !isAtEnd)
            {
                throw new InvalidDataException("The compressed data ends too early");
            }
        }

        return written;
    }

    /// <summary>Decodes some more; true when that was the end of the data.</summary>
    /// <exception cref="InvalidDataException">The data is damaged, or needs more memory than the limit of a decoder.</exception>
    protected abstract bool Step(byte* input, int inputLength, byte* output, int outputLength, out int used, out int written);

    /// <summary>Releases what the library holds; called once.</summary>
    protected abstract void Free();

    protected sealed override void Dispose(bool disposing)
    {
        if (disposing && !isDisposed)
        {
            isDisposed = true;
            Free();
            pin.Dispose();
        }

        base.Dispose(disposing);
    }
}
