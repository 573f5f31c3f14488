namespace Restore.Catalog.Locating;

/// <summary>The blocks of a whole backup, and what the entries of file lists refer to, without the entries themselves.</summary>
/// <param name="blocksAllowed">Limit of the blocks that volumes list.</param>
/// <param name="sequenceAllowed">Limit of the blocks of all contents: blocks that repeat cost nothing in volumes.</param>
internal sealed class ReferencedBlocks(BlockLayout layout, long blocksAllowed, long sequenceAllowed)
    : BlockIndex(new BlockTable(layout.BlockHash), layout, blocksAllowed), IFileListSink
{
    private readonly HashSet<BlockId> ofWholeBlocks = [];
    private long blocksLeft = sequenceAllowed;

    public HashSet<BlockId> Blocklists { get; } = [];

    public bool IsBlocklist(ReadOnlySpan<byte> hash, int lengthBytes) => Blocklists.Contains(Find(hash, lengthBytes));

    /// <summary>The blocks of each blocklist that was read, by its number and the length of its last block; null if they are not kept.</summary>
    public Dictionary<(BlockId Blocklist, int LastBytes), BlockId[]>? Lists { get; init; }

    /// <summary>The hashes of the blocklists that index volumes have copies of, cut to their first bytes; null if they are not kept.</summary>
    public HashSet<UInt128>? Copied { get; init; }

    /// <summary>Entries that cannot be used, and contents with more blocks than can be.</summary>
    public List<RestoreIssue> Problems { get; } = [];

    /// <summary>Entries of which a list does not say soundly which blocks they need.</summary>
    public long UnknownNeeds { get; private set; }

    /// <summary>Whether contents have more blocks than a backup of this size; the blocks of those are not known.</summary>
    public bool IsTooLong { get; private set; }

    public void Entry(in FileListEntry entry)
    {
        if (entry.Kind.IsFile())
        {
            Add(entry.Hash, entry.SizeBytes, entry.BlockHash, entry.BlocklistHashes);
        }

        UnknownNeeds += entry.MetaProblem is null ? 0 : 1;
        if (entry.MetaProblem is null && !entry.MetaHash.IsEmpty)
        {
            Add(entry.MetaHash, entry.MetaSizeBytes, entry.MetaBlockHash, entry.MetaBlocklistHashes);
        }
    }

    public void Unusable(string path, string reason)
    {
        UnknownNeeds++;

        // One report has room for these; the drill lists them all.
        if (Problems.Count < 1000)
        {
            Problems.Add(new RestoreIssue(IssueKind.Refused, path, reason));
        }
    }

    public void Add(ReadOnlySpan<byte> hash, long sizeBytes, ReadOnlySpan<byte> blockHash, ReadOnlySpan<byte> blocklists)
    {
        if (sizeBytes > 0 && sizeBytes <= Layout.BlockSizeBytes)
        {
            Refer(blockHash.IsEmpty ? hash : blockHash, (int)sizeBytes);
        }

        int length = Layout.BlockHash.LengthBytes();
        for (int i = 0; sizeBytes > Layout.BlockSizeBytes && i * length < blocklists.Length; i++)
        {
            AddBlocklist(blocklists.Slice(i * length, length), sizeBytes, i);
        }
    }

    public static UInt128 KeyOf(ReadOnlySpan<byte> hash) => BinaryPrimitives.ReadUInt128LittleEndian(hash);

    public override void NoteCopy(ReadOnlySpan<byte> blocklist) => Copied?.Add(KeyOf(blocklist));

    protected override void Take(BlocklistPlace place, BlockId blocklist, ReadOnlySpan<BlockId> blocks)
    {
        if (Lists is not null && blocks.Length > 0)
        {
            Lists.TryAdd((blocklist, SizeOf(blocks[^1])), blocks.ToArray());
        }
    }

    /// <summary>A blocklist that is not the last of its content lists whole blocks, in whichever content it is: it needs to be taken once.</summary>
    private void AddBlocklist(ReadOnlySpan<byte> hash, long sizeBytes, int index)
    {
        BlockId block = Refer(hash, Layout.BlocklistLength(sizeBytes, index));
        Blocklists.Add(block);
        if (index < Layout.BlocklistCount(sizeBytes) - 1 && !ofWholeBlocks.Add(block))
        {
            return;
        }

        blocksLeft -= SizeOf(block) / Layout.BlockHash.LengthBytes();
        if (blocksLeft >= 0)
        {
            Await(block, new BlocklistPlace(0, index, sizeBytes));
        }
        else
        {
            IsTooLong = true;
        }
    }
}

/// <summary>What is known of the blocks of a content.</summary>
internal enum ContentState
{
    There,

    /// <summary>A list of its blocks could not be read, though a volume should have it.</summary>
    Unknown,

    Lost,
}

/// <summary>Says of contents whether all their blocks are in volumes.</summary>
/// <param name="references">The blocks of the backup; keeps lists.</param>
/// <param name="isThere">Whether a block counts as stored; also asked about none, for a block that is not known.</param>
/// <param name="needsLists">Whether the blocklists have to be stored as blocks, too; a copy in an index volume is enough to restore.</param>
internal sealed class ContentStates(ReferencedBlocks references, Predicate<BlockId> isThere, bool needsLists = false)
{
    public BlockLayout Layout => references.Layout;

    /// <summary>Whether an entry refers to the full block of zeros, and no volume has it.</summary>
    public bool LacksZeros => references.LacksZeros;

    /// <summary>The lists of blocks that no volume has although their blocks are there: an index volume has a copy, with which a restore does.</summary>
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

    /// <summary>What can be restored: the full block of zeros is known by its hash, so it cannot be lost, nor can a block that nothing names.</summary>
    public static ContentStates OfRestore(ReferencedBlocks references)
    {
        BlockId zero = references.FullZeros;
        return new ContentStates(references, block => block.IsNone || block == zero || !references.VolumeOf(block).IsNone);
    }

    public ContentState ContentOf(in FileListEntry entry) =>
        entry.Kind.IsFile() ? Of(entry.Hash, entry.SizeBytes, entry.BlockHash, entry.BlocklistHashes) : ContentState.There;

    public ContentState MetadataOf(in FileListEntry entry) =>
        entry.MetaHash.IsEmpty ? ContentState.There : Of(entry.MetaHash, entry.MetaSizeBytes, entry.MetaBlockHash, entry.MetaBlocklistHashes);

    public ContentState Of(ReadOnlySpan<byte> hash, long sizeBytes, ReadOnlySpan<byte> blockHash, ReadOnlySpan<byte> blocklists)
    {
        if (sizeBytes <= Layout.BlockSizeBytes)
        {
            return sizeBytes == 0 || isThere(references.Find(blockHash.IsEmpty ? hash : blockHash, sizeBytes)) ? ContentState.There : ContentState.Lost;
        }

        int length = Layout.BlockHash.LengthBytes();
        ContentState state = ContentState.There;
        for (int i = 0; i * length < blocklists.Length && state != ContentState.Lost; i++)
        {
            ContentState part = OfBlocklist(references.Find(blocklists.Slice(i * length, length), Layout.BlocklistLength(sizeBytes, i)), sizeBytes, i);
            state = part == ContentState.There ? state : part;
        }

        return state;
    }

    private ContentState OfBlocklist(BlockId blocklist, long sizeBytes, int index)
    {
        long last = Math.Min((index + 1L) * Layout.HashesPerBlocklist, Layout.BlockCount(sizeBytes)) - 1;
        bool isListThere = isThere(blocklist);
        if (!blocklist.IsNone && references.Lists!.TryGetValue((blocklist, Layout.BlockLength(sizeBytes, last)), out BlockId[]? blocks))
        {
            return (isListThere || !needsLists) && Array.TrueForAll(blocks, isThere) ? ContentState.There : ContentState.Lost;
        }

        return isListThere ? ContentState.Unknown : ContentState.Lost;
    }
}
