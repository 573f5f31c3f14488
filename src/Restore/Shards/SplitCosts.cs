namespace Restore.Shards;

/// <summary>What a part of a split plan costs.</summary>
/// <param name="BlockBytes">Decoded length of the blocks it needs.</param>
/// <param name="FetchedBytes">Estimate of the bytes that it reads from the store.</param>
internal readonly record struct PartCost(long BlockBytes, long FetchedBytes, long Requests, long WrittenBytes);

/// <summary>Measures the parts of a split without making their plans.</summary>
internal static class SplitCosts
{
    public static IReadOnlyList<PartCost> Of(PlanSplit split, FetchedItems items, FetchCosts costs)
    {
        PassPlan plan = items.Plan;
        List<EntryId>[] entries = [.. Enumerable.Range(0, split.Count).Select(_ => new List<EntryId>())];
        foreach (EntryId entry in EntryId.UpTo(plan.Entries.Count))
        {
            foreach (int part in split.PartsOf(entry))
            {
                entries[part].Add(entry);
            }
        }

        // The number of the part that last counted a block, plus one. One array serves all parts,
        // one after the other.
        int[] countedIn = new int[plan.Content.Blocks.Count];
        return [.. entries.Select(Measure)];

        PartCost Measure(List<EntryId> entries, int part)
        {
            (long blockBytes, long written) = (0, 0);
            Dictionary<VolumeId, long> wanted = [];
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
                        wanted[volume] = wanted.GetValueOrDefault(volume) + size;
                    }
                }
            }

            (long fetched, long requests) = (0, 0);
            foreach ((VolumeId volume, long bytes) in wanted)
            {
                PlannedVolume planned = costs.Estimate(plan.Volumes[volume], bytes);
                fetched += planned.BytesToFetch;
                requests += planned.Requests;
            }

            return new PartCost(blockBytes, fetched, requests, written);
        }
    }
}
