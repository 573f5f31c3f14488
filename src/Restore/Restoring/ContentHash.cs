using Restore.Ends;
using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>The content of a file in a drill: it is hashed and not stored.</summary>
internal sealed class ContentHash(FileContext context, FileHasher hasher, EntryId entry)
    : EntryContent(context, hasher, entry)
{
    private readonly FileContext context = context;
    private readonly FileHasher hasher = hasher;
    private readonly EntryId entry = entry;

    public override string Path => context.Plan.Entries.TargetPath(entry);

    public override void CopyLocal(int index) =>
        throw new InvalidOperationException("A drill takes no blocks from local files");

    /// <summary>Refuses a path that a target refuses.</summary>
    public override void SetFinalLength()
    {
        if (!context.States.IsStarted(entry))
        {
            TargetPath.Check(Path);
            context.States.SetStarted(entry);
        }
    }

    public override bool? IsVerified()
    {
        int items = context.Plan.ItemsOf(entry).ContentItems;
        return items > 0 && Content.IsCoveredByBlockHash(Id) ? true
            : items == 0 && Content.SizeOf(Id) == 0 ? hasher.MatchesNothing(Content.FileHashOf(Id))
            : Hash.Finish(items, Content.FileHashOf(Id));
    }

    // Each block was verified by its own hash: no block depends on the hash of the file.
    public override List<BlockId> ClearWrongBlocks() => [];

    public override IReadOnlyList<string> Apply(EntryMetadata? metadata, bool isWhole)
    {
        if (metadata is not null)
        {
            context.LeftOut?.Note(entry, metadata);
        }

        return [];
    }

    protected override void WriteBlock(int index, ReadOnlySpan<byte> bytes) => SetFinalLength();

    protected override void WriteZeroBlock(int index, int length) => SetFinalLength();
}
