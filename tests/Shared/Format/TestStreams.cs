namespace Restore.Tests.Format;

/// <summary>Gives one byte at a read.</summary>
internal sealed class TricklingStream(byte[] content) : MemoryStream(content)
{
    public override int Read(Span<byte> buffer) => base.Read(buffer[..Math.Min(1, buffer.Length)]);

    public override int Read(byte[] buffer, int offset, int count) => base.Read(buffer, offset, Math.Min(1, count));
}

/// <summary>A start, something many times, and an end, without the memory for it.</summary>
internal sealed class RepeatingStream(byte[] start, byte[] piece, long count, byte[] end) : Stream
{
    private readonly long length = start.Length + (piece.Length * count) + end.Length;

    public RepeatingStream(byte[] start, byte piece, long count, byte[] end)
        : this(start, [piece], count, end) { }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => length;

    public override long Position { get; set; }

    public override int Read(Span<byte> buffer)
    {
        int read = (int)Math.Min(buffer.Length, length - Position);
        for (int i = 0; i < read; i++, Position++)
        {
            buffer[i] =
                Position < start.Length ? start[Position]
                : Position >= length - end.Length ? end[Position - (length - end.Length)]
                : piece[(Position - start.Length) % piece.Length];
        }

        return read;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override void Flush() { }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
