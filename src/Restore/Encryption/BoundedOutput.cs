using Restore.Memory;

namespace Restore.Encryption;

/// <summary>Collects a stream of unknown length in a pooled buffer that grows up to a limit.</summary>
internal sealed class BoundedOutput : IDisposable
{
    private readonly BufferPool pool;
    private readonly int maxBytes;
    private PooledBuffer? buffer;

    public BoundedOutput(BufferPool pool, int expectedBytes, int maxBytes)
    {
        this.pool = pool;
        this.maxBytes = maxBytes;
        buffer = pool.Rent(Math.Min(expectedBytes, maxBytes));
    }

    /// <summary>Bytes collected so far.</summary>
    public int Length { get; private set; }

    /// <summary>Reads a stream to its end.</summary>
    /// <exception cref="InvalidDataException">The stream is longer than the limit.</exception>
    public async Task ReadAsync(Stream stream)
    {
        while (true)
        {
            // One byte beyond the limit is enough to see that the stream does not end there.
            PooledBuffer current = WithRoom();
            int count = await stream.ReadAsync(current.Memory[Length..]).ConfigureAwait(false);
            if (count == 0)
            {
                return;
            }

            Length += count;
            if (Length > maxBytes)
            {
                throw new InvalidDataException($"The volume's text is longer than {maxBytes} bytes, which is the most that is accepted for its size");
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

    public void Dispose()
    {
        buffer?.Dispose();
        buffer = null;
    }

    private PooledBuffer WithRoom()
    {
        PooledBuffer current = buffer ?? throw new ObjectDisposedException(nameof(BoundedOutput));
        if (Length < current.Length)
        {
            return current;
        }

        PooledBuffer larger = pool.Rent((int)Math.Min(2L * current.Length + 1, maxBytes + 1L));
        current.Span.CopyTo(larger.Span);
        current.Dispose();
        buffer = larger;
        return larger;
    }
}
