using Restore.Catalog;
using Restore.Format;
using Restore.Planning;

namespace Restore.Restoring;

/// <summary>The metadata blob of an entry that is being restored: collects its blocks, and parses it when it is complete.</summary>
internal sealed class MetadataInProgress(PassPlan plan, EntryId entry)
{
    private byte[]? blob;
    private int itemsLeft = plan.ItemsOf(entry).MetadataItems;

    /// <summary>Whether the entry has metadata and all of its blocks came.</summary>
    public bool IsComplete => blob is not null && itemsLeft == 0;

    /// <summary>Adds a block.</summary>
    /// <param name="index">The index of the block in the blob.</param>
    /// <param name="bytes">The block.</param>
    public void Take(int index, ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Blob().AsSpan((int)plan.Content.Layout.OffsetOf(index)));
        itemsLeft--;
    }

    /// <summary>Adds a full block of zeros, which has no bytes.</summary>
    public void TakeZeros()
    {
        Blob();
        itemsLeft--;
    }

    /// <summary>The metadata; null if there is none, or blocks of it are missing.</summary>
    public EntryMetadata? Parse() => IsComplete ? EntryMetadata.Parse(blob) : null;

    private byte[] Blob() => blob ??= new byte[plan.Content.Contents[plan.Content.Entries[entry].Metadata].SizeBytes];
}
