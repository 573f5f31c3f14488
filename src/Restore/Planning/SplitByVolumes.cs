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

    public static PlanSplit Split(FetchedItems items, int count)
    {
        PassPlan plan = items.Plan;
        int[] partOfBlock = AssignBlocks(plan.Fetch, plan.Content.Blocks.Count, count);
        PlanSplit split = new(plan, count);
        long[] bytes = new long[count];
        List<int> parts = [];
        foreach (EntryId entry in EntryId.UpTo(plan.Entries.Count))
        {
            Weigh(items, entry, partOfBlock, bytes, parts);
            if (parts.Count == 1 || (parts.Count > 0 && (plan.ItemsOf(entry).ContentItems <= SmallItems || !PlanSplit.CanShare(plan, entry))))
            {
                parts.Sort();
                split.Give(entry, parts.MaxBy(part => bytes[part]));
            }
            else if (parts.Count > 0)
            {
                split.Share(entry, SharesOf(items, entry, partOfBlock));
            }

            foreach (int part in parts)
            {
                bytes[part] = 0;
            }

            parts.Clear();
        }

        return split.Complete();
    }

    /// <summary>Adds up the bytes of an entry in each part. Metadata goes with the last of the content.</summary>
    private static void Weigh(FetchedItems items, EntryId entry, int[] partOfBlock, long[] bytes, List<int> parts)
    {
        ReadOnlySpan<Item> fetched = items.ItemsOf(entry);
        ReadOnlySpan<BlockId> blocks = items.BlocksOf(entry);
        int last = -1;
        for (int i = 0; i < fetched.Length; i++)
        {
            last = fetched[i].IsMetadata && last >= 0 ? last : partOfBlock[blocks[i]];
            if (bytes[last] == 0)
            {
                parts.Add(last);
            }

            bytes[last] += items.Plan.Content.Blocks.SizeOf(blocks[i]);
        }
    }

    private static EntryShares SharesOf(FetchedItems items, EntryId entry, int[] partOfBlock)
    {
        int[] partOfItem = new int[items.Plan.ItemsOf(entry).ContentItems];
        ReadOnlySpan<Item> fetched = items.ItemsOf(entry);
        ReadOnlySpan<BlockId> blocks = items.BlocksOf(entry);
        int last = -1;
        int next = 0;
        for (int i = 0; i < fetched.Length; i++)
        {
            int until = fetched[i].IsMetadata ? partOfItem.Length : fetched[i].Index;
            Array.Fill(partOfItem, Math.Max(last, 0), next, until - next);
            last = fetched[i].IsMetadata && last >= 0 ? last : partOfBlock[blocks[i]];
            next = until;
        }

        Array.Fill(partOfItem, Math.Max(last, 0), next, partOfItem.Length - next);
        return new EntryShares(partOfItem, last);
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
