using System.Runtime.InteropServices;
using Restore.Catalog;

namespace Restore.Planning;

/// <summary>The items that a plan fetches, by entry, in flat arrays: a plan is split and measured again and again.</summary>
internal sealed class FetchedItems
{
    private readonly int[] first;
    private readonly List<Item> items = [];
    private readonly List<BlockId> blocks = [];

    public FetchedItems(PassPlan plan)
    {
        Plan = plan;
        first = new int[plan.Entries.Count + 1];
        foreach (EntryId entry in EntryId.UpTo(plan.Entries.Count))
        {
            if (plan.Includes(entry))
            {
                foreach (Item item in plan.ItemsOf(entry))
                {
                    if (plan.SourceOf(entry, item) == ItemSource.Fetched)
                    {
                        items.Add(item);
                        blocks.Add(plan.BlockOf(entry, item));
                    }
                }
            }

            first[entry + 1] = items.Count;
        }
    }

    public PassPlan Plan { get; }

    public ReadOnlySpan<Item> ItemsOf(EntryId entry) => CollectionsMarshal.AsSpan(items)[first[entry]..first[entry + 1]];

    /// <summary>The blocks of the items.</summary>
    public ReadOnlySpan<BlockId> BlocksOf(EntryId entry) => CollectionsMarshal.AsSpan(blocks)[first[entry]..first[entry + 1]];
}
