namespace Restore.Encryption;

/// <summary>
/// Collects a stream of unknown length in a pooled buffer. A stream that is longer than expected
/// waits for its turn and gets a buffer of the greatest length: unused room takes no memory, and
/// growing step by step would take half as much memory again.
/// </summary>
internal sealed class BoundedOutput : IDisposable
{
    private readonly BufferPool pool;
    private readonly int maxBytes;
    private readonly Func<ValueTask<IDisposable?>> turn;
    private PooledBuffer? buffer;

    public BoundedOutput(BufferPool pool, int expectedBytes, int maxBytes, Func<ValueTask<IDisposable?>> turn)
    {
        this.pool = pool;
        this.maxBytes = maxBytes;
        this.turn = turn;

        // One byte beyond the limit is enough to see that the stream does not end there.
        buffer = pool.Rent(expectedBytes < maxBytes ? expectedBytes : maxBytes + 1);
    }

    public int Length { get; private set; }

    /// <param name="stream">The stream.</param>
    /// <param name="arrived">Called whenever a part of the stream has arrived.</param>
    public async Task ReadAsync(Stream stream, Action? arrived = null)
    {
        while (true)
        {
            PooledBuffer current = await WithRoomAsync().ConfigureAwait(false);
            int count = await stream.ReadAsync(current.Memory[Length..]).ConfigureAwait(false);
            if (count == 0)
            {
                return;
            }

            arrived?.Invoke();
            Length += count;
            if (Length > maxBytes)
            {
                throw new InvalidDataException(
                    $"The volume's text is longer than {maxBytes} bytes, which is the most that is accepted for its size"
                );
            }
        }
    }

    /// <summary>Hands over the buffer, shortened to what was collected.</summary>
    public PooledBuffer Detach()
    {
        PooledBuffer full = buffer ?? throw new ObjectDisposedException(nameof(BoundedOutput));
        buffer = null;
        full.Truncate(Length);
        return full;
    }

    /// <summary>Something may still write into the memory: it is not used again.</summary>
    public void Lose() => buffer?.Lose();

    public void Dispose()
    {
        buffer?.Dispose();
        buffer = null;
    }

    private async ValueTask<PooledBuffer> WithRoomAsync()
    {
        PooledBuffer current = buffer ?? throw new ObjectDisposedException(nameof(BoundedOutput));
        if (Length < current.Length)
        {
            return current;
        }

        IDisposable? place = await turn().ConfigureAwait(false);
        try
        {
            buffer = pool.Rent(maxBytes + 1);
        }
        catch
        {
            place?.Dispose();
            throw;
        }

        if (place is not null)
        {
            // From here on the place belongs to the buffer, and is released with it: by the user of
            // the text.
            buffer.Attach(place);
        }

        current.Span.CopyTo(buffer.Span);
        current.Dispose();
        return buffer;
    }
}
