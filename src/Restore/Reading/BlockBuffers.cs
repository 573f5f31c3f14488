namespace Restore.Reading;

/// <summary>
/// Allocates memory for blocks: a large block gets a buffer of its own, which can be kept without a
/// copy; small blocks share a buffer.
/// </summary>
internal sealed class BlockBuffers(BufferPool pool, int sharedBytes) : IDisposable
{
    /// <summary>Blocks of this length and more have a buffer of their own.</summary>
    public const int OwnBufferBytes = 64 << 10;

    private PooledBuffer? shared;
    private int used;

    /// <returns>One use of the buffer, which the caller owns.</returns>
    public PooledBuffer Take(int lengthBytes, out int offset, out bool isShared)
    {
        isShared = lengthBytes < OwnBufferBytes;
        if (!isShared)
        {
            offset = 0;
            return pool.Rent(lengthBytes);
        }

        if (shared is null || used + lengthBytes > shared.Length)
        {
            shared?.Dispose();
            shared = pool.Rent(sharedBytes);
            used = 0;
        }

        offset = used;
        used += lengthBytes;
        shared.AddUsers();
        return shared;
    }

    public void Dispose()
    {
        shared?.Dispose();
        shared = null;
    }
}
