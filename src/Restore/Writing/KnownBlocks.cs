namespace Restore.Writing;

/// <summary>The blocks that are stored, and those that entries refer to. An entry can come before its blocks: they go other ways. Safe for concurrent
/// use.</summary>
/// <param name="blocks">The blocks that are stored already; belongs to this object from now on.</param>
internal sealed class KnownBlocks(BlockSet blocks)
{
    private readonly Lock gate = new();

    // Blocks that only entries have named so far.
    private readonly HashSet<int> awaited = [];

    /// <summary>The number of a block, stored or not.</summary>
    public int NumberOf(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        lock (gate)
        {
            if (blocks.TryAdd(hash, sizeBytes, out int block))
            {
                awaited.Add(block);
            }

            return block;
        }
    }

    /// <summary>Records that a block is stored; returns false if it is already.</summary>
    public bool TryStore(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        lock (gate)
        {
            return blocks.TryAdd(hash, sizeBytes, out int block) || awaited.Remove(block);
        }
    }

    /// <summary>Ends the additions: from now on blocks are known by their numbers only.</summary>
    public void Complete() => blocks.DropTable();

    /// <summary>The hash of a block; to be asked when all are there.</summary>
    public ReadOnlySpan<byte> HashOf(int block) => blocks.HashOf(block);
}
