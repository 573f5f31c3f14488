using Restore.Reading;

namespace Restore.Restoring;

/// <summary>
/// The reference counts of the blocks that a pass fetches: a block is pending, then here until every entry that needs it has it, then done; or missing. It
/// is the one that just arrived, or in the block store.
/// </summary>
internal sealed class BlockReferences : IDisposable
{
    private readonly BlockStore store;
    private readonly int evictPercent;
    private readonly BlockState[] states;
    private readonly int[] wantsLeft;
    private BlockBytes arrived;

    /// <summary>All blocks that the pass fetches are pending.</summary>
    /// <param name="plan">The plan of the pass.</param>
    /// <param name="store">The store of blocks that wait; taken over.</param>
    /// <param name="evictPercent">Percent of the store to free when it is full.</param>
    public BlockReferences(PassPlan plan, BlockStore store, int evictPercent)
    {
        this.store = store;
        this.evictPercent = evictPercent;
        states = new BlockState[plan.Content.Blocks.Count];
        wantsLeft = new int[plan.Content.Blocks.Count];
        foreach (BlockId block in plan.Fetch.Blocks)
        {
            states[block] = BlockState.Pending;
            wantsLeft[block] = plan.WantsOf(block).Length;
        }
    }

    public bool IsFull => store.IsOver;

    /// <summary>The peak of the bytes in the store.</summary>
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
        if (--wantsLeft[block] == 0)
        {
            states[block] = BlockState.Done;
            if (!isArrived)
            {
                store.Remove(block);
            }
        }

        return bytes;
    }

    /// <summary>Records that the volume of a block is finished.</summary>
    /// <returns>Whether the block did not come.</returns>
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
