using Restore.Streams;

namespace Restore.Trees;

/// <summary>
/// Blocks in memory that any number of <see cref="BackupTree"/> objects share, with a limit on the
/// volumes that are read for them at the same time.
/// </summary>
public sealed class BlockMemory
{
    // Each fetch has some volumes in memory.
    private const int MostFetches = 4;

    /// <summary>Creates an empty memory.</summary>
    /// <param name="maxBytes">Limit of the bytes of blocks, at least 1 MiB; null for 128 MiB, at
    /// most an eighth of the machine.</param>
    public BlockMemory(long? maxBytes = null) => Cache = new BlockCache(Pool, Backup.CacheBytes(maxBytes ?? 128 << 20));

    /// <summary>
    /// The source of the buffers. When all trees are disposed, no buffer is rented.
    /// </summary>
    internal BufferPool Pool { get; } = new();

    internal BlockCache Cache { get; }

    internal SemaphoreSlim Turns { get; } = new(MostFetches);
}
