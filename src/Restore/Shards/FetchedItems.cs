namespace Restore.Shards;

/// <summary>
/// The items that a plan fetches, by entry, in flat arrays: a plan is split and measured again and
/// again.
/// </summary>
internal sealed class FetchedItems
{
    private readonly int[] first;
    private readonly List<Item> items = [];
    private readonly List<BlockId> blocks = [];

    public FetchedItems(PassPlan plan)
    {
        Plan = plan;
        first = new int[plan.Entries.Count + 1];
        foreach ((EntryId entry, Item item, BlockId block) in plan.Fetched())
        {
            items.Add(item);
            blocks.Add(block);
            first[entry + 1] = items.Count;
        }

        // An entry without items begins and ends where the entry before it ends. The entries can
        // come in another order than by number, and then each still has its own consecutive items.
        for (int entry = 0; entry < plan.Entries.Count; entry++)
        {
            first[entry + 1] = Math.Max(first[entry + 1], first[entry]);
        }
    }

    public PassPlan Plan { get; }

    public ReadOnlySpan<Item> ItemsOf(EntryId entry) =>
        CollectionsMarshal.AsSpan(items)[first[entry]..first[entry + 1]];

    public ReadOnlySpan<BlockId> BlocksOf(EntryId entry) =>
        CollectionsMarshal.AsSpan(blocks)[first[entry]..first[entry + 1]];
}
