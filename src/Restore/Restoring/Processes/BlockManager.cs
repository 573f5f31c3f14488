using Restore.Catalog;
using Restore.Csp;
using Restore.Memory;
using Restore.Planning;
using Restore.Reading.Messages;
using Restore.Restoring.Messages;
using Restore.Volumes;

namespace Restore.Restoring.Processes;

/// <summary>
/// Gives each block to every entry that wants it: at once if it is the entry's next item, else it is kept in the block store until it is.
/// When the store is full, some of its blocks are written to all their places at once, out of order.
/// </summary>
internal sealed class BlockManager : IDisposable
{
    private readonly PassPlan plan;
    private readonly FlowSettings settings;
    private readonly ProgressMeter progress;
    private readonly BlockStore store;
    private readonly BlockState[] states;
    private readonly int[] wantsLeft;
    private readonly int[] nextItem;
    private readonly BitSet incomplete;
    private readonly BitSet contentIncomplete;
    private readonly EntryOwners owners;
    private readonly FileWork[] work;
    private IWriteChannelEnd<FileWork>[] outputs = [];
    private BlockBytes current;

    public BlockManager(PassPlan plan, FlowSettings settings, BufferPool pool, ProgressMeter progress)
    {
        this.progress = progress;
        this.plan = plan;
        this.settings = settings;
        store = new BlockStore(settings.StoreBytes, pool);
        states = new BlockState[plan.Content.Blocks.Count];
        wantsLeft = new int[plan.Content.Blocks.Count];
        nextItem = new int[plan.Entries.Count];
        incomplete = new BitSet(plan.Entries.Count);
        contentIncomplete = new BitSet(plan.Entries.Count);
        owners = new EntryOwners(plan, settings.FileProcessors);
        work = new FileWork[settings.FileProcessors];
        foreach (BlockId block in plan.Fetch.Blocks)
        {
            states[block] = BlockState.Pending;
            wantsLeft[block] = plan.WantsOf(block).Length;
        }
    }

    private enum BlockState : byte
    {
        NotWanted,

        /// <summary>Its volume has not been through yet.</summary>
        Pending,

        /// <summary>In the store, or the one just arrived.</summary>
        Here,

        /// <summary>Given to everyone who wanted it.</summary>
        Done,

        /// <summary>Its volume did not have it.</summary>
        Missing,
    }

    /// <summary>The blocks that their volumes did not have; complete when the process has ended.</summary>
    public List<BlockId> MissingBlocks { get; } = [];

    /// <summary>What was wrong with volumes.</summary>
    public List<RestoreIssue> Issues { get; } = [];

    /// <summary>Volumes of which nothing came.</summary>
    public List<VolumeId> UnreadableVolumes { get; } = [];

    /// <summary>Volumes that have been through.</summary>
    public int VolumesDone { get; private set; }

    public int VolumesInPart { get; private set; }

    public long PeakStoreBytes => store.PeakBytes;

    public async Task RunAsync(IReadChannelEnd<BlocksExtracted> input, IWriteChannelEnd<FileWork>[] outputs)
    {
        this.outputs = outputs;
        for (int i = 0; i < work.Length; i++)
        {
            work[i] = new FileWork();
        }

        foreach (EntryId entry in EntryId.UpTo(plan.Entries.Count))
        {
            if (plan.Includes(entry) && NeedsNoVolume(entry))
            {
                await AdvanceAsync(entry).ConfigureAwait(false);
            }
        }

        await FlushAsync().ConfigureAwait(false);
        await foreach (BlocksExtracted run in input.ReadAllAsync().ConfigureAwait(false))
        {
            using BlocksExtracted owned = run;
            while (run.TryTake(out BlockBytes block))
            {
                await ArriveAsync(block).ConfigureAwait(false);
            }

            await EndVolumeAsync(run).ConfigureAwait(false);
            await EvictAsync().ConfigureAwait(false);
            await FlushAsync().ConfigureAwait(false);
        }
    }

    public void Dispose()
    {
        current.Buffer?.Dispose();
        store.Dispose();
        foreach (FileWork unsent in work)
        {
            unsent?.Dispose();
        }
    }

    private bool NeedsNoVolume(EntryId entry)
    {
        int items = plan.Items(entry);
        for (int item = 0; item < items; item++)
        {
            if (plan.SourceOf(entry, item) == ItemSource.Fetched)
            {
                return false;
            }
        }

        return true;
    }

    private async ValueTask ArriveAsync(BlockBytes bytes)
    {
        BlockId block = bytes.Block;
        if (states[block] != BlockState.Pending)
        {
            bytes.Buffer.Dispose();
            return;
        }

        states[block] = BlockState.Here;
        current = bytes;
        await AdvanceAllAsync(block).ConfigureAwait(false);
        if (states[block] == BlockState.Here)
        {
            store.Put(current);
        }
        else
        {
            current.Buffer.Dispose();
        }

        current = default;
    }

    /// <summary>Advances every entry that waits for a block.</summary>
    private async ValueTask AdvanceAllAsync(BlockId block)
    {
        int wants = plan.WantsOf(block).Length;
        for (int i = 0; i < wants; i++)
        {
            Want want = plan.WantsOf(block)[i];
            if (nextItem[want.Entry] <= want.Item && !IsBetterKept(block, wants, want.Entry))
            {
                await AdvanceAsync(want.Entry).ConfigureAwait(false);
            }
        }
    }

    /// <summary>
    /// Whether a block that has come stays in the store for now: a small one that many entries want. Given to all of them at once it would begin as many files,
    /// whose metadata is all over the volumes to come; each costs more memory than the block while it waits, and is opened twice.
    /// </summary>
    private bool IsBetterKept(BlockId block, int wants, EntryId entry)
    {
        const int SmallBytes = 4 << 10;
        if (wants == 1 || states[block] != BlockState.Here || nextItem[entry] > 0 || plan.Content.Blocks.SizeOf(block) > SmallBytes)
        {
            return false;
        }

        int last = plan.Items(entry) - 1;
        return last > 0 && plan.SourceOf(entry, last) == ItemSource.Fetched && states[plan.BlockOf(entry, last)] == BlockState.Pending;
    }

    /// <summary>Sends all that the entry can take in order.</summary>
    private async ValueTask AdvanceAsync(EntryId entry)
    {
        int items = plan.Items(entry);
        int item = nextItem[entry];
        while (item < items && TrySend(entry, item))
        {
            item++;
            await FlushIfFullAsync(entry).ConfigureAwait(false);
        }

        if (item == items)
        {
            // Past the end: it is not finished twice.
            item++;
            WorkKind kind = contentIncomplete[entry] ? WorkKind.FinishIncomplete : incomplete[entry] ? WorkKind.FinishWithoutMetadata : WorkKind.Finish;
            Send(new WorkItem(kind, entry, 0, default));
        }

        nextItem[entry] = item;
        await FlushIfFullAsync(entry).ConfigureAwait(false);
    }

    /// <summary>Sends one item if it is to be had, or passes over it if it is not needed or will not come.</summary>
    /// <returns>False when it is to be waited for.</returns>
    private bool TrySend(EntryId entry, int item)
    {
        switch (plan.SourceOf(entry, item))
        {
            case ItemSource.InPlace:
                return true;
            case ItemSource.Zeros:
                Send(new WorkItem(WorkKind.Zeros, entry, item, default));
                return true;
            case ItemSource.Local:
                Send(new WorkItem(WorkKind.LocalCopy, entry, item, default));
                return true;
            case ItemSource.Nowhere:
                SetIncomplete(entry, item);
                return true;
        }

        BlockId block = plan.BlockOf(entry, item);
        switch (states[block])
        {
            case BlockState.Pending:
                return false;
            case BlockState.Missing:
                SetIncomplete(entry, item);
                return true;
            case BlockState.Here:
                Give(block, entry, item);
                return true;
            default:
                return true;
        }
    }

    private void SetIncomplete(EntryId entry, int item)
    {
        incomplete[entry] = true;
        contentIncomplete[entry] |= item < plan.ContentItems(entry);
    }

    private void Give(BlockId block, EntryId entry, int item)
    {
        BlockBytes bytes = current;
        bool isCurrent = bytes.Buffer is not null && bytes.Block == block;
        if (!isCurrent && !store.TryGet(block, out bytes))
        {
            throw new InvalidOperationException("A block that is here is not in the store");
        }

        bytes.Buffer!.AddUsers();
        Send(new WorkItem(WorkKind.Block, entry, item, bytes));
        if (--wantsLeft[block] == 0)
        {
            states[block] = BlockState.Done;
            if (!isCurrent)
            {
                store.Remove(block);
            }
        }
    }

    private void Send(in WorkItem item) => work[owners.Of(item.Entry)].Add(item);

    private async ValueTask EndVolumeAsync(BlocksExtracted run)
    {
        if (run.End is not { } end)
        {
            return;
        }

        VolumesDone++;
        VolumesInPart += end.IsReadInPart ? 1 : 0;
        progress.VolumeDone();
        Issues.AddRange(end.Defects.Select(defect => new RestoreIssue(IssueKind.Warning, run.Wanted.Volume.FileName, defect)));
        int missingBefore = MissingBlocks.Count;
        for (int i = 0; i < run.Wanted.Count; i++)
        {
            BlockId block = plan.Fetch.Blocks[run.Wanted.First + i];
            if (states[block] == BlockState.Pending)
            {
                states[block] = BlockState.Missing;
                MissingBlocks.Add(block);
                await AdvanceAllAsync(block).ConfigureAwait(false);
            }
        }

        if (end.Defects.Count > 0 && MissingBlocks.Count - missingBefore == run.Wanted.Count)
        {
            UnreadableVolumes.Add(run.Wanted.Volume.Id);
        }
    }

    /// <summary>Makes room in the store: writes blocks to their places now, whatever their turn.</summary>
    private async ValueTask EvictAsync()
    {
        if (!store.IsOver)
        {
            return;
        }

        foreach (BlockId block in store.GiveUp(settings.EvictPercent))
        {
            store.TryGet(block, out BlockBytes bytes);
            int wants = plan.WantsOf(block).Length;
            for (int i = 0; i < wants; i++)
            {
                Want want = plan.WantsOf(block)[i];
                if (nextItem[want.Entry] <= want.Item)
                {
                    bytes.Buffer.AddUsers();
                    Send(new WorkItem(WorkKind.Block, want.Entry, want.Item, bytes));
                    await FlushIfFullAsync(want.Entry).ConfigureAwait(false);
                }
            }

            states[block] = BlockState.Done;
            store.Remove(block);
        }
    }

    private ValueTask FlushIfFullAsync(EntryId entry)
    {
        // As much as a run of the extractor's; and a block wanted in ten thousand places is ten thousand items.
        const int FullItems = 4096;
        const int FullBytes = 4 << 20;
        int processor = owners.Of(entry);
        return work[processor].Count >= FullItems || work[processor].Bytes >= FullBytes ? FlushAsync(processor) : ValueTask.CompletedTask;
    }

    private async ValueTask FlushAsync()
    {
        for (int processor = 0; processor < work.Length; processor++)
        {
            if (work[processor].Count > 0)
            {
                await FlushAsync(processor).ConfigureAwait(false);
            }
        }
    }

    private ValueTask FlushAsync(int processor)
    {
        FileWork full = work[processor];
        work[processor] = new FileWork();
        return outputs[processor].WriteAsync(full);
    }
}
