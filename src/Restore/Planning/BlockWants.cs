namespace Restore.Planning;

/// <summary>
/// The places that need each block of a pass: entries inverted to blocks, in two flat arrays. They are listed when somebody asks for the first of them: a plan
/// that is shown, estimated or split needs none.
/// </summary>
internal sealed class BlockWants
{
    private readonly PassPlan plan;
    private readonly int[] first;
    private readonly Lazy<Want[]> wants;

    /// <param name="inOrder">Receives the blocks in the order in which entries first need them.</param>
    /// <param name="ownHash">Receives the blocks that some place needs verified by their own hash, because no hash of a whole file covers them
    /// there.</param>
    public BlockWants(PassPlan plan, List<BlockId> inOrder, BitSet? ownHash)
    {
        this.plan = plan;
        first = new int[plan.Content.Blocks.Count + 1];
        foreach ((EntryId entry, Item item, BlockId block) in plan.Fetched())
        {
            if (first[block]++ == 0)
            {
                inOrder.Add(block);
            }

            if (ownHash is not null && !IsVerifiedByFile(entry, item))
            {
                ownHash[block] = true;
            }
        }

        wants = new(ListWants);
    }

    /// <summary>The places that need a block, in the order of entries.</summary>
    public ReadOnlySpan<Want> Of(BlockId block)
    {
        Want[] listed = wants.Value;
        return block + 1 < first.Length ? listed.AsSpan(first[block]..first[block + 1]) : [];
    }

    /// <summary>Whether the bytes go into a file whose file hash is known and is not the hash of the block, and that nobody else writes.</summary>
    private bool IsVerifiedByFile(EntryId entry, Item item)
    {
        ContentId content = plan.Content.Entries[entry].Content;
        return !item.IsMetadata && !plan.Entries.IsShared(entry) && plan.Content.HasFileHash(content) && !plan.Content.IsCoveredByBlockHash(content);
    }

    /// <summary>Turns the counts into offsets, and stores the places of each block there, in order.</summary>
    private Want[] ListWants()
    {
        int next = 0;
        for (int block = 0; block < first.Length; block++)
        {
            (first[block], next) = (next, next + first[block]);
        }

        Want[] listed = new Want[next];
        foreach ((EntryId entry, Item item, BlockId block) in plan.Fetched())
        {
            listed[first[block]++] = new Want(entry, item);
        }

        // Now each offset is where the places of the next block start.
        first.AsSpan(..^1).CopyTo(first.AsSpan(1));
        first[0] = 0;
        return listed;
    }
}
