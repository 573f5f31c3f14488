using Restore.Reading;

namespace Restore.Restoring;

/// <summary>
/// Gives each block to every entry that needs it: immediately if it is the next item of the entry;
/// otherwise the block waits in the block store. When the store is full, some of its blocks are
/// written to all their places immediately, out of order.
/// </summary>
internal sealed class BlockManager(PassPlan plan, BlockReferences blocks, WorkBatches work, VolumeTally tally)
{
    // Blocks up to this size stay in the store if the file that needs them cannot use them soon.
    private const int SmallBytes = 4 << 10;

    private readonly EntryCursors cursors = new(plan.Entries.Count);

    public async Task RunAsync(IReadChannelEnd<BlocksExtracted> input)
    {
        // These entries wait for no block, so nothing else would begin them.
        await AdvanceEntriesWithoutVolumesAsync().ConfigureAwait(false);
        await foreach (BlocksExtracted batch in input.ReadAllAsync().ConfigureAwait(false))
        {
            using BlocksExtracted owned = batch;
            while (batch.TryTake(out BlockBytes block))
            {
                if (blocks.TryArrive(block))
                {
                    await AdvanceAllAsync(block.Block).ConfigureAwait(false);
                    blocks.Settle();
                }
            }

            if (batch.End is VolumeEnd end)
            {
                await EndVolumeAsync(batch.Wanted, end).ConfigureAwait(false);
            }

            if (blocks.IsFull)
            {
                await EvictAsync().ConfigureAwait(false);
            }

            // Work that does not fill a message does not wait for the next volume: its items keep
            // the memory of this one.
            await work.FlushAsync().ConfigureAwait(false);
        }
    }

    private async ValueTask AdvanceEntriesWithoutVolumesAsync()
    {
        foreach (EntryId entry in plan.InOrder())
        {
            if (plan.Includes(entry) && !NeedsVolume(entry))
            {
                await AdvanceAsync(entry).ConfigureAwait(false);
            }
        }

        await work.FlushAsync().ConfigureAwait(false);
    }

    private bool NeedsVolume(EntryId entry)
    {
        foreach (Item item in plan.ItemsOf(entry))
        {
            if (plan.SourceOf(entry, item) == ItemSource.Fetched)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// Advances every entry that waits for a block, because the block came or will not come.
    /// </summary>
    private async ValueTask AdvanceAllAsync(BlockId block)
    {
        int wants = plan.WantsOf(block).Count;
        for (int i = 0; i < wants; i++)
        {
            Want want = plan.WantsOf(block)[i];
            if (cursors.Awaits(want) && !IsBetterKept(block, wants, want.Entry))
            {
                await AdvanceAsync(want.Entry).ConfigureAwait(false);
            }
        }
    }

    /// <summary>
    /// Whether a block that came stays in the store for now: a small block that many entries need.
    /// Giving the block to all of them would start many files at the same time, and their metadata
    /// is spread over later volumes. A waiting file costs more memory than the block, and is opened
    /// twice.
    /// </summary>
    private bool IsBetterKept(BlockId block, int wants, EntryId entry)
    {
        // Keeping the block gains nothing if only one entry wants it, if it is missing, if the
        // entry was begun already, or if the block is larger than what a waiting file costs.
        if (
            wants == 1
            || blocks.StateOf(block) != BlockState.Here
            || cursors.NextOf(entry) > default(Item)
            || plan.Content.Blocks.SizeOf(block) > SmallBytes
        )
        {
            return false;
        }

        // The last item of an entry is its metadata. While it is to come, the entry could be
        // started and not finished.
        ItemRange items = plan.ItemsOf(entry);
        Item last = items.Last;
        return items.Count > 1
            && plan.SourceOf(entry, last) == ItemSource.Fetched
            && blocks.StateOf(plan.BlockOf(entry, last)) == BlockState.Pending;
    }

    /// <summary>Sends all items that the entry can take in order.</summary>
    private async ValueTask AdvanceAsync(EntryId entry)
    {
        ItemRange items = plan.ItemsOf(entry);
        Item item = items.At(cursors.NextOf(entry));
        while (item != Item.End && TrySend(entry, item))
        {
            item = items.After(item);
            await work.FlushIfFullAsync(entry).ConfigureAwait(false);
        }

        if (item == Item.End)
        {
            work.Add(new WorkItem(cursors.FinishOf(entry), entry, Item.End, default));
        }

        cursors.MoveTo(entry, item);
        await work.FlushIfFullAsync(entry).ConfigureAwait(false);
    }

    /// <summary>
    /// Sends one item if it is there, or passes over it if it is not needed or will not come.
    /// </summary>
    /// <returns>False if the entry has to wait for it.</returns>
    private bool TrySend(EntryId entry, Item item)
    {
        switch (plan.SourceOf(entry, item))
        {
            case ItemSource.Zeros:
                work.Add(new WorkItem(WorkKind.Zeros, entry, item, default));
                return true;
            case ItemSource.Local:
                work.Add(new WorkItem(WorkKind.LocalCopy, entry, item, default));
                return true;
            case ItemSource.Nowhere:
                cursors.Miss(entry, isContent: !item.IsMetadata);
                return true;
            case ItemSource.Fetched:
                return TrySendFetched(plan.BlockOf(entry, item), entry, item);
            default:
                return true;
        }
    }

    private bool TrySendFetched(BlockId block, EntryId entry, Item item)
    {
        switch (blocks.StateOf(block))
        {
            case BlockState.Pending:
                return false;
            case BlockState.Missing:
                cursors.Miss(entry, isContent: !item.IsMetadata);
                return true;
            case BlockState.Here:
                work.Add(new WorkItem(WorkKind.Block, entry, item, blocks.Give(block)));
                return true;
            default:
                // The store was full, and the block was written to this place out of order.
                return true;
        }
    }

    /// <summary>
    /// Blocks that did not come by the end of their volume will not come: the entries that wait for
    /// them continue without.
    /// </summary>
    private async ValueTask EndVolumeAsync(WantedVolume volume, VolumeEnd end)
    {
        int missing = 0;
        for (int i = 0; i < volume.Count; i++)
        {
            BlockId block = plan.Fetch.Blocks[volume.First + i];
            if (blocks.TryMiss(block))
            {
                missing++;
                tally.MissingBlocks.Add(block);
                await AdvanceAllAsync(block).ConfigureAwait(false);
            }
        }

        tally.End(volume, end, missing);
        blocks.RaiseLimit(end.FetchedBytes);
    }

    /// <summary>Makes room in the store: writes blocks to their places now, out of order.</summary>
    private async ValueTask EvictAsync()
    {
        foreach (BlockBytes block in blocks.Evict())
        {
            int wants = plan.WantsOf(block.Block).Count;
            for (int i = 0; i < wants; i++)
            {
                Want want = plan.WantsOf(block.Block)[i];
                if (cursors.Awaits(want))
                {
                    block.Buffer.AddUsers();
                    work.Add(new WorkItem(WorkKind.Block, want.Entry, want.Item, block));
                    await work.FlushIfFullAsync(want.Entry).ConfigureAwait(false);
                }
            }
        }
    }
}
