namespace Restore.Catalog;

/// <summary>
/// A block of a version, by (hash, size): the number that its <see cref="BlockTable"/> gave it.
/// </summary>
internal readonly record struct BlockId(int Value) : IId<BlockId>
{
    public static readonly BlockId None = new(-1);

    public bool IsNone => Value < 0;

    public static IdRange<BlockId> UpTo(int count) => new(count);

    public static BlockId Of(int value) => new(value);

    public static implicit operator int(BlockId id) => id.Value;
}
