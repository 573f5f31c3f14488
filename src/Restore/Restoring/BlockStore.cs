using Microsoft.Extensions.Caching.Memory;
using Restore.Reading;

namespace Restore.Restoring;

/// <summary>
/// The blocks that came before their turn or are needed again, in a <see cref="MemoryCache"/>. A
/// kept block owns its memory: a block that shares its buffer with others is copied, so that the
/// store never pins a volume. The owner decides which blocks to evict, oldest first, not the cache:
/// an evicted block must first be written to its places, and the cache would report it later and on
/// another thread (docs/decisions/0039-who-evicts-from-the-block-store.md).
/// </summary>
internal sealed class BlockStore(long maxBytes, BufferPool pool) : IDisposable
{
    // Content rarely compresses to less than a quarter. Data that was made to decode to far more
    // than its size does not fill the memory: it is written out of order.
    private const long LeastLimitBytes = 128 << 20;
    private const int UsualRatio = 4;

    private long volumeLimitBytes = LeastLimitBytes;

    private readonly MemoryCache cache = new(new MemoryCacheOptions { TrackStatistics = false });
    private readonly Queue<BlockId> age = new();

    public long Bytes { get; private set; }

    public long PeakBytes { get; private set; }

    public bool IsOver => Bytes > LimitBytes;

    private long LimitBytes => Math.Min(maxBytes, volumeLimitBytes);

    /// <summary>Raises the limit by the usual decoded size of so many bytes of a volume.</summary>
    public void RaiseLimit(long volumeBytes) => volumeLimitBytes += UsualRatio * volumeBytes;

    /// <summary>Keeps a block and takes over the use of its buffer.</summary>
    public void Put(in BlockBytes block)
    {
        BlockBytes own = block.IsShared ? Copy(block) : block;
        cache.Set(own.Block, own);
        age.Enqueue(own.Block);

        // The room counts, not the length: it is the memory that the block keeps.
        Bytes += own.Buffer.Room.Length;
        PeakBytes = Math.Max(PeakBytes, Bytes);
    }

    public bool TryGet(BlockId block, out BlockBytes bytes) => cache.TryGetValue(block, out bytes);

    /// <summary>Removes a block that no entry needs any more.</summary>
    public void Remove(BlockId block)
    {
        if (cache.TryGetValue(block, out BlockBytes bytes))
        {
            cache.Remove(block);
            Bytes -= bytes.Buffer.Room.Length;
            bytes.Buffer.Dispose();
        }
    }

    /// <summary>
    /// The blocks to evict, oldest first, until <paramref name="percent"/> of the limit is free.
    /// The caller must remove each before it requests the next.
    /// </summary>
    public IEnumerable<BlockId> Evict(int percent)
    {
        long keepBytes = LimitBytes / 100 * (100 - percent);
        while (Bytes > keepBytes && age.TryDequeue(out BlockId block))
        {
            if (cache.TryGetValue(block, out _))
            {
                yield return block;
            }
        }
    }

    public void Dispose()
    {
        while (age.TryDequeue(out BlockId block))
        {
            Remove(block);
        }

        cache.Dispose();
    }

    private BlockBytes Copy(in BlockBytes block)
    {
        PooledBuffer own = pool.Rent(block.Length);
        block.Span.CopyTo(own.Span);
        block.Buffer.Dispose();
        return new BlockBytes(block.Block, own, 0, block.Length, IsShared: false);
    }
}
