namespace Restore.Planning;

/// <summary>
/// What one pass brings: entries turned into blocks, blocks into volumes. Pure data that never changes: the losses of a pass are a value too
/// (<see cref="PassLosses"/>), and <see cref="Next"/> makes the plan of the next pass from both.
/// </summary>
internal sealed class PassPlan
{
    private readonly EntryParts[] parts;
    private readonly BlockId zeroBlock;
    private readonly BlockWants wants;

    public PassPlan(EntryPlans entries, EntryParts[] parts, Locations locations, IReadOnlyList<Volume> volumes, bool leavesBlocksToFiles)
    {
        Entries = entries;
        this.parts = parts;
        Locations = locations;
        Volumes = volumes;
        LeavesBlocksToFiles = leavesBlocksToFiles;
        zeroBlock = ZeroBlock.Find(Content);
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
    /// Whether a block that only whole files need is verified by the hashes of those files, so that its bytes are hashed once. A file with a wrong
    /// hash is then checked block by block.
    /// </summary>
    public bool LeavesBlocksToFiles { get; }

    public ReadOnlySpan<EntryParts> Parts => parts;

    public bool Includes(EntryId entry) => parts[entry] != EntryParts.None;

    public bool BringsContent(EntryId entry) => (parts[entry] & EntryParts.Content) != 0;

    public bool BringsMetadata(EntryId entry) => (parts[entry] & EntryParts.Metadata) != 0;

    public bool WritesFile(EntryId entry) => BringsContent(entry) && Content.IsFile(entry);

    /// <summary>Bytes of the content of an entry; of a file that other parts of a split plan write too, those that this part brings.</summary>
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
            BringsContent(entry) ? Content.BlockCountOf(row.Content) : 0, BringsMetadata(entry) ? Content.BlockCountOf(row.Metadata) : 0);
    }

    /// <summary>The block of an item, or none if it is not known.</summary>
    public BlockId BlockOf(EntryId entry, Item item)
    {
        EntryRow row = Content.Entries[entry];
        return Content.BlockOf(item.IsMetadata ? row.Metadata : row.Content, item.Index);
    }

    /// <summary>The items to fetch, entry by entry in the order in which they come, with their blocks.</summary>
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

    /// <summary>Where the bytes of an item come from. In a shared file, which is new, zeros are there already: nobody writes to that place.</summary>
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

    /// <summary>Makes the plan of the next pass: what this pass left unfinished, with blocks that have another location.</summary>
    /// <param name="locations">The locations by now, without the copies that failed.</param>
    /// <param name="volumes">All volumes by now, some of them repaired; null if there are no others.</param>
    /// <returns>The plan; null if none of the lost blocks has another location.</returns>
    public PassPlan? Next(PassLosses losses, Locations locations, IReadOnlyList<Volume>? volumes = null)
    {
        if (!losses.Blocks.Any(block => !locations.VolumeOf(block).IsNone))
        {
            return null;
        }

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

    /// <summary>The items of an entry that get no bytes unless the blocks are found elsewhere.</summary>
    /// <param name="isLost">Whether the pass did not bring a block; null while it has not run.</param>
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

    private bool IsWithoutBytes(EntryId entry, Item item, Predicate<BlockId>? isLost) => SourceOf(entry, item) switch
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

/// <summary>An entry that a pass did not finish.</summary>
/// <param name="MetadataIsDone">Whether its metadata arrived, so that the next pass need not bring it.</param>
internal readonly record struct UnfinishedEntry(EntryId Entry, bool IsStarted, bool MetadataIsDone)
{
    /// <summary>Blocks that arrived, and are wrong in the file of this entry alone: another file may have them right.</summary>
    public IReadOnlyList<BlockId> WrongBlocks { get; init; } = [];
}

/// <summary>What a pass did not bring.</summary>
/// <param name="Missing">Blocks that were not where the plan said, or had other bytes: every entry lacks them.</param>
/// <param name="UnreadableVolumes">Volumes of which nothing could be read: their blocks may be right, and are tried again if it becomes readable.</param>
internal sealed record PassLosses(
    IReadOnlySet<BlockId> Missing, IReadOnlyList<UnfinishedEntry> Entries, IReadOnlySet<VolumeId> UnreadableVolumes)
{
    public static PassLosses None { get; } = new(new HashSet<BlockId>(), [], new HashSet<VolumeId>());

    /// <summary>All blocks that some entry lacks.</summary>
    public IReadOnlySet<BlockId> Blocks { get; } = new HashSet<BlockId>(Missing.Concat(Entries.SelectMany(entry => entry.WrongBlocks)));

    public Predicate<BlockId> LostTo(UnfinishedEntry entry)
    {
        if (entry.WrongBlocks.Count == 0)
        {
            return Missing.Contains;
        }

        HashSet<BlockId> wrong = [.. entry.WrongBlocks];
        return block => wrong.Contains(block) || Missing.Contains(block);
    }
}

/// <summary>
/// Brings a saved plan in line with the volumes that the store has by now: there may be new ones, and others may be gone. What was in those is
/// searched elsewhere, as the blocks of any volume that cannot be read.
/// </summary>
internal static class PlanVolumes
{
    public static PassPlan Rebind(PassPlan plan, VolumeSet present)
    {
        if (plan.Volumes.Count == present.All.Count && plan.Volumes.All(volume => present.Find(volume.FileName) is { } same && same == volume))
        {
            return plan;
        }

        List<Volume> volumes = [.. present.All];
        VolumeId[] numbers = new VolumeId[plan.Volumes.Count];
        foreach (Volume volume in plan.Volumes)
        {
            if (present.Find(volume.FileName) is { } same)
            {
                numbers[volume.Id] = same.Id;
                continue;
            }

            numbers[volume.Id] = new VolumeId(volumes.Count);
            volumes.Add(volume with { Id = numbers[volume.Id], IsMissing = true });
        }

        return new PassPlan(plan.Entries, plan.Parts.ToArray(), plan.Locations.Renumbered(numbers), volumes, plan.LeavesBlocksToFiles);
    }

    /// <summary>Refuses a plan for another backup, or for a version that the backup does not have.</summary>
    /// <exception cref="RestoreException">It does not belong to the backup.</exception>
    public static void RequireFits(RestorePlan plan, VolumeSet present, string location)
    {
        Volume? list = present.Find(plan.Version.FileListName);
        Volume[] own = [.. plan.Pass.Volumes.Where(IsNamedByChance)];
        bool isOther = own.Length > 0 && !Array.Exists(own, volume => present.Find(volume.FileName) is not null);
        if (isOther)
        {
            throw new RestoreException(
                RestoreErrorCode.PlanBackupOther, $"The plan belongs to another backup ({plan.Location}): the store has none of its volumes", location);
        }

        Volume? planned = plan.Pass.Volumes.FirstOrDefault(volume => volume.FileName == plan.Version.FileListName);

        // A plan that was made with a local database may be of a version whose file list was missing already.
        if (list is null ? planned is not null : planned is not null && planned.SizeBytes != list.SizeBytes)
        {
            string what = list is null ? "is not in the backup" : "has another file list now";
            throw new RestoreException(
                RestoreErrorCode.PlanVersionGone,
                $"The version of the plan, of {plan.Version.Time:yyyy-MM-dd HH:mm:ss}Z, {what} ({plan.Version.FileListName})",
                location);
        }
    }

    /// <summary>The name of a file list has the time of its version, which two backups can have in common.</summary>
    private static bool IsNamedByChance(Volume volume) => volume.Name.Kind != VolumeKind.FileList;
}
