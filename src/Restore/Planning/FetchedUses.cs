using Restore.Catalog;

namespace Restore.Planning;

/// <summary>The items that a pass fetches, entry by entry, with their blocks. A plan has millions of them: enumerating allocates nothing.</summary>
internal readonly struct FetchedUses(PassPlan plan)
{
    public Enumerator GetEnumerator() => new(plan);

    internal struct Enumerator(PassPlan plan)
    {
        private readonly int count = plan.Entries.Count;
        private int entry = -1;
        private ItemRange.Enumerator items = default(ItemRange).GetEnumerator();
        private BlockId block;

        public readonly (EntryId Entry, Item Item, BlockId Block) Current => (new EntryId(entry), items.Current, block);

        public bool MoveNext()
        {
            do
            {
                while (items.MoveNext())
                {
                    block = plan.FetchedBlock(new EntryId(entry), items.Current);
                    if (!block.IsNone)
                    {
                        return true;
                    }
                }
            }
            while (MoveToNextEntry());
            return false;
        }

        private bool MoveToNextEntry()
        {
            do
            {
                entry++;
            }
            while (entry < count && !plan.Includes(new EntryId(entry)));
            items = entry < count ? plan.ItemsOf(new EntryId(entry)).GetEnumerator() : default;
            return entry < count;
        }
    }
}
