using Restore.Streams;

namespace Restore;

/// <summary>
/// Blocks in memory, which any number of <see cref="BackupTree"/> share, and a limit of the volumes
/// that are read for them at the same time.
/// </summary>
public sealed class BlockMemory
{
    // Each fetch has some volumes in memory.
    private const int MostFetches = 4;

    /// <summary>Creates an empty memory.</summary>
    /// <param name="maxBytes">Limit of the bytes of blocks, at least 1 MiB; null for 128 MiB, at
    /// most an eighth of the machine.</param>
    public BlockMemory(long? maxBytes = null) => Cache = new BlockCache(Pool, Backup.CacheBytes(maxBytes ?? 128 << 20));

    /// <summary>The source of the buffers: when all trees are disposed, none is rented.</summary>
    internal BufferPool Pool { get; } = new();

    internal BlockCache Cache { get; }

    internal SemaphoreSlim Turns { get; } = new(MostFetches);
}
