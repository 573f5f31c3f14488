using Restore.Catalog;
using Restore.Volumes;

namespace Restore.Planning;

/// <summary>
/// Splits a plan into runs of entries, in the order of the volumes that have most of their bytes. A run ends when it needs as many bytes as a part
/// may have: between two entries, or inside of a large file. So at most one file for each border is written by two parts. The capacity is the least
/// with which the parts suffice.
/// </summary>
internal sealed class SplitByRuns
{
    // A part may be emptier than the fullest one by a twentieth: it ends early where the next entry begins another volume, and a file shorter than
    // that is not cut.
    private const int Slack = 20;
    private const int Halvings = 5;

    private readonly PassPlan plan;
    private readonly FetchedItems items;
    private readonly EntryId[] order;
    private readonly int[] rank;
    private readonly int[] seen;
    private readonly long totalBytes;

    // A block is counted once in a part: it has the mark of the part that counted it last.
    private int mark;

    public SplitByRuns(FetchedItems items)
    {
        this.items = items;
        plan = items.Plan;
        seen = new int[plan.Content.Blocks.Count];
        rank = new int[plan.Volumes.Count];
        int next = 0;
        foreach (WantedVolume volume in plan.Fetch.Volumes)
        {
            rank[volume.Volume.Id] = next++;
            totalBytes += plan.Fetch.BytesOf(volume);
        }

        order = InOrder();
    }

    public PlanSplit Split(int count)
    {
        double share = Math.Max(1, (double)totalBytes / count);
        double step = 1.0 / Slack;
        double tooSmall = share - 1;
        double capacity = share;
        while (!Fill(capacity, count, into: null))
        {
            tooSmall = capacity;
            capacity = share * (1 + step);
            step *= 2;
        }

        for (int i = 0; i < Halvings && capacity > share; i++)
        {
            double middle = (tooSmall + capacity) / 2;
            (tooSmall, capacity) = Fill(middle, count, into: null) ? (tooSmall, middle) : (middle, capacity);
        }

        PlanSplit split = new(plan, count);
        Fill(capacity, count, split);
        return split.Complete();
    }

    /// <summary>The entries that fetch something, by the volume that has most of their bytes.</summary>
    private EntryId[] InOrder()
    {
        List<long> keys = [];
        long[] bytes = new long[plan.Volumes.Count];
        List<VolumeId> volumes = [];
        foreach (EntryId entry in EntryId.UpTo(plan.Entries.Count))
        {
            foreach (BlockId block in items.BlocksOf(entry))
            {
                VolumeId volume = plan.Locations.VolumeOf(block);
                volumes.Add(volume);
                bytes[volume] += plan.Content.Blocks.SizeOf(block);
            }

            if (volumes.Count > 0)
            {
                VolumeId most = volumes.Count == 1 ? volumes[0] : volumes.MaxBy(volume => bytes[volume]);
                keys.Add(((long)rank[most] << 32) | (uint)entry.Value);
                foreach (VolumeId volume in volumes)
                {
                    bytes[volume] = 0;
                }

                volumes.Clear();
            }
        }

        keys.Sort();
        return [.. keys.Select(key => new EntryId((int)(key & uint.MaxValue)))];
    }

    /// <summary>Fills the parts one after the other.</summary>
    /// <param name="capacity">The most bytes of a part.</param>
    /// <param name="count">The number of parts.</param>
    /// <param name="into">Receives the parts; null only tries.</param>
    /// <returns>Whether the parts suffice.</returns>
    private bool Fill(double capacity, int count, PlanSplit? into)
    {
        mark++;
        Filling filling = new(this, capacity, count);
        foreach (EntryId entry in order)
        {
            if (!filling.Take(entry, into))
            {
                return false;
            }
        }

        return true;
    }

    private VolumeId VolumeOf(EntryId entry, Item item) =>
        plan.SourceOf(entry, item) == ItemSource.Fetched ? plan.Locations.VolumeOf(plan.BlockOf(entry, item)) : VolumeId.None;

    /// <summary>One attempt to fill the parts.</summary>
    private sealed class Filling(SplitByRuns split, double capacity, int count)
    {
        private readonly PassPlan plan = split.plan;
        private int part;
        private double bytes;
        private VolumeId last = VolumeId.None;

        public bool Take(EntryId entry, PlanSplit? into)
        {
            long added = AddedBy(entry);
            if (bytes + added > capacity && added > capacity / Slack && PlanSplit.CanShare(plan, entry))
            {
                return Cut(entry, into);
            }

            if ((bytes + added > capacity || EndsEarly(FirstVolumeOf(entry))) && bytes > 0)
            {
                Next();
                added = AddedBy(entry);
            }

            foreach (BlockId block in split.items.BlocksOf(entry))
            {
                Add(block);
            }

            into?.Give(entry, part);
            return part < count && added <= capacity;
        }

        /// <summary>Gives the blocks of a file to this part, and when it is full to the next ones.</summary>
        private bool Cut(EntryId entry, PlanSplit? into)
        {
            int[] parts = new int[plan.ItemsOf(entry).ContentItems];
            int first = part;
            foreach (Item item in plan.ItemsOf(entry))
            {
                VolumeId volume = split.VolumeOf(entry, item);
                bool isFull = !volume.IsNone && bytes + Unseen(plan.BlockOf(entry, item)) > capacity;
                if (!item.IsMetadata && bytes > 0 && (isFull || (!volume.IsNone && EndsEarly(volume))))
                {
                    first = item.Index == 0 ? part + 1 : first;
                    Next();
                }

                if (!item.IsMetadata)
                {
                    parts[item.Index] = part;
                }

                if (!volume.IsNone)
                {
                    Add(plan.BlockOf(entry, item));
                }
            }

            if (part >= count)
            {
                return false;
            }

            if (first == part)
            {
                into?.Give(entry, part);
            }
            else
            {
                into?.Share(entry, new EntryShares(parts, part));
            }

            return true;
        }

        private bool EndsEarly(VolumeId volume) => volume != last && bytes >= capacity - (capacity / Slack);

        private void Next()
        {
            part++;
            split.mark++;
            bytes = 0;
        }

        private VolumeId FirstVolumeOf(EntryId entry) => plan.Locations.VolumeOf(split.items.BlocksOf(entry)[0]);

        private long AddedBy(EntryId entry)
        {
            long added = 0;
            foreach (BlockId block in split.items.BlocksOf(entry))
            {
                added += Unseen(block);
            }

            return added;
        }

        private void Add(BlockId block)
        {
            bytes += Unseen(block);
            split.seen[block] = split.mark;
            last = plan.Locations.VolumeOf(block);
        }

        private int Unseen(BlockId block) => split.seen[block] == split.mark ? 0 : plan.Content.Blocks.SizeOf(block);
    }
}
