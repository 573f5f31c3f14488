namespace Restore.Catalog.Locating;

/// <summary>Says of contents whether all their blocks are in volumes.</summary>
/// <param name="references">The blocks of the backup; keeps lists.</param>
/// <param name="isThere">Whether a block counts as stored; also asked about none, for a block that
/// is not known.</param>
/// <param name="needsLists">Whether the blocklists have to be stored as blocks, too; a copy in an
/// index volume is enough to restore.</param>
internal sealed class ContentStates(ReferencedBlocks references, Predicate<BlockId> isThere, bool needsLists = false)
{
    public BlockLayout Layout => references.Layout;

    /// <summary>Whether an entry refers to the full block of zeros, and no volume has it.</summary>
    public bool LacksZeros => references.LacksZeros;

    /// <summary>
    /// The lists of blocks that no volume has although their blocks are there: an index volume has
    /// a copy, with which a restore does.
    /// </summary>
    public IEnumerable<byte[]> ListsWithoutVolume()
    {
        HashSet<BlockId> seen = [];
        foreach (((BlockId blocklist, _), BlockId[] blocks) in references.Lists!)
        {
            if (references.VolumeOf(blocklist).IsNone && Array.TrueForAll(blocks, isThere) && seen.Add(blocklist))
            {
                yield return [.. blocks.SelectMany(block => references.HashOf(block).ToArray())];
            }
        }
    }

    /// <summary>Whether a volume has a content of one block.</summary>
    public bool HasBlock(ReadOnlySpan<byte> blockHash, int sizeBytes) =>
        references.Find(blockHash, sizeBytes) is { IsNone: false } block && !references.VolumeOf(block).IsNone;

    /// <summary>
    /// What can be restored: the full block of zeros is known by its hash, so it cannot be lost,
    /// nor can a block that nothing names.
    /// </summary>
    public static ContentStates OfRestore(ReferencedBlocks references)
    {
        BlockId zero = references.FullZeros;
        return new ContentStates(
            references,
            block => block.IsNone || block == zero || !references.VolumeOf(block).IsNone
        );
    }

    public ContentState ContentOf(in FileListEntry entry) =>
        entry.Kind.IsFile()
            ? Of(entry.Hash, entry.SizeBytes, entry.BlockHash, entry.BlocklistHashes)
            : ContentState.There;

    public ContentState MetadataOf(in FileListEntry entry) =>
        entry.MetaHash.IsEmpty
            ? ContentState.There
            : Of(entry.MetaHash, entry.MetaSizeBytes, entry.MetaBlockHash, entry.MetaBlocklistHashes);

    public ContentState Of(
        ReadOnlySpan<byte> hash,
        long sizeBytes,
        ReadOnlySpan<byte> blockHash,
        ReadOnlySpan<byte> blocklists
    )
    {
        if (sizeBytes <= Layout.BlockSizeBytes)
        {
            return sizeBytes == 0 || isThere(references.Find(blockHash.IsEmpty ? hash : blockHash, sizeBytes))
                ? ContentState.There
                : ContentState.Lost;
        }

        int length = Layout.BlockHash.LengthBytes();
        ContentState state = ContentState.There;
        for (int i = 0; i * length < blocklists.Length && state != ContentState.Lost; i++)
        {
            ContentState part = OfBlocklist(
                references.Find(blocklists.Slice(i * length, length), Layout.BlocklistLength(sizeBytes, i)),
                sizeBytes,
                i
            );
            state = part == ContentState.There ? state : part;
        }

        return state;
    }

    private ContentState OfBlocklist(BlockId blocklist, long sizeBytes, int index)
    {
        // The length of the last block belongs to the key: contents that end differently share the
        // list, but not its last block.
        long last = Math.Min((index + 1L) * Layout.HashesPerBlocklist, Layout.BlockCount(sizeBytes)) - 1;
        bool isListThere = isThere(blocklist);
        if (
            !blocklist.IsNone
            && references.Lists!.TryGetValue((blocklist, Layout.BlockLength(sizeBytes, last)), out BlockId[]? blocks)
        )
        {
            return (isListThere || !needsLists) && Array.TrueForAll(blocks, isThere)
                ? ContentState.There
                : ContentState.Lost;
        }

        return isListThere ? ContentState.Unknown : ContentState.Lost;
    }
}
