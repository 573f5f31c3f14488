namespace Restore.Planning;

/// <summary>
/// The items of an entry that a pass brings, in order. Enumerating allocates nothing.
/// </summary>
internal readonly record struct ItemRange(int ContentItems, int MetadataItems)
{
    public int Count => ContentItems + MetadataItems;

    public Item First => At(Item.Content(0));

    public Item Last =>
        MetadataItems > 0 ? Item.Metadata(MetadataItems - 1)
        : ContentItems > 0 ? Item.Content(ContentItems - 1)
        : Item.End;

    /// <summary>The item after another one, or <see cref="Item.End"/>.</summary>
    public Item After(Item item) => At(item.IsMetadata ? Item.Metadata(item.Index + 1) : Item.Content(item.Index + 1));

    /// <summary>The first item at or after a place, or <see cref="Item.End"/>.</summary>
    public Item At(Item item) =>
        item.IsMetadata ? (item.Index < MetadataItems ? item : Item.End)
        : item.Index < ContentItems ? item
        : MetadataItems > 0 ? Item.Metadata(0)
        : Item.End;

    public Enumerator GetEnumerator() => new(this);

    internal struct Enumerator(ItemRange items)
    {
        private bool isStarted;

        public Item Current { get; private set; }

        public bool MoveNext()
        {
            Current = isStarted ? items.After(Current) : items.First;
            isStarted = true;
            return Current != Item.End;
        }
    }
}
