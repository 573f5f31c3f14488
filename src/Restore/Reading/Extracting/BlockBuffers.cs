using Restore.Memory;

namespace Restore.Reading.Extracting;

/// <summary>Allocates memory for blocks: a large block gets a buffer of its own, which can be kept without a copy; small blocks share a buffer.</summary>
/// <param name="pool">The source of buffers.</param>
/// <param name="sharedBytes">Length of a shared buffer.</param>
internal sealed class BlockBuffers(BufferPool pool, int sharedBytes) : IDisposable
{
    /// <summary>Blocks of this length and more have a buffer of their own.</summary>
    public const int OwnBufferBytes = 64 << 10;

    private PooledBuffer? shared;
    private int used;

    /// <summary>Allocates memory for a block.</summary>
    /// <param name="lengthBytes">Length of the block.</param>
    /// <param name="offset">The offset of the block in the buffer.</param>
    /// <param name="isShared">Whether other blocks are in the buffer.</param>
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
