using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Format;
using Restore.Maintenance.Repair;

namespace Restore.Maintenance.Purging;

/// <summary>Says of entries whether blocks of them are in no volume.</summary>
/// <param name="references">The blocks of the backup; keeps lists.</param>
internal sealed class LossFinder(ReferencedBlocks references)
{
    private readonly ContentStates states = new(references, IsThere(references));

    public BlockLayout Layout => references.Layout;

    public ContentState ContentOf(in FileListEntry entry) =>
        entry.Kind.IsFile() ? states.Of(entry.Hash, entry.SizeBytes, entry.BlockHash, entry.BlocklistHashes) : ContentState.There;

    public ContentState MetadataOf(in FileListEntry entry) =>
        entry.MetaHash.IsEmpty ? ContentState.There : states.Of(entry.MetaHash, entry.MetaSizeBytes, entry.MetaBlockHash, entry.MetaBlocklistHashes);

    /// <summary>The full block of zeros is known by its hash, so it cannot be lost.</summary>
    private static Predicate<BlockId> IsThere(ReferencedBlocks references)
    {
        BlockId zero = references.Find(ZeroBlock.HashOf(references.Layout), references.Layout.BlockSizeBytes);
        return block => block.IsNone || block == zero || !references.VolumeOf(block).IsNone;
    }
}
