namespace Restore.Restoring;

/// <summary>The progress of each entry: its next item, and whether items are missing.</summary>
internal sealed class EntryCursors(int entries)
{
    private readonly Item[] next = new Item[entries];
    private readonly BitSet incomplete = new(entries);
    private readonly BitSet contentIncomplete = new(entries);

    public Item NextOf(EntryId entry) => next[entry];

    public void MoveTo(EntryId entry, Item item) => next[entry] = item;

    /// <summary>Whether a place still waits for its block.</summary>
    public bool Awaits(Want want) => next[want.Entry] <= want.Item;

    public void Miss(EntryId entry, bool isContent)
    {
        incomplete[entry] = true;
        contentIncomplete[entry] |= isContent;
    }

    public WorkKind FinishOf(EntryId entry) =>
        contentIncomplete[entry] ? WorkKind.FinishIncomplete
        : incomplete[entry] ? WorkKind.FinishWithoutMetadata
        : WorkKind.Finish;
}
