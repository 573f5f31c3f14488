namespace Restore.Planning;

/// <summary>
/// The places that need each block of a pass: entries inverted to blocks, in flat arrays. They are
/// listed on the first request: a plan that is shown, estimated or split does not need them.
/// </summary>
internal sealed class BlockWants
{
    // Of a block that does not begin its content.
    private const int IsInside = 1 << 30;
    private const int MostEntries = 1 << 30;

    private readonly PassPlan plan;

    // Before the places are listed, by block: how many places need it, and whether one of them is
    // inside its content. Afterwards: 0 for no place; the complement of its only place, if it
    // begins the content there, as nearly all blocks of small files do; else the number of its list
    // from 1.
    private readonly int[] places;
    private readonly Lazy<Lists> lists;

    /// <param name="inOrder">Receives the blocks in the order in which entries first need
    /// them.</param>
    /// <param name="ownHash">Receives the blocks that some place needs verified by their own hash,
    /// because no hash of a whole file covers them there.</param>
    public BlockWants(PassPlan plan, List<BlockId> inOrder, BitSet? ownHash)
    {
        this.plan = plan;
        places = new int[plan.Content.Blocks.Count];
        foreach ((EntryId entry, Item item, BlockId block) in plan.Fetched())
        {
            if (places[block] == 0)
            {
                inOrder.Add(block);
            }

            // The code of a place has the entry above the bit of the metadata, so an entry from
            // 2^30 on has no code. Its places go into a list.
            places[block] = (places[block] + 1) | (item.Index > 0 || entry >= MostEntries ? IsInside : 0);
            if (ownHash is not null && !IsVerifiedByFile(entry, item))
            {
                ownHash[block] = true;
            }
        }

        lists = new(ListAll);
    }

    /// <summary>The places that need a block, in the order in which entries come.</summary>
    public Wants Of(BlockId block)
    {
        Lists listed = lists.Value;
        return block >= places.Length
            ? default
            : places[block] switch
            {
                0 => default,
                < 0 and var alone => new Wants(WantOf(~alone)),
                var list => new Wants(listed.Wants.AsSpan(listed.Starts[list - 1]..listed.Starts[list])),
            };
    }

    // Only for a place that begins its content or metadata, so the index of the item is always 0.
    private static int CodeOf(EntryId entry, Item item) => (entry << 1) | (item.IsMetadata ? 1 : 0);

    private static Want WantOf(int code) =>
        new(new EntryId(code >> 1), (code & 1) != 0 ? Item.Metadata(0) : Item.Content(0));

    /// <summary>
    /// Whether the bytes go into a file with a known file hash that is not the hash of the block,
    /// and that no other part of a split plan writes. Wrong bytes must not get into a file that is
    /// changed in place: the bytes that they replace would be lost.
    /// </summary>
    private bool IsVerifiedByFile(EntryId entry, Item item)
    {
        ContentId content = plan.Content.Entries[entry].Content;
        return !item.IsMetadata
            && !plan.Entries.IsShared(entry)
            && plan.Entries[entry] != EntryAction.Patch
            && plan.Content.HasFileHash(content)
            && !plan.Content.IsCoveredByBlockHash(content);
    }

    /// <summary>
    /// Turns the counts into places. If a block has a list, its places are stored there, in order.
    /// </summary>
    private Lists ListAll()
    {
        // The second walk over the entries fills lists that have their final length already: all of
        // them are parts of one array, because an object for each block would take too much memory.
        // 1. Each block with a list gets the next number and, by its count, its part of the array.
        // 2. The items are walked in the same order as in the constructor, so each list has the
        //    order of the entries.
        List<int> starts = [0];
        for (int block = 0; block < places.Length; block++)
        {
            int count = places[block] & ~IsInside;
            bool isAlone = places[block] == 1;
            places[block] = isAlone || count == 0 ? 0 : starts.Count;
            if (places[block] > 0)
            {
                starts.Add(starts[^1] + count);
            }
        }

        Want[] listed = new Want[starts[^1]];
        int[] next = [.. starts];
        foreach ((EntryId entry, Item item, BlockId block) in plan.Fetched())
        {
            if (places[block] > 0)
            {
                listed[next[places[block] - 1]++] = new Want(entry, item);
            }
            else
            {
                places[block] = ~CodeOf(entry, item);
            }
        }

        return new Lists([.. starts], listed);
    }

    private sealed record Lists(int[] Starts, Want[] Wants);
}
