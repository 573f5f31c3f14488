namespace Restore.Catalog.Locating;

/// <summary>
/// The blocks of a whole backup, and what the entries of file lists refer to, without the entries
/// themselves.
/// </summary>
/// <param name="blocksAllowed">Limit of the blocks that volumes list.</param>
/// <param name="sequenceAllowed">Limit of the blocks of all contents: blocks that repeat cost
/// nothing in volumes.</param>
internal sealed class ReferencedBlocks(BlockLayout layout, long blocksAllowed, long sequenceAllowed)
    : BlockIndex(new BlockTable(layout.BlockHash), layout, blocksAllowed),
        IFileListSink
{
    private readonly HashSet<BlockId> ofWholeBlocks = [];
    private long blocksLeft = sequenceAllowed;

    public HashSet<BlockId> Blocklists { get; } = [];

    public bool IsBlocklist(ReadOnlySpan<byte> hash, int lengthBytes) => Blocklists.Contains(Find(hash, lengthBytes));

    /// <summary>
    /// The blocks of each blocklist that was read, by its number and the length of its last block;
    /// null if they are not kept.
    /// </summary>
    public Dictionary<(BlockId Blocklist, int LastBytes), BlockId[]>? Lists { get; init; }

    /// <summary>
    /// The hashes of the blocklists that index volumes have copies of, cut to their first bytes;
    /// null if they are not kept.
    /// </summary>
    public HashSet<UInt128>? Copied { get; init; }

    /// <summary>Entries that cannot be used, and contents with more blocks than can be.</summary>
    public List<RestoreIssue> Problems { get; } = [];

    /// <summary>
    /// Number of entries for which a list does not reliably say which blocks they need.
    /// </summary>
    public long UnknownNeeds { get; private set; }

    /// <summary>
    /// Whether contents claim more blocks than a backup of this size can have; the blocks of these
    /// contents are not known.
    /// </summary>
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

    public void Add(
        ReadOnlySpan<byte> hash,
        long sizeBytes,
        ReadOnlySpan<byte> blockHash,
        ReadOnlySpan<byte> blocklists
    )
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

    /// <summary>
    /// A blocklist that is not the last of its content lists whole blocks, in whichever content it
    /// is: it needs to be taken once.
    /// </summary>
    private void AddBlocklist(ReadOnlySpan<byte> hash, long sizeBytes, int index)
    {
        BlockId block = Refer(hash, Layout.BlocklistLength(sizeBytes, index));
        Blocklists.Add(block);
        if (index < Layout.BlocklistCount(sizeBytes) - 1 && !ofWholeBlocks.Add(block))
        {
            return;
        }

        // A blocklist of 1 MiB stands for 32 GiB, and a backup of equal blocks has few bytes in
        // volumes. So the number of blocks is limited by what lists name, before any is read.
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
