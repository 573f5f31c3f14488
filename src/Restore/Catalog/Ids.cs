namespace Restore.Catalog;

/// <summary>A block of a version, by (hash, size): the number that its <see cref="BlockTable"/> gave it.</summary>
internal readonly record struct BlockId(int Value) : IId<BlockId>
{
    public static readonly BlockId None = new(-1);

    public bool IsNone => Value < 0;

    public static IdRange<BlockId> UpTo(int count) => new(count);

    public static BlockId Of(int value) => new(value);

    public static implicit operator int(BlockId id) => id.Value;
}

/// <summary>
/// A content of a version: the bytes of a file or of a metadata blob as a sequence of blocks. It is the number of its only block, if it has the hash and the
/// length of that, which nearly all have; below -1 it has a detail.
/// </summary>
internal readonly record struct ContentId(int Value)
{
    public static readonly ContentId None = new(-1);

    public bool IsNone => Value == -1;

    public static implicit operator int(ContentId id) => id.Value;
}

/// <summary>An entry of a version, in the order of its file list.</summary>
internal readonly record struct EntryId(int Value) : IId<EntryId>
{
    public static readonly EntryId None = new(-1);

    public bool IsNone => Value < 0;

    public static IdRange<EntryId> UpTo(int count) => new(count);

    public static EntryId Of(int value) => new(value);

    public static implicit operator int(EntryId id) => id.Value;
}
