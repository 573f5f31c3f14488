namespace Restore.Storage;

/// <summary>A file in memory as the body of a request: each read that sends more restarts the timeout and pays for the rate. Signing reads it too, which costs
/// nothing.</summary>
internal sealed class UploadBody(ReadOnlyMemory<byte> content, TransferDeadline deadline, TransferThrottle? throttle) : Stream
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

    public override long Seek(long offset, SeekOrigin origin) => Position = offset + origin switch
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

/// <summary>Cancels a transfer that makes no progress for too long.</summary>
internal sealed class TransferDeadline : IDisposable
{
    private readonly TimeSpan timeout;
    private readonly CancellationTokenSource expiry;
    private readonly CancellationTokenSource linked;

    public TransferDeadline(TimeSpan timeout, TimeProvider timeProvider, CancellationToken cancellationToken)
    {
        this.timeout = timeout;
        expiry = new CancellationTokenSource(timeout, timeProvider);
        linked = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, expiry.Token);
    }

    public CancellationToken Token => linked.Token;

    public void Restart() => expiry.CancelAfter(timeout);

    public void Pause() => expiry.CancelAfter(Timeout.InfiniteTimeSpan);

    public TransientStoreException Exceeded(string what, int bytesRead = 0, bool unreachable = false, string did = "sent") =>
        new(string.Create(CultureInfo.InvariantCulture, $"The store {did} nothing for {timeout.TotalSeconds:0.###} s ({what})"))
        {
            BytesRead = bytesRead,
            StoreUnreachable = unreachable,
        };

    /// <summary>Whether a request ended because it took too long. The SDK of S3 throws the cause of a cancellation instead of the cancellation.</summary>
    public static bool IsTimeout(Exception failure, CancellationToken cancellationToken) =>
        failure is TimeoutException || (failure is OperationCanceledException && !cancellationToken.IsCancellationRequested);

    /// <summary>The failure for a request that was canceled: by this deadline, or by the client that could not connect.</summary>
    public TransientStoreException Exceeded(Exception failure, string what, bool unreachable = false, string did = "sent") =>
        expiry.IsCancellationRequested
            ? Exceeded(what, unreachable: unreachable, did: did)
            : new($"The store cannot be reached ({what}): Nothing answers at its address", failure) { StoreUnreachable = true, NothingListens = true };

    public void Dispose()
    {
        linked.Dispose();
        expiry.Dispose();
    }
}
