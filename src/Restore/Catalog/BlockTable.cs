using Restore.Format;
using Restore.Memory;

namespace Restore.Catalog;

/// <summary>
/// The blocks that a version refers to, by (hash, size), each with a number (<see cref="BlockSet"/>). Where they are is said by <see cref="Locations"/>.
/// While it grows it has one owner; once it is frozen, look-ups may run side by side.
/// </summary>
internal sealed class BlockTable(HashKind hash)
{
    private readonly BlockSet blocks = new(hash.LengthBytes());

    public HashKind Hash { get; } = hash;

    public int Count => blocks.Count;

    /// <summary>Whether the table takes no more blocks, so that anyone may look up in it.</summary>
    public bool IsFrozen { get; private set; }

    /// <summary>Ends the additions.</summary>
    public void Freeze() => IsFrozen = true;

    /// <summary>The number of a block, new or known.</summary>
    /// <exception cref="InvalidOperationException">The table is frozen.</exception>
    public BlockId GetOrAdd(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        if (IsFrozen)
        {
            throw new InvalidOperationException("The block table is frozen: others look up in it");
        }

        blocks.TryAdd(hash, sizeBytes, out int block);
        return new BlockId(block);
    }

    /// <summary>The number of a block, or none.</summary>
    public BlockId Find(ReadOnlySpan<byte> hash, long sizeBytes) => new(blocks.Find(hash, sizeBytes));

    public void Save(BinaryWriter writer) => blocks.Save(writer);

    /// <summary>Reads what <see cref="Save"/> wrote into an empty table, and freezes it.</summary>
    public void Load(BinaryReader reader)
    {
        blocks.Load(reader);
        Freeze();
    }

    public ReadOnlySpan<byte> HashOf(BlockId block) => blocks.HashOf(block);

    public int SizeOf(BlockId block) => blocks.SizeOf(block);
}
