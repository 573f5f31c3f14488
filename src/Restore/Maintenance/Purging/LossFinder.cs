using Restore.Catalog;
using Restore.Format;
using Restore.Maintenance.Repair;

namespace Restore.Maintenance.Purging;

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

/// <summary>Says of entries whether blocks of them are in no volume.</summary>
/// <param name="references">The blocks of the backup; keeps lists.</param>
internal sealed class LossFinder(ReferencedBlocks references)
{
    private readonly byte[] zeros = ZeroBlock.HashOf(references.Layout);

    public BlockLayout Layout => references.Layout;

    public ContentState ContentOf(in FileListEntry entry) =>
        entry.Kind.IsFile() ? Of(entry.Hash, entry.SizeBytes, entry.BlockHash, entry.BlocklistHashes) : ContentState.There;

    public ContentState MetadataOf(in FileListEntry entry) =>
        entry.MetaHash.IsEmpty ? ContentState.There : Of(entry.MetaHash, entry.MetaSizeBytes, entry.MetaBlockHash, entry.MetaBlocklistHashes);

    private ContentState Of(ReadOnlySpan<byte> hash, long sizeBytes, ReadOnlySpan<byte> blockHash, ReadOnlySpan<byte> blocklists)
    {
        if (sizeBytes <= Layout.BlockSizeBytes)
        {
            return sizeBytes == 0 || !IsLost(references.Blocks.Find(blockHash.IsEmpty ? hash : blockHash, sizeBytes))
                ? ContentState.There
                : ContentState.Lost;
        }

        int length = Layout.BlockHash.LengthBytes();
        ContentState state = ContentState.There;
        for (int i = 0; i * length < blocklists.Length && state != ContentState.Lost; i++)
        {
            ContentState part = OfBlocklist(references.Blocks.Find(blocklists.Slice(i * length, length), Layout.BlocklistLength(sizeBytes, i)), sizeBytes, i);
            state = part == ContentState.There ? state : part;
        }

        return state;
    }

    /// <summary>A list that was read from a copy in an index volume is known, though its block may be lost: its file restores.</summary>
    private ContentState OfBlocklist(int blocklist, long sizeBytes, int index)
    {
        long last = Math.Min((index + 1L) * Layout.HashesPerBlocklist, Layout.BlockCount(sizeBytes)) - 1;
        if (blocklist >= 0 && references.Lists!.TryGetValue((blocklist, Layout.BlockLength(sizeBytes, last)), out int[]? blocks))
        {
            return blocks.Any(IsLost) ? ContentState.Lost : ContentState.There;
        }

        return blocklist >= 0 && IsLost(blocklist) ? ContentState.Lost : ContentState.Unknown;
    }

    /// <summary>Whether a block is in no volume. The full block of zeros is known by its hash, so it cannot be lost.</summary>
    private bool IsLost(int block) => block >= 0 && references.Blocks.VolumeOf(block).IsNone
        && !(references.Blocks.SizeOf(block) == Layout.BlockSizeBytes && references.Blocks.HashOf(block).SequenceEqual(zeros));
}
