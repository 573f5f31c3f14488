using Restore.Catalog;

namespace Restore.Planning;

/// <summary>
/// Splits a plan by the volumes of its blocks: each part has a run of them, and writes its blocks into all files. For backups in which the blocks of
/// one file are spread over many volumes. A small file stays whole, in the part that has most of it.
/// </summary>
internal static class SplitByVolumes
{
    // A part of a volume is left to the other part if it is shorter than a twentieth of a share.
    private const int Slack = 20;

    // A shared file is read again at the end; a file of so few blocks costs less if it fetches them from elsewhere.
    private const int SmallItems = 4;

    public static PlanSplit Split(PassPlan plan, int count)
    {
        int[] partOfBlock = AssignBlocks(plan.Fetch, plan.Content.Blocks.Count, count);
        PlanSplit split = new(plan, count);
        long[] bytes = new long[count];
        foreach (EntryId entry in plan.Included())
        {
            Array.Clear(bytes);
            int[] parts = new int[plan.ItemsOf(entry).ContentItems];
            int last = -1;
            foreach (Item item in plan.ItemsOf(entry))
            {
                if (plan.SourceOf(entry, item) == ItemSource.Fetched)
                {
                    BlockId block = plan.BlockOf(entry, item);
                    last = item.IsMetadata && last >= 0 ? last : partOfBlock[block];
                    bytes[last] += plan.Content.Blocks.SizeOf(block);
                }

                if (!item.IsMetadata)
                {
                    parts[item.Index] = Math.Max(last, 0);
                }
            }

            if (last >= 0)
            {
                Give(plan, split, entry, parts, last, bytes);
            }
        }

        return split.Complete();
    }

    private static void Give(PassPlan plan, PlanSplit split, EntryId entry, int[] parts, int last, long[] bytes)
    {
        bool isInOne = bytes.Count(part => part > 0) == 1;
        if (isInOne || parts.Length <= SmallItems || !PlanSplit.CanShare(plan, entry))
        {
            split.Give(entry, Array.IndexOf(bytes, bytes.Max()));
        }
        else
        {
            split.Share(entry, new EntryShares(parts, last));
        }
    }

    /// <summary>Cuts the list of blocks, volume by volume, into parts of the same length, where possible between two volumes.</summary>
    private static int[] AssignBlocks(FetchList fetch, int blocks, int count)
    {
        int[] partOf = new int[blocks];
        long total = Math.Max(1, fetch.Volumes.Sum(fetch.BytesOf));
        long before = 0;
        foreach (WantedVolume volume in fetch.Volumes)
        {
            long end = before + fetch.BytesOf(volume);
            int first = PartAt(before + (total / count / Slack));
            int last = PartAt(Math.Max(before, end - 1 - (total / count / Slack)));
            foreach (BlockId block in fetch.BlocksOf(volume))
            {
                partOf[block] = Math.Clamp(PartAt(before), Math.Min(first, last), last);
                before += fetch.Table.SizeOf(block);
            }
        }

        return partOf;

        int PartAt(long at) => (int)Int128.Min(count - 1, (Int128)at * count / total);
    }
}
