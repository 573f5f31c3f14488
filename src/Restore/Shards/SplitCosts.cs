namespace Restore.Shards;

/// <summary>What a part of a split plan costs.</summary>
/// <param name="BlockBytes">Decoded length of the blocks it needs.</param>
/// <param name="FetchedBytes">Estimate of the bytes that it reads from the store.</param>
internal readonly record struct PartCost(long BlockBytes, long FetchedBytes, long Requests, long WrittenBytes);

/// <summary>Measures the parts of a split, one after the other, without making their plans.</summary>
internal sealed class SplitCosts
{
    private readonly PassPlan plan;
    private readonly PlanSplit split;
    private readonly FetchedItems items;
    private readonly FetchCosts costs;
    private readonly int[] countedIn;
    private readonly long[] wanted;

    private SplitCosts(PlanSplit split, FetchedItems items, FetchCosts costs)
    {
        (plan, this.split, this.items, this.costs) = (items.Plan, split, items, costs);
        countedIn = new int[plan.Content.Blocks.Count];
        wanted = new long[plan.Volumes.Count];
    }

    public static IReadOnlyList<PartCost> Of(PlanSplit split, FetchedItems items, FetchCosts costs)
    {
        List<EntryId>[] entries = [.. Enumerable.Range(0, split.Count).Select(_ => new List<EntryId>())];
        foreach (EntryId entry in EntryId.UpTo(items.Plan.Entries.Count))
        {
            foreach (int part in split.PartsOf(entry))
            {
                entries[part].Add(entry);
            }
        }

        SplitCosts measured = new(split, items, costs);
        return [.. entries.Select(measured.Measure)];
    }

    private PartCost Measure(List<EntryId> entries, int part)
    {
        (long blockBytes, long written) = (0, 0);
        HashSet<VolumeId> volumes = [];
        foreach (EntryId entry in entries)
        {
            ReadOnlySpan<Item> own = items.ItemsOf(entry);
            ReadOnlySpan<BlockId> blocks = items.BlocksOf(entry);
            for (int i = 0; i < own.Length; i++)
            {
                if (split.PartOf(entry, own[i]) != part)
                {
                    continue;
                }

                int size = plan.Content.Blocks.SizeOf(blocks[i]);
                written += own[i].IsMetadata ? 0 : size;
                if (countedIn[blocks[i]] != part + 1)
                {
                    countedIn[blocks[i]] = part + 1;
                    blockBytes += size;
                    VolumeId volume = plan.Locations.VolumeOf(blocks[i]);
                    volumes.Add(volume);
                    wanted[volume] += size;
                }
            }
        }

        (long fetched, long requests) = (0, 0);
        foreach (VolumeId volume in volumes)
        {
            PlannedVolume planned = costs.Estimate(plan.Volumes[volume], wanted[volume]);
            fetched += planned.BytesToFetch;
            requests += planned.Requests;
            wanted[volume] = 0;
        }

        return new PartCost(blockBytes, fetched, requests, written);
    }
}
