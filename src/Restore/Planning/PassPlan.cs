namespace Restore.Planning;

/// <summary>
/// What one pass brings: entries turned into blocks, blocks into volumes. Pure data that never
/// changes: the losses of a pass are a value too (<see cref="PassLosses"/>), and <see cref="Next"/>
/// makes the plan of the next pass from both.
/// </summary>
internal sealed class PassPlan
{
    private readonly EntryParts[] parts;
    private readonly BlockId zeroBlock;
    private readonly BlockWants wants;

    public PassPlan(
        EntryPlans entries,
        EntryParts[] parts,
        Locations locations,
        IReadOnlyList<Volume> volumes,
        bool leavesBlocksToFiles
    )
    {
        Entries = entries;
        this.parts = parts;
        Locations = locations;
        Volumes = volumes;
        LeavesBlocksToFiles = leavesBlocksToFiles;
        zeroBlock = ZeroBlock.Find(Content);

        // BlockWants walks the items of this plan, so everything that SourceOf reads is set by now.
        List<BlockId> inOrder = new(Content.Blocks.Count);
        BitSet? ownHash = leavesBlocksToFiles ? new BitSet(Content.Blocks.Count) : null;
        wants = new BlockWants(this, inOrder, ownHash);
        Fetch = FetchList.Create(Content.Blocks, locations, volumes, inOrder, ownHash);
    }

    public EntryPlans Entries { get; }

    public VersionContent Content => Entries.Content;

    public Locations Locations { get; }

    /// <summary>All volumes, by id.</summary>
    public IReadOnlyList<Volume> Volumes { get; }

    public FetchList Fetch { get; }

    /// <summary>
    /// Whether a block that only whole files need is verified by the hashes of those files, so that
    /// its bytes are hashed once. A file with a wrong hash is then checked block by block.
    /// </summary>
    public bool LeavesBlocksToFiles { get; }

    public ReadOnlySpan<EntryParts> Parts => parts;

    public bool Includes(EntryId entry) => parts[entry] != EntryParts.None;

    public bool BringsContent(EntryId entry) => (parts[entry] & EntryParts.Content) != 0;

    public bool BringsMetadata(EntryId entry) => (parts[entry] & EntryParts.Metadata) != 0;

    /// <summary>
    /// Whether a file replaces the file that has its path.
    /// </summary>
    /// <param name="entry">The file.</param>
    /// <param name="isAgain">Whether a shard is restored, and files may be overwritten: a plan is
    /// older than its shards, so an earlier shard may have put a damaged file there.</param>
    public bool Replaces(EntryId entry, bool isAgain) => isAgain || Entries[entry] == EntryAction.Replace;

    public bool WritesFile(EntryId entry) => BringsContent(entry) && Content.IsFile(entry);

    /// <summary>
    /// Bytes of the content of an entry; of a file that other parts of a split plan write too,
    /// those that this part brings.
    /// </summary>
    public long BytesOf(EntryId entry)
    {
        if (Entries.ShareOf(entry) is not { } share)
        {
            return Content.SizeOf(entry);
        }

        long bytes = 0;
        for (int index = 0; index < share.Length; index++)
        {
            bytes += share[index] ? Content.Layout.BlockLength(Content.SizeOf(entry), index) : 0;
        }

        return bytes;
    }

    /// <summary>All entries in the order in which they come.</summary>
    public IEnumerable<EntryId> InOrder() => Entries.Order?.All() ?? EntryId.UpTo(parts.Length).AsEnumerable();

    public IEnumerable<EntryId> Included() => EntryId.UpTo(parts.Length).AsEnumerable().Where(Includes);

    public ItemRange ItemsOf(EntryId entry)
    {
        EntryRow row = Content.Entries[entry];
        return new ItemRange(
            BringsContent(entry) ? Content.BlockCountOf(row.Content) : 0,
            BringsMetadata(entry) ? Content.BlockCountOf(row.Metadata) : 0
        );
    }

    /// <summary>The block of an item, or none if it is not known.</summary>
    public BlockId BlockOf(EntryId entry, Item item)
    {
        EntryRow row = Content.Entries[entry];
        return Content.BlockOf(item.IsMetadata ? row.Metadata : row.Content, item.Index);
    }

    /// <summary>
    /// The items to fetch, entry by entry in the order in which they come, with their blocks.
    /// </summary>
    public IEnumerable<(EntryId Entry, Item Item, BlockId Block)> Fetched()
    {
        foreach (EntryId entry in InOrder().Where(Includes))
        {
            foreach (Item item in ItemsOf(entry))
            {
                BlockId block = BlockOf(entry, item);
                if (SourceOf(entry, item, block) == ItemSource.Fetched)
                {
                    yield return (entry, item, block);
                }
            }
        }
    }

    /// <summary>
    /// Where the bytes of an item come from. A shared file is new, so its zeros are there already:
    /// no part of the plan writes to that place.
    /// </summary>
    public ItemSource SourceOf(EntryId entry, Item item) => SourceOf(entry, item, BlockOf(entry, item));

    private ItemSource SourceOf(EntryId entry, Item item, BlockId block)
    {
        BitSet? share = item.IsMetadata ? null : Entries.ShareOf(entry);
        if (share is not null && !share[item.Index])
        {
            // Another part of the split plan brings it.
            return ItemSource.InPlace;
        }

        if (!item.IsMetadata && Entries.InPlace(entry) is { } inPlace && inPlace[item.Index])
        {
            return ItemSource.InPlace;
        }

        // Zeros become a hole, whether a local file has them or not.
        return block == zeroBlock && !block.IsNone ? (share is null ? ItemSource.Zeros : ItemSource.InPlace)
            : !item.IsMetadata && Entries.LocalBlocksOf(entry)?.Blocks[item.Index] == true ? ItemSource.Local
            : block.IsNone ? ItemSource.Nowhere
            : Locations.VolumeOf(block).IsNone ? ItemSource.Nowhere
            : ItemSource.Fetched;
    }

    public Wants WantsOf(BlockId block) => wants.Of(block);

    /// <summary>
    /// Makes the plan of the next pass: what this pass left unfinished, with blocks that have
    /// another location.
    /// </summary>
    /// <param name="locations">The locations by now, without the copies that failed.</param>
    /// <param name="volumes">All volumes by now, some of them repaired; null if there are no
    /// others.</param>
    /// <returns>The plan; null if none of the lost blocks has another location.</returns>
    public PassPlan? Next(PassLosses losses, Locations locations, IReadOnlyList<Volume>? volumes = null)
    {
        if (!losses.Blocks.Any(block => !locations.VolumeOf(block).IsNone))
        {
            return null;
        }

        // An entry that is finished keeps no part, so the next pass does not touch it.
        EntryParts[] next = new EntryParts[parts.Length];
        Dictionary<EntryId, BitSet> inPlace = [];
        foreach (UnfinishedEntry unfinished in losses.Entries)
        {
            EntryId entry = unfinished.Entry;
            next[entry] = unfinished.MetadataIsDone ? parts[entry] & ~EntryParts.Metadata : parts[entry];
            if (unfinished.IsStarted)
            {
                inPlace[entry] = ItemsInPlaceAfter(entry, losses.LostTo(unfinished));
            }
        }

        return new PassPlan(Entries.WithInPlace(inPlace), next, locations, volumes ?? Volumes, LeavesBlocksToFiles);
    }

    /// <summary>
    /// The items of an entry that get no bytes unless the blocks are found elsewhere.
    /// </summary>
    /// <param name="isLost">Whether the pass did not bring a block; null while it has not
    /// run.</param>
    public IEnumerable<Item> ItemsWithoutBytes(EntryId entry, Predicate<BlockId>? isLost = null)
    {
        foreach (Item item in ItemsOf(entry))
        {
            if (IsWithoutBytes(entry, item, isLost))
            {
                yield return item;
            }
        }
    }

    private bool IsWithoutBytes(EntryId entry, Item item, Predicate<BlockId>? isLost) =>
        SourceOf(entry, item) switch
        {
            ItemSource.Nowhere => true,
            ItemSource.Fetched => isLost?.Invoke(BlockOf(entry, item)) == true,
            _ => false,
        };

    private BitSet ItemsInPlaceAfter(EntryId entry, Predicate<BlockId> isLost)
    {
        int count = ItemsOf(entry).ContentItems;
        BitSet inPlace = new(count);
        for (int index = 0; index < count; index++)
        {
            inPlace[index] = !IsWithoutBytes(entry, Item.Content(index), isLost);
        }

        return inPlace;
    }
}
