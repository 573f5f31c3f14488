namespace Restore.Storage;

/// <summary>
/// A file in memory as the body of a request: each read that sends more restarts the timeout and
/// pays for the rate. Signing reads it too, which costs nothing.
/// </summary>
internal sealed class UploadBody(ReadOnlyMemory<byte> content, TransferDeadline deadline, TransferThrottle? throttle)
    : Stream
{
    private const int MaxChunkBytes = 256 * 1024;

    private int position;
    private int paidBytes;

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => false;

    public override long Length => content.Length;

    public override long Position
    {
        get => position;
        set => position = (int)Math.Clamp(value, 0, content.Length);
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        deadline.Restart();
        int count = Copy(buffer.Span[..Math.Min(buffer.Length, throttle?.ChunkBytes ?? MaxChunkBytes)]);

        // A body that is sent again after a challenge costs again only what is new.
        int unpaid = position - paidBytes;
        if (throttle is not null && unpaid > 0)
        {
            paidBytes = position;
            deadline.Pause();
            await throttle.PayAsync(unpaid, cancellationToken).ConfigureAwait(false);
            deadline.Restart();
        }

        return count;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => Copy(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer) => Copy(buffer);

    public override long Seek(long offset, SeekOrigin origin) =>
        Position =
            offset
            + origin switch
            {
                SeekOrigin.Begin => 0,
                SeekOrigin.Current => position,
                _ => content.Length,
            };

    public override void Flush()
    {
        // Nothing is kept back.
    }

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    private int Copy(Span<byte> buffer)
    {
        int count = Math.Min(buffer.Length, content.Length - position);
        content.Span.Slice(position, count).CopyTo(buffer);
        position += count;
        return count;
    }
}
