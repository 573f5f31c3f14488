using Restore.Format;
using Restore.Memory;
using Restore.Volumes;

namespace Restore.Catalog.Locating;

/// <summary>
/// What a plan needs of a version: needed contents, blocklists that are missing, blocks without a location.
/// Sources offer every block and blocklist that they find; this class accepts the needed ones. Not safe for concurrent use.
/// </summary>
internal sealed class BlockNeeds
{
    private readonly VersionContent content;

    // By block: 0 if not needed, else a combination of the flags.
    private readonly SegmentedList<byte> flags = new();

    // Who waits for a blocklist: chains of waiters, one waiter for each occurrence of the blocklist.
    private readonly Dictionary<BlockId, int> firstWaiter = [];
    private readonly SegmentedList<Waiter> waiters = new();
    private readonly BitSet wanted;

    public BlockNeeds(VersionContent content)
    {
        this.content = content;
        wanted = new BitSet(content.Contents.Count);
    }

    [Flags]
    private enum Flag : byte
    {
        Data = 1,
        Blocklist = 2,
    }

    public VersionContent Content => content;

    /// <summary>The locations known so far.</summary>
    public LocationTable Locations { get; } = new();

    /// <summary>The needed contents that have blocks.</summary>
    public IEnumerable<ContentId> WantedContents => ContentId.UpTo(wanted.Length).AsEnumerable().Where(contentId => wanted[contentId]);

    /// <summary>Known data blocks without a location.</summary>
    public int UnlocatedBlocks { get; private set; }

    /// <summary>Number of accepted blocklists. When it grows, more blocks may be needed.</summary>
    public int Revision { get; private set; }

    /// <summary>Missing blocklists; the blocks that they list are unknown.</summary>
    public int MissingBlocklists => firstWaiter.Count;

    /// <summary>
    /// Whether contents are needed whose blocks only the local database lists, and the database has not been read yet.
    /// </summary>
    public bool AwaitsDatabase { get; private set; }

    /// <summary>Whether every needed block is known and located.</summary>
    public bool IsSettled => UnlocatedBlocks == 0 && MissingBlocklists == 0 && !AwaitsDatabase;

    /// <summary>Adds a needed content: its blocks, and the blocklists that list them.</summary>
    public void Want(ContentId contentId)
    {
        ref ContentRow row = ref content.Contents[contentId];
        int count = content.BlockCountOf(contentId);
        if (count == 1)
        {
            wanted[contentId] = true;
            if (row.FirstBlock >= 0)
            {
                WantData(row.Block);
            }
        }
        else if (count > 1 && row.FirstBlock < 0)
        {
            wanted[contentId] = true;
            row.FirstBlock = content.SequenceBlocks.AddMany(BlockId.None, count);
            WaitForBlocklists(contentId);
        }
    }

    /// <summary>The database was read. Blocks that it does not list stay unknown.</summary>
    public void EndDatabase() => AwaitsDatabase = false;

    /// <summary>Adds a needed data block.</summary>
    public void Want(BlockId block) => WantData(block);

    /// <summary>Whether a block is a missing blocklist.</summary>
    public bool IsMissingBlocklist(ReadOnlySpan<byte> hash, long sizeBytes) => firstWaiter.ContainsKey(content.Blocks.Find(hash, sizeBytes));

    /// <summary>The missing blocklists that can be fetched as blocks, by volume.</summary>
    public Replica[] ListFetchableBlocklists() =>
    [
        .. firstWaiter.Keys.Select(block => new Replica(block, Locations.VolumeOf(block))).Where(replica => !replica.Volume.IsNone)
            .OrderBy(replica => replica.Volume.Value).ThenBy(replica => replica.Block.Value),
    ];

    /// <summary>Whether data block <paramref name="block"/> is needed.</summary>
    public bool IsNeeded(BlockId block) => block < flags.Count && (flags[block] & (byte)Flag.Data) != 0;

    /// <summary>Records that a volume has a block, according to the source <paramref name="order"/> (a <see cref="CopyOrder"/>).</summary>
    /// <returns>False if the version does not refer to the block, as far as is known.</returns>
    public bool Locate(ReadOnlySpan<byte> hash, long sizeBytes, VolumeId volume, int order)
    {
        BlockId block = content.Blocks.Find(hash, sizeBytes);
        if (block < 0)
        {
            return false;
        }

        Locate(block, volume, order);
        return true;
    }

    /// <summary>Records that a volume has block <paramref name="block"/>, according to the source <paramref name="order"/>.</summary>
    public void Locate(BlockId block, VolumeId volume, int order)
    {
        bool wasLocated = !Locations.VolumeOf(block).IsNone;
        Locations.Add(block, volume, order);
        if (!wasLocated && IsNeeded(block) && !Locations.VolumeOf(block).IsNone)
        {
            UnlocatedBlocks--;
        }
    }

    /// <summary>Records that a block was in a volume that is not in the folder, unless the block has another location.</summary>
    public void NoteLost(ReadOnlySpan<byte> hash, long sizeBytes, string volumeName)
    {
        BlockId block = content.Blocks.Find(hash, sizeBytes);
        if (block >= 0 && block < flags.Count && flags[block] != 0 && Locations.VolumeOf(block).IsNone)
        {
            Locations.NoteAbsent(block, volumeName);
        }
    }

    /// <summary>Removes a location that turned out wrong: the next known copy becomes the first, or the block has no location again.</summary>
    public void Fail(Replica replica)
    {
        bool wasLocated = !Locations.VolumeOf(replica.Block).IsNone;
        Locations.Fail(replica);
        if (wasLocated && Locations.VolumeOf(replica.Block).IsNone && IsNeeded(replica.Block))
        {
            UnlocatedBlocks++;
        }
    }

    /// <summary>Sets block <paramref name="index"/> of a needed content, for catalogs that know it without blocklists.</summary>
    public void SetBlock(ContentId contentId, int index, BlockId block)
    {
        ref ContentRow row = ref content.Contents[contentId];
        if (content.BlockCountOf(contentId) == 1)
        {
            row.FirstBlock = block;
        }
        else
        {
            content.SequenceBlocks[row.FirstBlock + index] = block;
        }

        WantData(block);
    }

    /// <summary>Accepts a blocklist whose bytes were verified by its hash, and adds the blocks that it lists as needed.</summary>
    public void AcceptBlocklist(BlockId blocklist, ReadOnlySpan<byte> hashes)
    {
        if (!firstWaiter.Remove(blocklist, out int waiter))
        {
            return;
        }

        Revision++;
        int hashLength = content.Layout.BlockHash.LengthBytes();
        while (waiter >= 0)
        {
            Waiter one = waiters[waiter];
            long size = content.Contents[one.Content].SizeBytes;
            int first = content.Contents[one.Content].FirstBlock;
            for (int i = 0; i < hashes.Length / hashLength; i++)
            {
                int index = one.FirstIndex + i;
                BlockId block = content.Blocks.GetOrAdd(hashes.Slice(i * hashLength, hashLength), content.Layout.BlockLength(size, index));
                content.SequenceBlocks[first + index] = block;
                WantData(block);
            }

            waiter = one.Next;
        }
    }

    private void WaitForBlocklists(ContentId contentId)
    {
        int first = content.FirstBlocklistOf(contentId);
        if (first < 0)
        {
            AwaitsDatabase = true;
            return;
        }

        long count = content.Layout.BlocklistCount(content.Contents[contentId].SizeBytes);
        for (int i = 0; i < count; i++)
        {
            BlockId blocklist = content.Blocklists[first + i];
            int next = firstWaiter.GetValueOrDefault(blocklist, -1);
            firstWaiter[blocklist] = waiters.Add(new Waiter(contentId, i * content.Layout.HashesPerBlocklist, next));
            Ask(blocklist, Flag.Blocklist);
        }
    }

    private void WantData(BlockId block)
    {
        if (Ask(block, Flag.Data) && Locations.VolumeOf(block).IsNone)
        {
            UnlocatedBlocks++;
        }
    }

    private bool Ask(BlockId block, Flag flag)
    {
        if (block >= flags.Count)
        {
            flags.AddMany(0, block + 1 - flags.Count);
        }

        bool isNew = (flags[block] & (byte)flag) == 0;
        flags[block] |= (byte)flag;
        return isNew;
    }

    private record struct Waiter(ContentId Content, int FirstIndex, int Next);
}
