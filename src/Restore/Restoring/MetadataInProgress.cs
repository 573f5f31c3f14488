namespace Restore.Restoring;

/// <summary>
/// The metadata blob of an entry that is being restored: collects its blocks, and parses it when it
/// is complete.
/// </summary>
internal sealed class MetadataInProgress(PassPlan plan, EntryId entry, MetadataMemory memory)
{
    private readonly ContentId content = plan.Content.Entries[entry].Metadata;
    private readonly int items = plan.ItemsOf(entry).MetadataItems;
    private int itemsLeft = plan.ItemsOf(entry).MetadataItems;
    private byte[]? blob;
    private bool isLeftOut;

    private bool IsComplete => items > 0 && itemsLeft == 0;

    public void Take(int index, ReadOnlySpan<byte> bytes)
    {
        itemsLeft--;
        if (items == 1)
        {
            blob = memory.TryShare(plan.Content.BlockOf(content, 0), bytes);
            isLeftOut = blob is null;
        }
        else if (Allocate() is byte[] whole)
        {
            bytes.CopyTo(whole.AsSpan((int)plan.Content.Layout.OffsetOf(index)));
        }
    }

    /// <summary>Adds a full block of zeros, which has no bytes.</summary>
    public void TakeZeros()
    {
        itemsLeft--;
        Allocate();
    }

    /// <summary>
    /// The metadata, to be applied immediately; null if the entry has no metadata, or blocks of it
    /// are missing. Ends the collection.
    /// </summary>
    public EntryMetadata? Parse() =>
        End(blob => items == 1 ? memory.Parse(plan.Content.BlockOf(content, 0), blob) : EntryMetadata.Parse(blob));

    /// <summary>
    /// The metadata, to be kept until the end; null if the entry has no metadata, or blocks of it
    /// are missing. Ends the collection.
    /// </summary>
    public EntryMetadata? ParseToKeep() => End(blob => memory.Keep(blob));

    public void Abandon()
    {
        if (blob is not null)
        {
            memory.Release(plan.Content.BlockOf(content, 0), blob);
            blob = null;
        }
    }

    private EntryMetadata? End(Func<byte[], EntryMetadata> parse)
    {
        EntryMetadata? parsed =
            !IsComplete ? null
            : isLeftOut ? MetadataMemory.LeftOut
            : parse(blob!);
        Abandon();
        return parsed;
    }

    private byte[]? Allocate()
    {
        if (!isLeftOut)
        {
            blob ??= memory.TryAllocate(plan.Content.SizeOf(content));
            isLeftOut = blob is null;
        }

        return blob;
    }
}
