namespace Restore.Memory;

/// <summary>
/// Collects bytes in one pooled buffer, which grows when its first size is too small.
/// </summary>
internal sealed class PooledOutput(BufferPool pool, int capacityBytes) : IBufferWriter<byte>, IDisposable
{
    private PooledBuffer? buffer = pool.Rent(capacityBytes);

    public int Length { get; private set; }

    /// <summary>The bytes written so far; the caller may change them.</summary>
    public Span<byte> Written => Buffer.Room.Span[..Length];

    private PooledBuffer Buffer => buffer ?? throw new ObjectDisposedException(nameof(PooledOutput));

    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, Buffer.Room.Length - Length);
        Length += count;
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(Math.Max(sizeHint, 1));
        return Buffer.Room[Length..];
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <summary>
    /// Hands over the buffer with the written bytes; this object is empty afterwards and need not
    /// be disposed.
    /// </summary>
    public PooledBuffer Detach()
    {
        PooledBuffer detached = Buffer;
        buffer = null;
        detached.Resize(Length);
        return detached;
    }

    public void Dispose()
    {
        buffer?.Dispose();
        buffer = null;
    }

    private void Reserve(int count)
    {
        if (Buffer.Room.Length - Length >= count)
        {
            return;
        }

        long wanted = Math.Min(Array.MaxLength, Math.Max((long)Length + count, 2L * Buffer.Room.Length));
        if (wanted - Length < count)
        {
            throw new InsufficientMemoryException($"More than {Array.MaxLength:N0} bytes cannot be held in one buffer");
        }

        PooledBuffer larger = pool.Rent((int)wanted);
        Written.CopyTo(larger.Room.Span);
        Buffer.Dispose();
        buffer = larger;
    }
}
