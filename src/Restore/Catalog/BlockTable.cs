using Restore.Format;
using Restore.Memory;

namespace Restore.Catalog;

/// <summary>
/// The blocks that a version refers to, by (hash, size), each with a number (<see cref="BlockSet"/>). Where they are is said by <see cref="Locations"/>.
/// Look-ups may run side by side with each other, not with an addition.
/// </summary>
internal sealed class BlockTable(HashKind hash)
{
    private readonly BlockSet blocks = new(hash.LengthBytes());

    public HashKind Hash { get; } = hash;

    public int Count => blocks.Count;

    /// <summary>The number of a block, new or known.</summary>
    public BlockId GetOrAdd(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        blocks.TryAdd(hash, sizeBytes, out int block);
        return new BlockId(block);
    }

    /// <summary>The number of a block, or none.</summary>
    public BlockId Find(ReadOnlySpan<byte> hash, long sizeBytes) => new(blocks.Find(hash, sizeBytes));

    public void Save(BinaryWriter writer) => blocks.Save(writer);

    public void Load(BinaryReader reader) => blocks.Load(reader);

    public ReadOnlySpan<byte> HashOf(BlockId block) => blocks.HashOf(block);

    public int SizeOf(BlockId block) => blocks.SizeOf(block);
}
