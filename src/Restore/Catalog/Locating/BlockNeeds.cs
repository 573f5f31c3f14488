namespace Restore.Catalog.Locating;

/// <summary>
/// What a plan needs of a version: blocklists that are missing, blocks without a location.
/// </summary>
internal sealed class BlockNeeds(VersionContent content)
    : BlockIndex(content.Blocks, content.Layout, blocksAllowed: null)
{
    public VersionContent Content => content;

    /// <summary>Adds a needed content: its blocks, or the blocklists that list them.</summary>
    public void Want(ContentId contentId)
    {
        if (!content.HasSequence(contentId))
        {
            content.AddSequence(contentId);
            WaitForBlocklists(contentId);
            return;
        }

        for (int index = 0; index < content.BlockCountOf(contentId); index++)
        {
            if (content.BlockOf(contentId, index) is { IsNone: false } block)
            {
                Refer(block);
            }
        }
    }

    protected override void Take(BlocklistPlace place, BlockId blocklist, ReadOnlySpan<BlockId> blocks)
    {
        int first = place.Index * content.Layout.HashesPerBlocklist;
        for (int i = 0; i < blocks.Length; i++)
        {
            content.SetBlock(new ContentId(place.Content), first + i, blocks[i]);
        }
    }

    private void WaitForBlocklists(ContentId contentId)
    {
        int first = content.FirstBlocklistOf(contentId);
        long sizeBytes = content.SizeOf(contentId);
        long count = content.Layout.BlocklistCount(sizeBytes);
        for (int i = 0; i < count; i++)
        {
            Await(content.Blocklists[first + i], new BlocklistPlace(contentId, i, sizeBytes));
        }
    }
}
