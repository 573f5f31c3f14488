using Restore.Catalog.Locating;

namespace Restore.Maintenance.Database;

/// <summary>
/// The rows of contents: blocksets, their blocks and their blocklists. A content that repeats, by
/// (hash, length), has one row.
/// </summary>
internal sealed class ContentRows
{
    private readonly BlockLayout layout;
    private readonly BlockIndex blocks;

    // Contents that are one block by that block; the others by hash and length.
    private readonly SegmentedList<int> contentOfBlock = new();
    private readonly BlockSet others;
    private readonly SegmentedList<int> contentOfOther = new();
    private readonly byte[] key;
    private readonly SegmentedList<int> metadata = new();
    private readonly Insertion insertContent;
    private readonly Insertion insertBlock;
    private readonly Insertion insertBlocklist;
    private readonly Insertion insertMetadata;
    private int metadataCount;
    private long blocksLeft;

    public ContentRows(NewDatabase database, BlockLayout layout, BlockIndex blocks, long bytesOfBlockVolumes)
    {
        (this.layout, this.blocks) = (layout, blocks);
        blocksLeft = BlockBudget.OfContents(bytesOfBlockVolumes);
        key = new byte[layout.FileHash.LengthBytes() + sizeof(long)];
        others = new BlockSet(key.Length);
        insertContent = database.Insert("Blockset", "ID", "Length", "FullHash");
        insertBlock = database.Insert("BlocksetEntry", "BlocksetID", "Index", "BlockID");
        insertBlocklist = database.Insert("BlocklistHash", "BlocksetID", "Index", "Hash");
        insertMetadata = database.Insert("Metadataset", "ID", "BlocksetID");
    }

    /// <param name="blockHash">The hash of its only block; empty if that is
    /// <paramref name="hash"/>.</param>
    /// <param name="blocklistHashes">The hashes of its blocklists, if it has more than one
    /// block.</param>
    /// <returns>Its number; 0 if it has more blocks than can be.</returns>
    public int GetOrAdd(
        ReadOnlySpan<byte> hash,
        long sizeBytes,
        ReadOnlySpan<byte> blockHash,
        ReadOnlySpan<byte> blocklistHashes
    )
    {
        if (NumberOf(hash, sizeBytes) is int known and > 0)
        {
            return known;
        }

        long count = layout.BlockCount(sizeBytes);
        if (count > Math.Min(blocksLeft, VersionContent.MaxBlocksPerFile))
        {
            return 0;
        }

        // Only a content of several blocks claims more rows than the list has bytes for.
        blocksLeft -= count > 1 ? count : 0;
        int content = metadata.Add(0) + 1;
        insertContent.Add(content).Add(sizeBytes).AddHash(hash).Run();
        ReadOnlySpan<byte> only = blockHash.IsEmpty ? hash : blockHash;
        if (sizeBytes > layout.BlockSizeBytes)
        {
            AddBlocklists(content, sizeBytes, blocklistHashes);
        }
        else if (sizeBytes > 0)
        {
            BlockId block = blocks.Refer(only, (int)sizeBytes);
            AddBlock(content, 0, block);

            // Most contents are one block. Its number finds the content, so only the others take
            // memory for a key.
            if (only.SequenceEqual(hash))
            {
                contentOfBlock.AddMany(0, block + 1 - contentOfBlock.Count);
                contentOfBlock[block] = content;
                return content;
            }
        }

        others.TryAdd(KeyOf(hash, sizeBytes), 0, out _);
        contentOfOther.Add(content);
        return content;
    }

    public int MetadataOf(int content)
    {
        ref int number = ref metadata[content - 1];
        if (number == 0)
        {
            number = ++metadataCount;
            insertMetadata.Add(number).Add(content).Run();
        }

        return number;
    }

    public void Take(BlocklistPlace place, ReadOnlySpan<BlockId> listed)
    {
        long first = (long)place.Index * layout.HashesPerBlocklist;
        for (int i = 0; i < listed.Length; i++)
        {
            AddBlock(place.Content, first + i, listed[i]);
        }
    }

    /// <summary>The number of a content; 0 if it has none yet.</summary>
    private int NumberOf(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        if (others.Find(KeyOf(hash, sizeBytes), 0) is int other and >= 0)
        {
            return contentOfOther[other];
        }

        BlockId block = blocks.Find(hash, sizeBytes);
        return !block.IsNone && block < contentOfBlock.Count ? contentOfBlock[block] : 0;
    }

    private byte[] KeyOf(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        hash.CopyTo(key);
        BinaryPrimitives.WriteInt64LittleEndian(key.AsSpan(hash.Length), sizeBytes);
        return key;
    }

    private void AddBlocklists(int content, long sizeBytes, ReadOnlySpan<byte> hashes)
    {
        int length = layout.BlockHash.LengthBytes();
        for (int i = 0; i * length < hashes.Length; i++)
        {
            ReadOnlySpan<byte> one = hashes.Slice(i * length, length);
            insertBlocklist.Add(content).Add(i).AddHash(one).Run();
            blocks.Await(
                blocks.Refer(one, layout.BlocklistLength(sizeBytes, i)),
                new BlocklistPlace(content, i, sizeBytes)
            );
        }
    }

    private void AddBlock(int content, long index, BlockId block) =>
        insertBlock.Add(content).Add(index).Add(block + 1).Run();
}
