namespace Restore.Shards;

/// <summary>
/// Splits a plan by the volumes of its blocks: each part has consecutive volumes. If one part has
/// nearly all of a file, the file stays whole in that part. The blocks of the other files (large
/// files on a border, or with blocks in many volumes) are cut a second time, so that all parts are
/// equally large when their whole files are included.
/// </summary>
internal static class PlanSplitter
{
    // A part of a volume is left to the other part if it is shorter than a fortieth of a share.
    private const int Slack = 40;

    // A shared file is read again at the end; a file of so few blocks costs less if it fetches them
    // from elsewhere.
    private const int SmallItems = 4;

    // The same holds for a file that has less than a quarter of its bytes in other parts, if that
    // is little for a part.
    private const int Elsewhere = 4;

    public static PlanSplit Split(FetchedItems items, int count)
    {
        PassPlan plan = items.Plan;

        // The steps:
        // 1. Cut all blocks into parts of equal length, volume by volume.
        // 2. Give every entry that stays whole to the part with most of its bytes. The parts are
        //    now unequally large.
        // 3. Cut the blocks of the other files again, so that the parts with the smallest load get
        //    the most of them.
        // 4. Give each of these files by the second cut: to several parts, or to one if that has
        //    all of it.
        PlanSplit split = new(plan, count);
        long[] load = new long[count];
        BitSet common = new(plan.Content.Blocks.Count);
        int[] partOfBlock = Cut(plan.Fetch, _ => true, load, plan.Content.Blocks.Count);
        List<EntryId> large = GiveWhole(items, partOfBlock, split, load, common);
        partOfBlock = Cut(plan.Fetch, block => common[block], load, plan.Content.Blocks.Count);
        foreach (EntryId entry in large)
        {
            EntryShares shares = SharesOf(items, entry, partOfBlock);
            if (Array.TrueForAll(shares.PartOfItem, part => part == shares.MetadataPart))
            {
                split.Give(entry, shares.MetadataPart);
            }
            else
            {
                split.Share(entry, shares);
            }
        }

        return split.Complete();
    }

    /// <summary>Gives each entry that stays whole to the part that has most of it.</summary>
    /// <returns>The others.</returns>
    private static List<EntryId> GiveWhole(
        FetchedItems items,
        int[] partOfBlock,
        PlanSplit split,
        long[] load,
        BitSet common
    )
    {
        PassPlan plan = items.Plan;
        long slack = BytesOf(plan.Fetch, _ => true) / load.Length / Slack;
        List<EntryId> others = [];
        long[] bytes = new long[load.Length];
        int[] countedIn = new int[partOfBlock.Length];
        List<int> parts = [];
        foreach (EntryId entry in EntryId.UpTo(plan.Entries.Count))
        {
            long total = Weigh(items, entry, partOfBlock, bytes, parts);
            if (parts.Count == 0)
            {
                continue;
            }

            int most = parts
                .OrderByDescending(part => bytes[part])
                .ThenBy(part => load[part])
                .ThenBy(part => part)
                .First();
            long elsewhere = total - bytes[most];
            bool staysWhole =
                plan.ItemsOf(entry).ContentItems <= SmallItems
                || !PlanSplit.CanShare(plan, entry)
                || (elsewhere <= slack && elsewhere <= total / Elsewhere);
            if (staysWhole)
            {
                split.Give(entry, most);
            }
            else
            {
                others.Add(entry);
            }

            foreach (BlockId block in items.BlocksOf(entry))
            {
                if (!staysWhole)
                {
                    common[block] = true;
                }

                // A block that several entries of a part need is fetched once, so it counts once.
                // Zero is the value of a block that no part has counted.
                else if (countedIn[block] != most + 1)
                {
                    load[most] += plan.Content.Blocks.SizeOf(block);
                    countedIn[block] = most + 1;
                }
            }

            parts.ForEach(part => bytes[part] = 0);
            parts.Clear();
        }

        return others;
    }

    /// <summary>
    /// Adds up the bytes of an entry in each part. Metadata goes with the last of the content.
    /// </summary>
    private static long Weigh(FetchedItems items, EntryId entry, int[] partOfBlock, long[] bytes, List<int> parts)
    {
        ReadOnlySpan<Item> fetched = items.ItemsOf(entry);
        ReadOnlySpan<BlockId> blocks = items.BlocksOf(entry);
        int last = -1;
        long total = 0;
        for (int i = 0; i < fetched.Length; i++)
        {
            last = fetched[i].IsMetadata && last >= 0 ? last : partOfBlock[blocks[i]];
            if (bytes[last] == 0)
            {
                parts.Add(last);
            }

            int size = items.Plan.Content.Blocks.SizeOf(blocks[i]);
            bytes[last] += size;
            total += size;
        }

        return total;
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
            // Items that need no fetch (zeros, bytes of a local file) go to the part of the fetched
            // item before them, and at the start of the file to part 0.
            int until = fetched[i].IsMetadata ? partOfItem.Length : fetched[i].Index;
            Array.Fill(partOfItem, Math.Max(last, 0), next, until - next);
            last = fetched[i].IsMetadata && last >= 0 ? last : partOfBlock[blocks[i]];
            next = until;
        }

        Array.Fill(partOfItem, Math.Max(last, 0), next, partOfItem.Length - next);
        return new EntryShares(partOfItem, last);
    }

    /// <summary>
    /// Cuts the list of blocks, volume by volume, so that all parts become equally long, where
    /// possible between two volumes.
    /// </summary>
    /// <param name="counts">The blocks that count; the others get a part that is near.</param>
    private static int[] Cut(FetchList fetch, Predicate<BlockId> counts, long[] load, int blocks)
    {
        int[] partOf = new int[blocks];
        long total = BytesOf(fetch, counts);
        long[] ends = EndsOf(load, total);

        // A border close to the edge of a volume moves to that edge: two parts would fetch the
        // volume for a few blocks of one of them.
        long slack = (load.Sum() + total) / load.Length / Slack;
        long before = 0;
        foreach (WantedVolume volume in fetch.Volumes)
        {
            long end = before;
            foreach (BlockId block in fetch.BlocksOf(volume))
            {
                end += counts(block) ? fetch.Table.SizeOf(block) : 0;
            }

            int first = PartAt(before + slack);
            int last = PartAt(Math.Max(before, end - 1 - slack));
            foreach (BlockId block in fetch.BlocksOf(volume))
            {
                partOf[block] = Math.Clamp(PartAt(before), Math.Min(first, last), last);
                before += counts(block) ? fetch.Table.SizeOf(block) : 0;
            }
        }

        return partOf;

        int PartAt(long at)
        {
            int found = Array.BinarySearch(ends, at + 1);
            return Math.Min(load.Length - 1, found < 0 ? ~found : found);
        }
    }

    private static long BytesOf(FetchList fetch, Predicate<BlockId> counts)
    {
        long total = 0;
        foreach (BlockId block in fetch.Blocks)
        {
            total += counts(block) ? fetch.Table.SizeOf(block) : 0;
        }

        return total;
    }

    /// <summary>
    /// Where the blocks of each part end, so that the parts with the smallest load get the most.
    /// </summary>
    private static long[] EndsOf(long[] load, long total)
    {
        // The level up to which the parts are filled: parts above it get nothing.
        long[] sorted = [.. load.Order()];
        Int128 sum = total;
        int filled = 0;
        while (filled < sorted.Length && (filled == 0 || sorted[filled] * (Int128)filled < sum))
        {
            sum += sorted[filled++];
        }

        long[] ends = new long[load.Length];
        long end = 0;
        for (int part = 0; part < load.Length; part++)
        {
            end += (long)Int128.Max(0, (sum / filled) - load[part]);
            ends[part] = end;
        }

        return ends;
    }
}
