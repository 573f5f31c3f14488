namespace Restore.Planning;

/// <summary>
/// One block of an entry: of its content or of its metadata, by index. Items are ordered: content first, then metadata. The type costs nothing at run time.
/// </summary>
internal readonly record struct Item
{
    private const uint MetadataBit = 1u << 31;

    private readonly uint code;

    private Item(uint code) => this.code = code;

    public static Item End { get; } = new(uint.MaxValue);

    public bool IsMetadata => (code & MetadataBit) != 0;

    public int Index => (int)(code & ~MetadataBit);

    public static Item Content(int index) => new((uint)index);

    public static Item Metadata(int index) => new((uint)index | MetadataBit);

    public static bool operator <(Item left, Item right) => left.code < right.code;

    public static bool operator >(Item left, Item right) => left.code > right.code;

    public static bool operator <=(Item left, Item right) => left.code <= right.code;

    public static bool operator >=(Item left, Item right) => left.code >= right.code;
}

/// <summary>The items of an entry that a pass brings, in order. Enumerating allocates nothing.</summary>
internal readonly record struct ItemRange(int ContentItems, int MetadataItems)
{
    public int Count => ContentItems + MetadataItems;

    public Item First => At(Item.Content(0));

    public Item Last => MetadataItems > 0 ? Item.Metadata(MetadataItems - 1) : ContentItems > 0 ? Item.Content(ContentItems - 1) : Item.End;

    /// <summary>The item after another one, or <see cref="Item.End"/>.</summary>
    public Item After(Item item) => At(item.IsMetadata ? Item.Metadata(item.Index + 1) : Item.Content(item.Index + 1));

    /// <summary>The first item at or after a place, or <see cref="Item.End"/>.</summary>
    public Item At(Item item) => item.IsMetadata ? (item.Index < MetadataItems ? item : Item.End)
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

/// <summary>A place that needs a block: an item of an entry.</summary>
internal readonly record struct Want(EntryId Entry, Item Item);

internal enum ItemSource : byte
{
    Fetched,

    /// <summary>A full block of zeros; nothing is fetched.</summary>
    Zeros,

    InPlace,

    Local,

    /// <summary>Nowhere: the block is unknown, or no volume has it.</summary>
    Nowhere,
}

[Flags]
internal enum EntryParts : byte
{
    None = 0,

    Content = 1,

    Metadata = 2,

    /// <summary>The entry is finished in this pass, even if it has no blocks.</summary>
    Finish = 4,
}
