namespace Restore.Catalog;

/// <summary>
/// Passes the entries of a version on as a file list has them, with the lists of their blocks
/// rebuilt: a local database knows the blocks of a content, and a file list names the blocks that
/// contain their hashes.
/// </summary>
internal sealed class ContentAsList(VersionContent content)
{
    // Entries with the same blockset share a content, so its blocklists are hashed once.
    private readonly Dictionary<ContentId, byte[]> blocklists = [];
    private readonly bool hasOneHash = content.Layout.FileHash == content.Layout.BlockHash;

    /// <summary>
    /// The path of an entry with a block that is not known, so that no list can describe the entry;
    /// null if all entries can be described.
    /// </summary>
    public string? Unwritable { get; private set; }

    /// <summary>Passes all entries on, folders and links first, as Duplicati orders them.</summary>
    public void PassTo(IFileListSink sink)
    {
        byte[] path = [];
        foreach (EntryId entry in EntryId.UpTo(content.Entries.Count))
        {
            EntryRow row = content.Entries[entry];
            if (!IsKnown(row.Content) || !IsKnown(row.Metadata))
            {
                Unwritable ??= content.PathText(entry);
                continue;
            }

            sink.Entry(
                new FileListEntry
                {
                    Kind = row.Kind,
                    Path = content.PathOf(entry, ref path),
                    Hash = row.Content.IsNone ? [] : content.FileHashOf(row.Content),
                    SizeBytes = content.SizeOf(row.Content),
                    TimeTicks = row.TimeTicks,
                    BlockHash = BlockHashOf(row.Content),
                    BlocklistHashes = BlocklistsOf(row.Content),
                    MetaHash = row.Metadata.IsNone ? [] : content.FileHashOf(row.Metadata),
                    MetaSizeBytes = content.SizeOf(row.Metadata),
                    MetaBlockHash = BlockHashOf(row.Metadata),
                    MetaBlocklistHashes = BlocklistsOf(row.Metadata),
                }
            );
        }
    }

    private bool IsKnown(ContentId some)
    {
        if (some.IsNone)
        {
            return true;
        }

        // A file list has a hash for each content and for each blocklist. One unknown block changes
        // the hash of its blocklist, so such an entry cannot be written.
        bool isKnown = content.HasFileHash(some) && content.HasSequence(some);
        for (int index = 0; isKnown && content.SizeOf(some) > 0 && index < content.BlockCountOf(some); index++)
        {
            isKnown = !content.BlockOf(some, index).IsNone;
        }

        return isKnown;
    }

    /// <summary>
    /// Returns the block hash of a content of one block, if it is not the file hash; else nothing.
    /// </summary>
    private ReadOnlySpan<byte> BlockHashOf(ContentId some) =>
        some.IsNone || hasOneHash || content.SizeOf(some) == 0 || content.SizeOf(some) > content.Layout.BlockSizeBytes
            ? []
            : content.Blocks.HashOf(content.BlockOf(some, 0));

    /// <summary>
    /// Returns the hashes of the blocklists of a content, one after another; nothing for a content
    /// of one block.
    /// </summary>
    private byte[] BlocklistsOf(ContentId some)
    {
        BlockLayout layout = content.Layout;
        if (some.IsNone || content.SizeOf(some) <= layout.BlockSizeBytes)
        {
            return [];
        }

        if (blocklists.TryGetValue(some, out byte[]? known))
        {
            return known;
        }

        int length = layout.BlockHash.LengthBytes();
        int blocks = content.BlockCountOf(some);
        byte[] list = new byte[Math.Min(blocks, layout.HashesPerBlocklist) * length];
        using MemoryStream hashes = new();
        for (int first = 0; first < blocks; first += layout.HashesPerBlocklist)
        {
            int count = Math.Min(blocks - first, layout.HashesPerBlocklist);
            for (int index = 0; index < count; index++)
            {
                content.Blocks.HashOf(content.BlockOf(some, first + index)).CopyTo(list.AsSpan(index * length));
            }

            hashes.Write(layout.BlockHash.HashData(list.AsSpan(0, count * length)));
        }

        return blocklists[some] = hashes.ToArray();
    }
}
