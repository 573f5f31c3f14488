using Restore.Reading;

namespace Restore.Restoring;

/// <summary>
/// The reference counts of the blocks that a pass fetches: a block is pending, then here until
/// every entry that needs it has it, then done; or it is missing. A block that is here has just
/// arrived, or is in the block store.
/// </summary>
internal sealed class BlockReferences : IDisposable
{
    private readonly BlockStore store;
    private readonly int evictPercent;
    private readonly BlockState[] states;
    private readonly PassPlan plan;

    // Only for blocks that some of their entries already have.
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

    /// <summary>Raises the limit of the store by the usual decoded size of a volume.</summary>
    public void RaiseLimit(long volumeBytes) => store.RaiseLimit(volumeBytes);

    public BlockState StateOf(BlockId block) => states[block];

    /// <summary>
    /// Takes over the bytes of a block, until <see cref="Settle"/>; returns a block that nothing
    /// waits for to the pool.
    /// </summary>
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

    /// <summary>
    /// Gives one use of a block that is here to one of its entries. After the last of them the
    /// block is done.
    /// </summary>
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

    /// <summary>
    /// The blocks to evict, oldest first; each is done when the next one is requested.
    /// </summary>
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
