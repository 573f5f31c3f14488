using Microsoft.Extensions.Caching.Memory;
using Restore.Reading;

namespace Restore.Restoring;

/// <summary>
/// The blocks that came before their turn or are needed again, in a <see cref="MemoryCache"/> that counts their bytes. A kept block owns its
/// memory: a block that shares its buffer with others is copied, so that the store never pins a volume. The owner decides which blocks to evict, oldest
/// first, not the cache: an evicted block must first be written to its places.
/// </summary>
internal sealed class BlockStore(long maxBytes, BufferPool pool) : IDisposable
{
    // Content rarely compresses to less than a quarter. What was made to decode to far more than it is does not fill the memory: it is written out of order.
    private const long LeastLimitBytes = 128 << 20;
    private const int UsualRatio = 4;

    private long volumeLimitBytes = LeastLimitBytes;

    private readonly MemoryCache cache = new(new MemoryCacheOptions { TrackStatistics = false });
    private readonly Queue<BlockId> age = new();

    public long Bytes { get; private set; }

    public long PeakBytes { get; private set; }

    public bool IsOver => Bytes > LimitBytes;

    private long LimitBytes => Math.Min(maxBytes, volumeLimitBytes);

    /// <summary>Raises the limit by what so many bytes of a volume usually decode to.</summary>
    public void RaiseLimit(long volumeBytes) => volumeLimitBytes += UsualRatio * volumeBytes;

    /// <summary>Keeps a block and takes over the use of its buffer.</summary>
    public void Put(in BlockBytes block)
    {
        BlockBytes own = block.IsShared ? Copy(block) : block;
        cache.Set(own.Block, own);
        age.Enqueue(own.Block);
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
    /// The blocks to evict, oldest first, until <paramref name="percent"/> of the limit is free. The caller must remove each before it requests the next.
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

/// <summary>
/// The reference counts of the blocks that a pass fetches: a block is pending, then here until every entry that needs it has it, then done; or missing. It
/// is the one that just arrived, or in the block store.
/// </summary>
internal sealed class BlockReferences : IDisposable
{
    private readonly BlockStore store;
    private readonly int evictPercent;
    private readonly BlockState[] states;
    private readonly PassPlan plan;

    // Of blocks that some of their entries have.
    private readonly Dictionary<BlockId, int> wantsLeft = [];
    private BlockBytes arrived;

    /// <summary>All blocks that the pass fetches are pending.</summary>
    public BlockReferences(PassPlan plan, BlockStore store, int evictPercent)
    {
        this.plan = plan;
        this.store = store;
        this.evictPercent = evictPercent;
        states = new BlockState[plan.Content.Blocks.Count];
        foreach (BlockId block in plan.Fetch.Blocks)
        {
            states[block] = BlockState.Pending;
        }
    }

    public bool IsFull => store.IsOver;

    public long PeakStoreBytes => store.PeakBytes;

    /// <summary>Raises the limit of the store by what a volume usually decodes to.</summary>
    public void RaiseLimit(long volumeBytes) => store.RaiseLimit(volumeBytes);

    public BlockState StateOf(BlockId block) => states[block];

    /// <summary>Takes over the bytes of a block, until <see cref="Settle"/>; returns a block that nothing waits for to the pool.</summary>
    /// <returns>Whether an entry waits for it.</returns>
    public bool TryArrive(in BlockBytes bytes)
    {
        if (states[bytes.Block] != BlockState.Pending)
        {
            bytes.Dispose();
            return false;
        }

        states[bytes.Block] = BlockState.Here;
        arrived = bytes;
        return true;
    }

    /// <summary>Keeps the block that arrived, unless every entry that needs it has it.</summary>
    public void Settle()
    {
        BlockBytes block = arrived;
        arrived = default;
        if (states[block.Block] == BlockState.Here)
        {
            store.Put(block);
        }
        else
        {
            block.Dispose();
        }
    }

    /// <summary>Gives one use of a block that is here to one of its entries. After the last of them the block is done.</summary>
    public BlockBytes Give(BlockId block)
    {
        BlockBytes bytes = arrived;
        bool isArrived = bytes.Buffer is not null && bytes.Block == block;
        if (!isArrived && !store.TryGet(block, out bytes))
        {
            throw new InvalidOperationException("A block that is here is not in the store");
        }

        bytes.Buffer!.AddUsers();
        int left = wantsLeft.GetValueOrDefault(block, plan.WantsOf(block).Count) - 1;
        if (left > 0)
        {
            wantsLeft[block] = left;
        }
        else
        {
            wantsLeft.Remove(block);
            states[block] = BlockState.Done;
            if (!isArrived)
            {
                store.Remove(block);
            }
        }

        return bytes;
    }

    /// <summary>Records that the volume of a block is finished.</summary>
    public bool TryMiss(BlockId block)
    {
        bool isMissing = states[block] == BlockState.Pending;
        states[block] = isMissing ? BlockState.Missing : states[block];
        return isMissing;
    }

    /// <summary>The blocks to evict, oldest first; each is done when the next one is requested.</summary>
    public IEnumerable<BlockBytes> Evict()
    {
        foreach (BlockId block in store.Evict(evictPercent))
        {
            store.TryGet(block, out BlockBytes bytes);
            yield return bytes;
            states[block] = BlockState.Done;
            wantsLeft.Remove(block);
            store.Remove(block);
        }
    }

    public void Dispose()
    {
        arrived.Dispose();
        store.Dispose();
    }
}

internal enum BlockState : byte
{
    /// <summary>The pass does not fetch it.</summary>
    NotWanted,

    /// <summary>Its volume is not finished yet.</summary>
    Pending,

    /// <summary>In the block store, or the one that just arrived.</summary>
    Here,

    /// <summary>Every entry that needs it has it.</summary>
    Done,

    /// <summary>Its volume did not have it.</summary>
    Missing,
}
