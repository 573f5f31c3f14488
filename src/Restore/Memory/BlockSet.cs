namespace Restore.Memory;

/// <summary>
/// Blocks by (hash, size), numbered in the order of arrival: about 45 bytes each with hashes of 32
/// bytes. Flat arrays; a look-up allocates nothing. Look-ups may run concurrently with each other,
/// but not with an addition.
/// </summary>
internal sealed class BlockSet
{
    private readonly int hashLength;
    private readonly BlockList blocks;
    private readonly BlockSlots<ListedNames> slots;
    private readonly Lock gate = new();
    private volatile bool isWithoutTable;

    public BlockSet(int hashLength)
    {
        this.hashLength = hashLength;
        blocks = new BlockList(hashLength);
        slots = new BlockSlots<ListedNames>(new ListedNames(blocks));
    }

    public int Count => blocks.Count;

    /// <summary>Returns false, and the number it has, if the set has the block already.</summary>
    public bool TryAdd(ReadOnlySpan<byte> hash, int sizeBytes, out int block)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(hash.Length, hashLength);
        RequireTable();
        block = slots.Find(hash, sizeBytes);
        if (block >= 0)
        {
            return false;
        }

        block = blocks.Add(hash, sizeBytes);
        slots.Add(block, blocks.Count);
        return true;
    }

    /// <summary>Returns the number of a block, or -1 if the set does not have it.</summary>
    public int Find(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        if (hash.Length != hashLength || sizeBytes is < 0 or > int.MaxValue)
        {
            return -1;
        }

        RequireTable();
        return slots.Find(hash, (int)sizeBytes);
    }

    /// <summary>
    /// Prepares the look-up of a block that is looked up soon, so that it need not wait for memory.
    /// </summary>
    public void Expect(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        if (hash.Length == hashLength)
        {
            slots.Expect(hash, sizeBytes);
        }
    }

    /// <summary>
    /// Gives the memory of the table back until the next look-up, which rebuilds the table. Until
    /// then, blocks are known by their numbers. No other thread may use the set during the call.
    /// </summary>
    public void DropTable()
    {
        slots.Free();
        isWithoutTable = true;
    }

    public void Save(BinaryWriter writer) => blocks.Save(writer);

    public void Load(BinaryReader reader)
    {
        blocks.Load(reader);
        isWithoutTable = true;
    }

    public ReadOnlySpan<byte> HashOf(int block) => blocks.HashOf(block);

    public int SizeOf(int block) => blocks.SizeOf(block);

    private void RequireTable()
    {
        if (!isWithoutTable)
        {
            return;
        }

        // Look-ups run concurrently, so the first one builds the table and the others wait. The
        // flag is cleared last, when the table is complete.
        lock (gate)
        {
            if (isWithoutTable)
            {
                slots.AddAll(blocks.Count);
                isWithoutTable = false;
            }
        }
    }

    private readonly struct ListedNames(BlockList blocks) : IBlockNames
    {
        public ReadOnlySpan<byte> HashOf(int number) => blocks.HashOf(number);

        public int SizeOf(int number) => blocks.SizeOf(number);
    }
}
