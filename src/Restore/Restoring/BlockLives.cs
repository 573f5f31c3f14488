using Restore.Catalog;
using Restore.Planning;
using Restore.Reading.Messages;

namespace Restore.Restoring;

/// <summary>
/// The lives of the blocks that a pass fetches: pending, then here until every entry that wants a block has it, then done; or missing. A block that is here is
/// the one that just arrived, or in the block store.
/// </summary>
internal sealed class BlockLives : IDisposable
{
    private readonly BlockStore store;
    private readonly int evictPercent;
    private readonly BlockState[] states;
    private readonly int[] wantsLeft;
    private BlockBytes arrived;

    /// <summary>All blocks that the pass fetches are pending.</summary>
    /// <param name="plan">The plan of the pass.</param>
    /// <param name="store">Where blocks wait; it is taken over.</param>
    /// <param name="evictPercent">Percent of the store that is freed when it is full.</param>
    public BlockLives(PassPlan plan, BlockStore store, int evictPercent)
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

    /// <summary>Whether more is kept than the store may hold.</summary>
    public bool IsFull => store.IsOver;

    /// <summary>The most bytes that were in the store at a time.</summary>
    public long PeakStoreBytes => store.PeakBytes;

    public BlockState StateOf(BlockId block) => states[block];

    /// <summary>Takes over the bytes of a block, until <see cref="Settle"/>; a block that nobody waits for is given back.</summary>
    /// <returns>Whether somebody waits for it.</returns>
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

    /// <summary>Keeps the block that arrived, unless every entry that wants it has it.</summary>
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

    /// <summary>Gives one use of a block that is here to one of those who want it. After the last of them it is done.</summary>
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

    /// <summary>Notes that the volume of a block has been through.</summary>
    /// <returns>Whether the block did not come.</returns>
    public bool TryMiss(BlockId block)
    {
        bool isMissing = states[block] == BlockState.Pending;
        states[block] = isMissing ? BlockState.Missing : states[block];
        return isMissing;
    }

    /// <summary>The blocks to free the store of, oldest first; each is done when the next one is asked for.</summary>
    public IEnumerable<BlockBytes> Evict()
    {
        foreach (BlockId block in store.GiveUp(evictPercent))
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
