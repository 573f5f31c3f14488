namespace Restore.Catalog;

/// <summary>
/// What to read: volumes in order of first use, and the needed blocks of each in order of first
/// use. Immutable plain data; besides the lists it references only the block table.
/// </summary>
internal sealed class FetchList
{
    // Below this many blocks of a table to one of the list, an array for the whole table costs less
    // than a dictionary.
    private const int FewShare = 32;

    private readonly BitSet? ownHash;

    /// <param name="table">The blocks by number; frozen, since all processes of a block stream look
    /// up in it.</param>
    /// <param name="blocks">The needed blocks, volume by volume, each once.</param>
    /// <param name="ownHash">The blocks that are verified by their own hash; null for all.</param>
    public FetchList(BlockTable table, BlockId[] blocks, IReadOnlyList<WantedVolume> volumes, BitSet? ownHash)
    {
        if (!table.IsFrozen)
        {
            throw new InvalidOperationException("The block table of a fetch list must be frozen");
        }

        Table = table;
        Blocks = blocks;
        Volumes = volumes;
        this.ownHash = ownHash;
    }

    private FetchList(FetchList whole, IReadOnlyList<WantedVolume> volumes) =>
        (Table, Blocks, Volumes, ownHash, KeepsPacked, KeepsDirectories) = (
            whole.Table,
            whole.Blocks,
            volumes,
            whole.ownHash,
            whole.KeepsPacked,
            whole.KeepsDirectories
        );

    public BlockTable Table { get; }

    public BlockId[] Blocks { get; }

    public IReadOnlyList<WantedVolume> Volumes { get; }

    /// <summary>
    /// Whether blocks come with their bytes as they are in the archive, for another archive.
    /// </summary>
    public bool KeepsPacked { get; init; }

    public bool KeepsDirectories { get; init; }

    /// <param name="table">The blocks by number; frozen.</param>
    /// <param name="blocksInOrder">The blocks in order of first use; repeated blocks and blocks
    /// without a location are left out.</param>
    /// <param name="ownHash">The blocks that are verified by their own hash; null for all.</param>
    public static FetchList Create(
        BlockTable table,
        Locations locations,
        IReadOnlyList<Volume> volumes,
        IReadOnlyList<BlockId> blocksInOrder,
        BitSet? ownHash = null
    )
    {
        if (IsFew(blocksInOrder.Count, table))
        {
            return CreateFew(table, locations, volumes, blocksInOrder, ownHash);
        }

        // A counting sort by volume:
        // 1. Count the blocks of each volume, each block once, and note the volumes in order of
        //    first use.
        // 2. Give each volume its part of one array.
        // 3. Put each block into the part of its volume, and clear its bit, so that a repeated
        //    block is left out.
        BitSet unplaced = new(table.Count);
        int[] countByVolume = new int[volumes.Count];
        List<VolumeId> volumeOrder = [];
        foreach (BlockId block in blocksInOrder)
        {
            VolumeId volume = locations.VolumeOf(block);
            if (!volume.IsNone && !unplaced[block])
            {
                unplaced[block] = true;
                if (countByVolume[volume]++ == 0)
                {
                    volumeOrder.Add(volume);
                }
            }
        }

        int[] next = new int[volumes.Count];
        int count = 0;
        foreach (VolumeId volume in volumeOrder)
        {
            next[volume] = count;
            count += countByVolume[volume];
        }

        WantedVolume[] wanted =
        [
            .. volumeOrder.Select(volume => new WantedVolume(volumes[volume], next[volume], countByVolume[volume])),
        ];
        BlockId[] blocks = new BlockId[count];
        foreach (BlockId block in blocksInOrder)
        {
            if (unplaced[block])
            {
                blocks[next[locations.VolumeOf(block)]++] = block;
                unplaced[block] = false;
            }
        }

        return new FetchList(table, blocks, wanted, ownHash);
    }

    /// <summary>
    /// The same list, with each large volume in parts of neighboring blocks, so that it is never in
    /// memory as a whole.
    /// </summary>
    /// <param name="isLarge">Whether a volume is large, and can be read in parts.</param>
    /// <param name="partBytes">The most bytes of blocks in a part; at least one block.</param>
    public FetchList InParts(Predicate<Volume> isLarge, long partBytes) =>
        Volumes.Any(volume => isLarge(volume.Volume))
            ? new FetchList(
                this,
                [.. Volumes.SelectMany(volume => isLarge(volume.Volume) ? PartsOf(volume, partBytes) : [volume])]
            )
            : this;

    /// <summary>The same list, with blocks that also come as they are in the archive.</summary>
    public FetchList KeepingPacked() => new(this, Volumes) { KeepsPacked = true };

    public FetchList KeepingDirectories() => new(this, Volumes) { KeepsDirectories = true };

    /// <summary>Length of the longest needed block; 0 if no block is needed.</summary>
    public int LongestBlockBytes() => Blocks.Length == 0 ? 0 : Blocks.Max(block => Table.SizeOf(block));

    /// <summary>
    /// Whether a block is verified by its own hash. If not, it belongs only to files that are
    /// verified as a whole.
    /// </summary>
    public bool NeedsOwnHash(BlockId block) => ownHash is null || ownHash[block];

    public ReadOnlySpan<BlockId> BlocksOf(WantedVolume volume) => Blocks.AsSpan(volume.First, volume.Count);

    public long BytesOf(WantedVolume volume)
    {
        long bytes = 0;
        foreach (BlockId block in BlocksOf(volume))
        {
            bytes += Table.SizeOf(block);
        }

        return bytes;
    }

    private IEnumerable<WantedVolume> PartsOf(WantedVolume volume, long partBytes)
    {
        int end = volume.First + volume.Count;
        int first = volume.First;
        long bytes = 0;
        for (int next = first; next < end; next++)
        {
            int size = Table.SizeOf(Blocks[next]);
            if (next > first && bytes + size > partBytes)
            {
                yield return new WantedVolume(volume.Volume, first, next - first)
                {
                    PartBytes = bytes,
                    IsContinued = true,
                };
                (first, bytes) = (next, 0);
            }

            bytes += size;
        }

        yield return new WantedVolume(volume.Volume, first, end - first) { PartBytes = bytes };
    }

    private static bool IsFew(int count, BlockTable table) => count < table.Count / FewShare;

    /// <summary>
    /// The list for few blocks of a large version, without tables for the whole version.
    /// </summary>
    private static FetchList CreateFew(
        BlockTable table,
        Locations locations,
        IReadOnlyList<Volume> volumes,
        IReadOnlyList<BlockId> blocksInOrder,
        BitSet? ownHash
    )
    {
        HashSet<BlockId> seen = [];
        Dictionary<VolumeId, List<BlockId>> byVolume = [];
        List<VolumeId> order = [];
        foreach (BlockId block in blocksInOrder)
        {
            VolumeId volume = locations.VolumeOf(block);
            if (volume.IsNone || !seen.Add(block))
            {
                continue;
            }

            if (!byVolume.TryGetValue(volume, out List<BlockId>? blocks))
            {
                byVolume.Add(volume, blocks = []);
                order.Add(volume);
            }

            blocks.Add(block);
        }

        List<BlockId> arranged = [];
        List<WantedVolume> wanted = [];
        foreach (VolumeId volume in order)
        {
            wanted.Add(new WantedVolume(volumes[volume], arranged.Count, byVolume[volume].Count));
            arranged.AddRange(byVolume[volume]);
        }

        return new FetchList(table, [.. arranged], wanted, ownHash);
    }
}
