namespace Restore.Catalog;

/// <summary>
/// The numbered blocks of a version, by (hash, size) (<see cref="BlockSet"/>).
/// <see cref="Locations"/> says which volumes have them. While the table grows it has one owner;
/// once it is frozen, look-ups may run concurrently.
/// </summary>
internal sealed class BlockTable(HashKind hash)
{
    private readonly BlockSet blocks = new(hash.LengthBytes());

    public HashKind Hash { get; } = hash;

    public int Count => blocks.Count;

    /// <summary>The blocks; no longer for this table once another owner adds to them.</summary>
    public BlockSet Set => blocks;

    /// <summary>
    /// Whether the table accepts no more blocks, so that any thread may look up in it.
    /// </summary>
    public bool IsFrozen { get; private set; }

    public void Freeze() => IsFrozen = true;

    /// <summary>
    /// Releases memory until the next look-up by name. No other thread may use the table during the
    /// call.
    /// </summary>
    public void DropIndex() => blocks.DropTable();

    /// <summary>Returns the number of a block; adds the block if it is new.</summary>
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

    /// <summary>
    /// Prepares the look-up of a block that is looked up soon, so that it need not wait for memory.
    /// </summary>
    public void Expect(ReadOnlySpan<byte> hash, int sizeBytes) => blocks.Expect(hash, sizeBytes);

    /// <summary>Returns the number of a block, or none.</summary>
    public BlockId Find(ReadOnlySpan<byte> hash, long sizeBytes) => new(blocks.Find(hash, sizeBytes));

    public void Save(BinaryWriter writer) => blocks.Save(writer);

    public void Load(BinaryReader reader)
    {
        blocks.Load(reader);
        Freeze();
    }

    public ReadOnlySpan<byte> HashOf(BlockId block) => blocks.HashOf(block);

    public int SizeOf(BlockId block) => blocks.SizeOf(block);
}
