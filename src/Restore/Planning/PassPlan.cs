using System.Security.Cryptography;
using Restore.Catalog;
using Restore.Format;
using Restore.Memory;
using Restore.Volumes;

namespace Restore.Planning;

/// <summary>A place that wants a block: an item of an entry. Items are the content's blocks, if the pass wants the content, then the metadata's.</summary>
internal readonly record struct Want(EntryId Entry, int Item);

/// <summary>How an item of an entry is to be had.</summary>
internal enum ItemSource : byte
{
    /// <summary>From a block that the pass fetches.</summary>
    Fetched,

    /// <summary>It is a full block of zeros.</summary>
    Zeros,

    /// <summary>It is at the target already.</summary>
    InPlace,

    /// <summary>By copying from a local file.</summary>
    Local,

    /// <summary>It is not known which block it is, or where: it is missing.</summary>
    Nowhere,
}

/// <summary>What one run of the network is to bring: files turned into blocks, blocks into volumes. Immutable once made.</summary>
internal sealed class PassPlan
{
    private readonly byte[] parts;
    private readonly int[] firstWant;
    private readonly Want[] wants;
    private readonly BlockId zeroBlock;

    /// <summary>Makes the plan of a pass.</summary>
    /// <param name="entries">The decisions.</param>
    /// <param name="parts">For each entry: which parts this pass is to bring.</param>
    /// <param name="locations">Where blocks are.</param>
    /// <param name="volumes">All volumes, by number.</param>
    /// <param name="leavesBlocksToFiles">See <see cref="LeavesBlocksToFiles"/>.</param>
    public PassPlan(EntryPlans entries, byte[] parts, Locations locations, IReadOnlyList<Volume> volumes, bool leavesBlocksToFiles)
    {
        Entries = entries;
        this.parts = parts;
        Locations = locations;
        zeroBlock = FindZeroBlock();
        firstWant = new int[Content.Blocks.Count + 1];
        LeavesBlocksToFiles = leavesBlocksToFiles;
        BitSet? ownHash = leavesBlocksToFiles ? new BitSet(Content.Blocks.Count) : null;
        Demand = FetchList.Create(Content.Blocks, locations, volumes, CountUses(ownHash), ownHash);
        wants = ListWants();
    }

    /// <summary>The part of an entry that is its content.</summary>
    public const byte ContentPart = 1;

    /// <summary>The part of an entry that is its metadata.</summary>
    public const byte MetadataPart = 2;

    /// <summary>The entry is to be finished in this pass, even if it has no parts.</summary>
    public const byte EntryPart = 4;

    public EntryPlans Entries { get; }

    public VersionContent Content => Entries.Content;

    public Locations Locations { get; }

    public FetchList Demand { get; }

    /// <summary>
    /// Whether a block that only whole files want is verified by the hashes of those files, so that its bytes are hashed once. A file that does not have its
    /// hash is gone through block by block then.
    /// </summary>
    public bool LeavesBlocksToFiles { get; }

    /// <summary>The parts that this pass brings of each entry.</summary>
    public ReadOnlySpan<byte> Parts => parts;

    public bool Includes(EntryId entry) => parts[entry] != 0;

    public bool BringsContent(EntryId entry) => (parts[entry] & ContentPart) != 0;

    /// <summary>Whether the pass writes a file for the entry.</summary>
    public bool WritesFile(EntryId entry) => BringsContent(entry) && Content.IsFile(entry);

    public bool BringsMetadata(EntryId entry) => (parts[entry] & MetadataPart) != 0;

    /// <summary>Number of items that are the content's blocks; 0 when the pass does not bring the content.</summary>
    public int ContentItems(EntryId entry) => BringsContent(entry) ? Content.BlockCountOf(Content.Entries[entry].Content) : 0;

    public int MetadataItems(EntryId entry) => BringsMetadata(entry) ? Content.BlockCountOf(Content.Entries[entry].Metadata) : 0;

    public int Items(EntryId entry) => ContentItems(entry) + MetadataItems(entry);

    /// <summary>The block of an item, or -1 when it is not known.</summary>
    public BlockId BlockOf(EntryId entry, int item)
    {
        EntryRow row = Content.Entries[entry];
        int contentItems = ContentItems(entry);
        return item < contentItems ? Content.BlockOf(row.Content, item) : Content.BlockOf(row.Metadata, item - contentItems);
    }

    public ItemSource SourceOf(EntryId entry, int item) => SourceOf(entry, item, Locations);

    /// <summary>The same, by what is known of locations later.</summary>
    public ItemSource SourceOf(EntryId entry, int item, Locations locations)
    {
        if (item < ContentItems(entry))
        {
            if (Entries.InPlace(entry) is { } inPlace && inPlace[item])
            {
                return ItemSource.InPlace;
            }

            if (Entries.Local.TryGetValue(entry, out LocalBlocks? local) && local.Blocks[item])
            {
                return ItemSource.Local;
            }
        }

        BlockId block = BlockOf(entry, item);
        return block < 0 ? ItemSource.Nowhere
            : block == zeroBlock ? ItemSource.Zeros
            : locations.VolumeOf(block).IsNone ? ItemSource.Nowhere
            : ItemSource.Fetched;
    }

    /// <summary>All places that want a block.</summary>
    public ReadOnlySpan<Want> WantsOf(BlockId block) =>
        block + 1 < firstWant.Length ? wants.AsSpan(firstWant[block]..firstWant[block + 1]) : [];

    /// <summary>A full block of zeros is known by its hash: it need not be fetched.</summary>
    private BlockId FindZeroBlock()
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(Content.Layout.BlockHash.AlgorithmName());
        byte[] zeros = new byte[64 << 10];
        for (int left = Content.Layout.BlockSizeBytes; left > 0; left -= Math.Min(left, zeros.Length))
        {
            hash.AppendData(zeros.AsSpan(0, Math.Min(left, zeros.Length)));
        }

        return Content.Blocks.Find(hash.GetHashAndReset(), Content.Layout.BlockSizeBytes);
    }

    /// <summary>Goes through the places that want a block, in order, and counts those of each block in <see cref="firstWant"/>.</summary>
    /// <param name="ownHash">Takes the blocks that the hashes of files do not verify.</param>
    /// <returns>The blocks, as often as they are wanted.</returns>
    private IEnumerable<BlockId> CountUses(BitSet? ownHash)
    {
        foreach ((BlockId block, Want want) in Uses())
        {
            firstWant[block]++;
            if (ownHash is not null && !IsVerifiedByFile(want))
            {
                ownHash[block] = true;
            }

            yield return block;
        }
    }

    /// <summary>Whether the bytes go into a file whose hash as a whole is known, and is not the block's.</summary>
    private bool IsVerifiedByFile(Want want)
    {
        ContentId content = Content.Entries[want.Entry].Content;
        return want.Item < ContentItems(want.Entry) && Content.HasFileHash(content) && !Content.IsCoveredByBlockHash(content);
    }

    /// <summary>Turns the counts into places, and puts the wants of each block there, in order.</summary>
    private Want[] ListWants()
    {
        int next = 0;
        foreach (BlockId block in BlockId.UpTo(firstWant.Length))
        {
            (firstWant[block], next) = (next, next + firstWant[block]);
        }

        Want[] listed = new Want[next];
        foreach ((BlockId block, Want want) in Uses())
        {
            listed[firstWant[block]++] = want;
        }

        // Now each place is where the next block's wants start.
        firstWant.AsSpan(..^1).CopyTo(firstWant.AsSpan(1));
        firstWant[0] = 0;
        return listed;
    }

    private IEnumerable<(BlockId Block, Want Want)> Uses()
    {
        foreach (EntryId entry in EntryId.UpTo(parts.Length))
        {
            int items = Items(entry);
            for (int item = 0; item < items; item++)
            {
                if (SourceOf(entry, item) == ItemSource.Fetched)
                {
                    yield return (BlockOf(entry, item), new Want(entry, item));
                }
            }
        }
    }
}
