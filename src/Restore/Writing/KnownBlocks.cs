using Restore.Catalog.Locating;

namespace Restore.Writing;

/// <summary>
/// The blocks that are stored, and the blocks that entries refer to. An entry can arrive before its
/// blocks, because they take different channels. Safe for concurrent use.
/// </summary>
/// <param name="blocks">The blocks that are already stored. The set belongs to this object from now
/// on.</param>
/// <param name="copiedLists">The blocklists that index volumes have copies of, as
/// <see cref="ReferencedBlocks.KeyOf"/> names them.</param>
internal sealed class KnownBlocks(BlockSet blocks, HashSet<UInt128>? copiedLists = null)
{
    private readonly Lock gate = new();
    private readonly HashSet<UInt128> copied = copiedLists ?? [];

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

    /// <summary>
    /// Records that a blocklist is stored and copied into an index volume; returns false if it is
    /// already. A blocklist that is only stored as the content of a file is stored once more,
    /// because no index volume has a copy of it.
    /// </summary>
    public bool TryStoreList(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        lock (gate)
        {
            bool isNew = blocks.TryAdd(hash, sizeBytes, out int block) || awaited.Remove(block);
            return copied.Add(ReferencedBlocks.KeyOf(hash)) || isNew;
        }
    }

    /// <summary>Ends the additions: from now on blocks are known by their numbers only.</summary>
    public void Complete() => blocks.DropTable();

    /// <summary>The hash of a block. Call it only after all blocks were added.</summary>
    public ReadOnlySpan<byte> HashOf(int block) => blocks.HashOf(block);
}
