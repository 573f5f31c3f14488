using Restore.Memory;

namespace Restore.Catalog;

/// <summary>A block of a version, by (hash, size): the number that its <see cref="BlockTable"/> gave it.</summary>
internal readonly record struct BlockId(int Value) : IId<BlockId>
{
    /// <summary>The block is not known.</summary>
    public static readonly BlockId None = new(-1);

    public bool IsNone => Value < 0;

    /// <summary>The first ids of a table.</summary>
    public static IdRange<BlockId> UpTo(int count) => new(count);

    public static BlockId Of(int value) => new(value);

    /// <summary>An id is an index into tables.</summary>
    public static implicit operator int(BlockId id) => id.Value;
}
