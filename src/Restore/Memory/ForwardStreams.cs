namespace Restore.Memory;

/// <summary>A stream that goes forwards only, in one direction.</summary>
internal abstract class ForwardStream : Stream
{
    public override bool CanRead => false;

    public override bool CanWrite => false;

    public sealed override bool CanSeek => false;

    public sealed override long Length => throw new NotSupportedException();

    public sealed override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public sealed override void Flush()
    {
    }

    public sealed override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public sealed override void SetLength(long value) => throw new NotSupportedException();
}

/// <summary>Reads memory or computed data: asynchronous reads complete at once.</summary>
internal abstract class ForwardReadStream : ForwardStream
{
    public sealed override bool CanRead => true;

    public abstract override int Read(Span<byte> buffer);

    public sealed override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public sealed override int ReadByte()
    {
        byte value = 0;
        return Read(new Span<byte>(ref value)) == 0 ? -1 : value;
    }

    public sealed override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return new ValueTask<int>(Read(buffer.Span));
    }

    public sealed override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
}

/// <summary>Reads memory; native memory that is read once goes back to the system behind the place that is read.</summary>
internal sealed class MemoryReadStream(ReadOnlyMemory<byte> data) : ForwardReadStream
{
    private const int ForgottenAtOnceBytes = 2 << 20;

    private ReadOnlyMemory<byte> rest = data;
    private int sinceForgotten;

    public override int Read(Span<byte> buffer)
    {
        int length = Math.Min(buffer.Length, rest.Length);
        rest.Span[..length].CopyTo(buffer);
        rest = rest[length..];
        if ((sinceForgotten += length) >= ForgottenAtOnceBytes
            && MemoryMarshal.TryGetMemoryManager(rest, out NativeBlock? block, out int place, out _) && block.IsReadOnce)
        {
            sinceForgotten = 0;
            block.Forget(place);
        }

        return length;
    }
}

internal abstract class ForwardWriteStream : ForwardStream
{
    public sealed override bool CanWrite => true;

    public abstract override void Write(ReadOnlySpan<byte> buffer);

    public sealed override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));
}
