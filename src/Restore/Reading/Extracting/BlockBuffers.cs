using Restore.Memory;

namespace Restore.Reading.Extracting;

/// <summary>Gives each block memory: a large one a buffer of its own, which can be kept without a copy; small ones a part of a buffer they share.</summary>
/// <param name="pool">Where buffers come from.</param>
/// <param name="sharedBytes">Length of a shared buffer.</param>
internal sealed class BlockBuffers(BufferPool pool, int sharedBytes) : IDisposable
{
    /// <summary>Blocks of this length and more have a buffer of their own.</summary>
    public const int OwnBufferBytes = 64 << 10;

    private PooledBuffer? shared;
    private int used;

    /// <summary>Takes memory for a block.</summary>
    /// <param name="lengthBytes">Length of the block.</param>
    /// <param name="offset">Where in the buffer it is.</param>
    /// <param name="isShared">Whether other blocks are in the buffer.</param>
    /// <returns>One use of the buffer, which is the caller's.</returns>
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
