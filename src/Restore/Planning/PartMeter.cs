using Restore.Catalog;
using Restore.Volumes;

namespace Restore.Planning;

/// <summary>What a part of a split plan costs.</summary>
/// <param name="BlockBytes">Decoded length of the blocks it needs.</param>
/// <param name="FetchedBytes">Estimate of the bytes that it reads from the store.</param>
/// <param name="Requests">Estimate of the requests.</param>
/// <param name="WrittenBytes">Bytes of contents that it writes.</param>
/// <param name="Entries">Its entries.</param>
internal readonly record struct PartCost(long BlockBytes, long FetchedBytes, long Requests, long WrittenBytes, long Entries);

/// <summary>Measures the parts of a plan, one after the other, without making their plans.</summary>
internal sealed class PartMeter(FetchedItems items, FetchCosts costs)
{
    private readonly PassPlan plan = items.Plan;
    private readonly int[] seen = new int[items.Plan.Content.Blocks.Count];
    private readonly long[] wanted = new long[items.Plan.Volumes.Count];
    private readonly List<VolumeId> volumes = [];
    private int mark;

    /// <param name="entries">The entries of the part.</param>
    /// <param name="split">The split.</param>
    /// <param name="part">The part.</param>
    public PartCost Measure(IReadOnlyList<EntryId> entries, PlanSplit split, int part)
    {
        mark++;
        long blockBytes = 0;
        long written = 0;
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

                BlockId block = blocks[i];
                int size = plan.Content.Blocks.SizeOf(block);
                written += own[i].IsMetadata ? 0 : size;
                if (seen[block] != mark)
                {
                    seen[block] = mark;
                    blockBytes += size;
                    Want(plan.Locations.VolumeOf(block), size);
                }
            }
        }

        (long fetched, long requests) = Fetch();
        return new PartCost(blockBytes, fetched, requests, written, entries.Count);
    }

    private void Want(VolumeId volume, int size)
    {
        if (wanted[volume] == 0)
        {
            volumes.Add(volume);
        }

        wanted[volume] += size;
    }

    private (long Bytes, long Requests) Fetch()
    {
        (long bytes, long requests) = (0, 0);
        foreach (VolumeId volume in volumes)
        {
            PlannedVolume planned = costs.Estimate(plan.Volumes[volume], wanted[volume]);
            bytes += planned.BytesToFetch;
            requests += planned.Requests;
            wanted[volume] = 0;
        }

        volumes.Clear();
        return (bytes, requests);
    }
}
