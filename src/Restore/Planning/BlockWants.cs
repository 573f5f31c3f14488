using Restore.Catalog;
using Restore.Memory;

namespace Restore.Planning;

/// <summary>The places that need each block of a pass: entries inverted to blocks, in two flat arrays.</summary>
internal sealed class BlockWants
{
    private readonly PassPlan plan;
    private readonly int[] first;
    private readonly Want[] wants;

    /// <param name="plan">The plan of the pass; its parts and locations are set.</param>
    /// <param name="inOrder">Receives the blocks in the order in which entries first need them.</param>
    /// <param name="ownHash">Receives the blocks that some place needs verified by their own hash, because no hash of a whole file covers them
    /// there.</param>
    public BlockWants(PassPlan plan, List<BlockId> inOrder, BitSet? ownHash)
    {
        this.plan = plan;
        first = new int[plan.Content.Blocks.Count + 1];
        foreach ((BlockId block, Want want) in Uses())
        {
            if (first[block]++ == 0)
            {
                inOrder.Add(block);
            }

            if (ownHash is not null && !IsVerifiedByFile(want))
            {
                ownHash[block] = true;
            }
        }

        wants = ListWants();
    }

    /// <summary>The places that need a block, in the order of entries.</summary>
    public ReadOnlySpan<Want> Of(BlockId block) => block + 1 < first.Length ? wants.AsSpan(first[block]..first[block + 1]) : [];

    /// <summary>Whether the bytes go into a file whose file hash is known and is not the hash of the block, and that nobody else writes.</summary>
    private bool IsVerifiedByFile(Want want)
    {
        ContentId content = plan.Content.Entries[want.Entry].Content;
        return !want.Item.IsMetadata && !plan.Entries.IsShared(want.Entry) && plan.Content.HasFileHash(content) && !plan.Content.IsCoveredByBlockHash(content);
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
        foreach ((BlockId block, Want want) in Uses())
        {
            listed[first[block]++] = want;
        }

        // Now each offset is where the places of the next block start.
        first.AsSpan(..^1).CopyTo(first.AsSpan(1));
        first[0] = 0;
        return listed;
    }

    private IEnumerable<(BlockId Block, Want Want)> Uses()
    {
        foreach (EntryId entry in plan.Included())
        {
            foreach (Item item in plan.ItemsOf(entry))
            {
                if (plan.SourceOf(entry, item) == ItemSource.Fetched)
                {
                    yield return (plan.BlockOf(entry, item), new Want(entry, item));
                }
            }
        }
    }
}
