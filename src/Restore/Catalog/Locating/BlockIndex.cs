namespace Restore.Catalog.Locating;

/// <summary>
/// A place that waits for a blocklist: which content, and which of its blocklists.
/// </summary>
internal readonly record struct BlocklistPlace(int Content, int Index, long SizeBytes);

/// <summary>
/// Blocks by (hash, size) with the volumes that have them, and which of them entries refer to.
/// Location sources offer every block and blocklist that they find. A plan takes the blocks that it
/// needs (<see cref="BlockNeeds"/>); <see cref="ReferencedBlocks"/> and the rebuilt database take
/// all. Not safe for concurrent use.
/// </summary>
/// <param name="blocksAllowed">Null to take only blocks that are in the table already; else the
/// limit of blocks and further copies that are added.</param>
internal abstract class BlockIndex(BlockTable table, BlockLayout layout, long? blocksAllowed)
{
    // By block: 0 if nothing refers to it, else a combination of the flags.
    private readonly SegmentedList<byte> flags = new();

    // Chains of the places that wait for a blocklist.
    private readonly Dictionary<BlockId, int> firstPlace = [];
    private readonly SegmentedList<(BlocklistPlace Place, int Next)> places = new();
    private readonly HashSet<Replica> unreadableLists = [];
    private long blocksLeft = blocksAllowed ?? 0;
    private BlockId[] listed = [];
    private byte[]? zeros;

    [Flags]
    private enum Flag : byte
    {
        Data = 1,
        Blocklist = 2,
    }

    public BlockLayout Layout { get; } = layout;

    public BlockTable Blocks { get; } = table;

    public LocationTable Locations { get; } =
        new(blocksAllowed is null ? LocationTable.UsualCopies : LocationTable.ManyCopies);

    /// <summary>
    /// Whether all blocks that volumes list are taken, so that all volumes are asked.
    /// </summary>
    public bool IsOfAllBlocks { get; } = blocksAllowed is not null;

    public long MaxBlocklistBytes { get; init; } = long.MaxValue;

    public int Count => Blocks.Count;

    public int UnlocatedBlocks { get; private set; }

    /// <summary>
    /// The same without the full block of zeros: that is known by its hash, so it cannot be lost.
    /// </summary>
    public int LostBlocks => UnlocatedBlocks - (LacksZeros ? 1 : 0);

    public BlockId FullZeros => Find(zeros ??= ZeroBlock.HashOf(Layout), Layout.BlockSizeBytes);

    /// <summary>
    /// Whether an entry refers to the full block of zeros, and no volume has it: restores do not
    /// need it there, Duplicati does.
    /// </summary>
    public bool LacksZeros =>
        UnlocatedBlocks > 0 && FullZeros is { IsNone: false } block && IsReferenced(block) && VolumeOf(block).IsNone;

    /// <summary>Number of accepted blocklists. When it grows, more blocks may be needed.</summary>
    public int Revision { get; private set; }

    /// <summary>Missing blocklists; the blocks that they list are unknown.</summary>
    public int MissingBlocklists => firstPlace.Count;

    public bool IsSettled =>
        UnlocatedBlocks == 0 && (MissingBlocklists == 0 || (IsOfAllBlocks && ListFetchableBlocklists().Length == 0));

    /// <summary>
    /// Whether volumes list more blocks than was allowed, so that not all were taken.
    /// </summary>
    public bool IsTooMuch { get; private set; }

    public HashSet<int> ContentsWithMissingBlocklists() =>
        [.. firstPlace.Values.SelectMany(PlacesFrom).Select(place => place.Content)];

    public ReadOnlySpan<byte> HashOf(BlockId block) => Blocks.HashOf(block);

    public int SizeOf(BlockId block) => Blocks.SizeOf(block);

    /// <summary>The number of a block, or none.</summary>
    public BlockId Find(ReadOnlySpan<byte> hash, long sizeBytes) => Blocks.Find(hash, sizeBytes);

    /// <summary>Prepares the look-up of a block that is looked up soon.</summary>
    public void Expect(ReadOnlySpan<byte> hash, int sizeBytes) => Blocks.Expect(hash, sizeBytes);

    public VolumeId VolumeOf(BlockId block) => Locations.VolumeOf(block);

    public bool IsReferenced(BlockId block) => block < flags.Count && (flags[block] & (byte)Flag.Data) != 0;

    public IEnumerable<Replica> Duplicates() => Locations.Others;

    /// <summary>
    /// The blocks that are needed, as data or as a missing blocklist, and have no location.
    /// </summary>
    public IEnumerable<BlockId> Unlocated() =>
        BlockId
            .UpTo(flags.Count)
            .AsEnumerable()
            .Where(block => VolumeOf(block).IsNone && (IsReferenced(block) || firstPlace.ContainsKey(block)));

    public BlockId Refer(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        BlockId block = Blocks.GetOrAdd(hash, sizeBytes);
        Refer(block);
        return block;
    }

    public void Refer(BlockId block)
    {
        if (Set(block, Flag.Data) && VolumeOf(block).IsNone)
        {
            UnlocatedBlocks++;
        }
    }

    public void ForgetReferences()
    {
        UnlocatedBlocks = 0;
        for (int block = 0; block < flags.Count; block++)
        {
            flags[block] = 0;
        }
    }

    public void Await(BlockId blocklist, BlocklistPlace place)
    {
        firstPlace[blocklist] = places.Add((place, firstPlace.GetValueOrDefault(blocklist, -1)));
        Set(blocklist, Flag.Blocklist);
    }

    /// <summary>Takes note of a blocklist that an index volume has a copy of.</summary>
    public virtual void NoteCopy(ReadOnlySpan<byte> blocklist)
    {
        // A restore needs no more than the copies themselves.
    }

    public bool IsMissingBlocklist(ReadOnlySpan<byte> hash, long sizeBytes) =>
        sizeBytes <= MaxBlocklistBytes && firstPlace.ContainsKey(Find(hash, sizeBytes));

    public Replica[] ListFetchableBlocklists() =>
        [
            .. firstPlace
                .Keys.Where(block => SizeOf(block) <= MaxBlocklistBytes)
                .Select(block =>
                    Locations
                        .CopiesOf(block)
                        .FirstOrDefault(copy => !unreadableLists.Contains(copy), new Replica(block, VolumeId.None))
                )
                .Where(copy => !copy.Volume.IsNone)
                .OrderBy(copy => copy.Volume.Value)
                .ThenBy(copy => copy.Block.Value),
        ];

    /// <summary>
    /// Records that a volume has a block, according to the source <paramref name="order"/> (a
    /// <see cref="CopyOrder"/>).
    /// </summary>
    /// <returns>False if the block is not taken, and may be later.</returns>
    public bool Locate(ReadOnlySpan<byte> hash, long sizeBytes, VolumeId volume, int order)
    {
        if (!IsOfAllBlocks)
        {
            BlockId block = Find(hash, sizeBytes);
            if (block.IsNone)
            {
                return false;
            }

            Locate(block, volume, order);
            return true;
        }

        // An index of all blocks grows with what volumes claim, so the claims are limited. It still
        // returns true beyond the limit: keeping the list for later would not help.
        IsTooMuch |= blocksLeft <= 0;
        if (!IsTooMuch)
        {
            // A new block and a further copy cost one each. A location that is known already costs
            // nothing.
            int known = Count + Locations.OtherCount;
            Locate(Blocks.GetOrAdd(hash, (int)sizeBytes), volume, order);
            blocksLeft -= Count + Locations.OtherCount - known;
        }

        return true;
    }

    public void Locate(BlockId block, VolumeId volume, int order)
    {
        bool wasLocated = !VolumeOf(block).IsNone;
        Locations.Add(block, volume, order);
        if (!wasLocated && IsReferenced(block) && !VolumeOf(block).IsNone)
        {
            UnlocatedBlocks--;
        }
    }

    /// <summary>
    /// Records that a block was in a volume that is not in the folder, unless the block has another
    /// location.
    /// </summary>
    public void NoteLost(ReadOnlySpan<byte> hash, long sizeBytes, string volumeName)
    {
        BlockId block = Find(hash, sizeBytes);
        if (block >= 0 && block < flags.Count && flags[block] != 0 && VolumeOf(block).IsNone)
        {
            Locations.NoteAbsent(block, volumeName);
        }
    }

    /// <summary>
    /// Removes a location that turned out wrong: the next known copy becomes the first, or the
    /// block has no location again.
    /// </summary>
    public void Fail(Replica replica)
    {
        bool wasLocated = !VolumeOf(replica.Block).IsNone;
        Locations.Fail(replica);
        if (wasLocated && VolumeOf(replica.Block).IsNone && IsReferenced(replica.Block))
        {
            UnlocatedBlocks++;
        }
    }

    /// <summary>
    /// Records that a blocklist could not be read from a volume. In an index of all blocks the copy
    /// stays.
    /// </summary>
    public void FailBlocklist(Replica replica)
    {
        // A plan only needs a copy that can be read. An index of all blocks says what volumes have,
        // for check and compact, so only the fetch of the blocklist skips this copy.
        if (IsOfAllBlocks)
        {
            unreadableLists.Add(replica);
        }
        else
        {
            Fail(replica);
        }
    }

    /// <summary>
    /// Accepts a blocklist after its bytes were verified by its hash, and refers to the blocks that
    /// it lists.
    /// </summary>
    public void AcceptBlocklist(BlockId blocklist, ReadOnlySpan<byte> hashes)
    {
        if (!firstPlace.Remove(blocklist, out int head))
        {
            return;
        }

        Revision++;
        int hashLength = Layout.BlockHash.LengthBytes();
        int count = hashes.Length / hashLength;
        if (listed.Length < count)
        {
            listed = new BlockId[count];
        }

        // The same blocklist can be at several places, with another length of its last block at
        // each: the hashes are equal, but a block is identified by hash and size.
        foreach (BlocklistPlace place in PlacesFrom(head))
        {
            long first = (long)place.Index * Layout.HashesPerBlocklist;
            for (int i = 0; i < count; i++)
            {
                listed[i] = Refer(
                    hashes.Slice(i * hashLength, hashLength),
                    Layout.BlockLength(place.SizeBytes, first + i)
                );
            }

            Take(place, blocklist, listed.AsSpan(0, count));
        }
    }

    /// <summary>
    /// Returns the blocks that meet a condition. If all blocks meet it, returns the set of the
    /// index itself, not a copy.
    /// </summary>
    public BlockSet ToSet(Predicate<BlockId> isIn)
    {
        if (BlockId.UpTo(Count).AsEnumerable().All(block => isIn(block)))
        {
            return Blocks.Set;
        }

        BlockSet set = new(Layout.BlockHash.LengthBytes());
        foreach (BlockId block in BlockId.UpTo(Count))
        {
            if (isIn(block))
            {
                set.TryAdd(HashOf(block), SizeOf(block), out _);
            }
        }

        return set;
    }

    protected abstract void Take(BlocklistPlace place, BlockId blocklist, ReadOnlySpan<BlockId> blocks);

    private IEnumerable<BlocklistPlace> PlacesFrom(int head)
    {
        for (int at = head; at >= 0; at = places[at].Next)
        {
            yield return places[at].Place;
        }
    }

    private bool Set(BlockId block, Flag flag)
    {
        if (block >= flags.Count)
        {
            flags.AddMany(0, block + 1 - flags.Count);
        }

        bool isNew = (flags[block] & (byte)flag) == 0;
        flags[block] |= (byte)flag;
        return isNew;
    }
}
