namespace Restore.Planning;

/// <summary>
/// One block of an entry: of its content or of its metadata, by index. Items are ordered: content
/// first, then metadata. The type costs nothing at run time.
/// </summary>
internal readonly record struct Item
{
    // The highest bit, so that the order of the codes is the order of the items.
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

/// <summary>A place that needs a block: an item of an entry.</summary>
internal readonly record struct Want(EntryId Entry, Item Item);
