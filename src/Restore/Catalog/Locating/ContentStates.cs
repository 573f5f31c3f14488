using Restore.Format;

namespace Restore.Catalog.Locating;

/// <summary>What is known of the blocks of a content.</summary>
internal enum ContentState
{
    /// <summary>Each is in a volume.</summary>
    There,

    /// <summary>A list of its blocks could not be read, though a volume should have it.</summary>
    Unknown,

    /// <summary>One is in no volume.</summary>
    Lost,
}

/// <summary>Says of contents whether all their blocks are in volumes.</summary>
/// <param name="references">The blocks of the backup; keeps lists.</param>
/// <param name="isThere">Whether a block counts as stored; also asked about none, for a block that is not known.</param>
/// <param name="needsLists">Whether the blocklists have to be stored as blocks, too; a copy in an index volume is enough to restore.</param>
internal sealed class ContentStates(ReferencedBlocks references, Predicate<BlockId> isThere, bool needsLists = false)
{
    private BlockLayout Layout => references.Layout;

    public ContentState Of(ReadOnlySpan<byte> hash, long sizeBytes, ReadOnlySpan<byte> blockHash, ReadOnlySpan<byte> blocklists)
    {
        if (sizeBytes <= Layout.BlockSizeBytes)
        {
            return sizeBytes == 0 || isThere(references.Find(blockHash.IsEmpty ? hash : blockHash, sizeBytes)) ? ContentState.There : ContentState.Lost;
        }

        int length = Layout.BlockHash.LengthBytes();
        ContentState state = ContentState.There;
        for (int i = 0; i * length < blocklists.Length && state != ContentState.Lost; i++)
        {
            ContentState part = OfBlocklist(references.Find(blocklists.Slice(i * length, length), Layout.BlocklistLength(sizeBytes, i)), sizeBytes, i);
            state = part == ContentState.There ? state : part;
        }

        return state;
    }

    private ContentState OfBlocklist(BlockId blocklist, long sizeBytes, int index)
    {
        long last = Math.Min((index + 1L) * Layout.HashesPerBlocklist, Layout.BlockCount(sizeBytes)) - 1;
        bool isListThere = isThere(blocklist);
        if (!blocklist.IsNone && references.Lists!.TryGetValue((blocklist, Layout.BlockLength(sizeBytes, last)), out BlockId[]? blocks))
        {
            return (isListThere || !needsLists) && Array.TrueForAll(blocks, isThere) ? ContentState.There : ContentState.Lost;
        }

        return isListThere ? ContentState.Unknown : ContentState.Lost;
    }
}
