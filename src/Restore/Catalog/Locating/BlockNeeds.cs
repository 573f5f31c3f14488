namespace Restore.Catalog.Locating;

/// <summary>What a plan needs of a version: needed contents, blocklists that are missing, blocks without a location.</summary>
internal sealed class BlockNeeds(VersionContent content) : BlockIndex(content.Blocks, content.Layout, blocksAllowed: null)
{
    private readonly BitSet wanted = new(content.Contents.Count);

    public VersionContent Content => content;

    public IEnumerable<ContentId> WantedContents => ContentId.UpTo(wanted.Length).AsEnumerable().Where(contentId => wanted[contentId]);

    /// <summary>
    /// Whether contents are needed whose blocks only the local database lists, and the database has not been read yet.
    /// </summary>
    public bool AwaitsDatabase { get; private set; }

    public override bool IsSettled => base.IsSettled && !AwaitsDatabase;

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
                Refer(row.Block);
            }
            else if (content.BlocksetIds.Count > 0)
            {
                // The database has the hash of its file alone here; that of its block comes with the blocks.
                AwaitsDatabase = true;
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

        Refer(block);
    }

    protected override void Take(BlocklistPlace place, BlockId blocklist, ReadOnlySpan<BlockId> blocks)
    {
        int first = content.Contents[new ContentId(place.Content)].FirstBlock + (place.Index * content.Layout.HashesPerBlocklist);
        for (int i = 0; i < blocks.Length; i++)
        {
            content.SequenceBlocks[first + i] = blocks[i];
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

        long sizeBytes = content.SizeOf(contentId);
        long count = content.Layout.BlocklistCount(sizeBytes);
        for (int i = 0; i < count; i++)
        {
            Await(content.Blocklists[first + i], new BlocklistPlace(contentId, i, sizeBytes));
        }
    }
}
