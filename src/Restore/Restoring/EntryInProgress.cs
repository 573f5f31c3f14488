using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>
/// An entry that is being restored: its file, its metadata so far, and what failed.
/// </summary>
/// <param name="freeHandles">Closes other files if no handle is free, and says whether it closed
/// any.</param>
internal sealed class EntryInProgress(
    FileContext context,
    FileHasher hasher,
    EntryId entry,
    Func<bool>? freeHandles = null
)
{
    private readonly EntryRow row = context.Plan.Content.Entries[entry];
    private readonly EntryContent content = context.Options.VerifyOnly
        ? new ContentHash(context, hasher, entry)
        : new ContentWriter(context, hasher, entry, freeHandles);
    private readonly MetadataInProgress metadata = new(context.Plan, entry, context.Metadata);
    private IssueReason? failure;

    public bool IsFileOpen => content.IsOpen;

    public LinkedListNode<EntryInProgress>? OpenNode { get; set; }

    /// <summary>Does one piece of work; keeps a failure for the outcome.</summary>
    public void Take(in WorkItem item)
    {
        // The items of an entry that failed still come. The caller disposes them.
        if (failure is not null)
        {
            return;
        }

        try
        {
            if (item.Item.IsMetadata)
            {
                TakeMetadata(item);
            }
            else if (item.Kind == WorkKind.LocalCopy)
            {
                content.CopyLocal(item.Item.Index);
            }
            else if (item.Kind == WorkKind.Zeros)
            {
                content.WriteZeros(item.Item.Index);
            }
            else
            {
                content.Write(item.Item.Index, item.Bytes.Span);
            }
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException)
        {
            Fail(context.ReasonOf(entry, fault));
        }
    }

    public FileOutcome Finish(WorkKind kind)
    {
        try
        {
            return failure is IssueReason known
                ? Failed(known)
                : row.Kind switch
                {
                    EntryKind.Folder => FinishFolder(kind),
                    EntryKind.Symlink => Deferred(kind),
                    _ when context.IsShared(entry) => FinishShare(kind),
                    _ => FinishFile(kind),
                };
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException)
        {
            Fail(context.ReasonOf(entry, fault));
            return Failed(failure!.Value);
        }
        finally
        {
            // A content that ended well is closed already; when the whole target failed, the close
            // must not hide that.
            ExceptionReason.Attempt(content.Close);
        }
    }

    /// <summary>
    /// Closes the file for now; the next block opens it again. A write that fails only now is a
    /// failure of the entry.
    /// </summary>
    public void CloseFile()
    {
        try
        {
            content.CloseFile();
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException)
        {
            Fail(context.ReasonOf(entry, fault));
        }
    }

    /// <summary>
    /// Abandons the entry: closes its file and removes it if this restore created it.
    /// </summary>
    public void Abandon()
    {
        metadata.Abandon();
        content.Abandon();
    }

    private void TakeMetadata(in WorkItem item)
    {
        if (item.Kind == WorkKind.Zeros)
        {
            metadata.TakeZeros();
        }
        else
        {
            metadata.Take(item.Item.Index, item.Bytes.Span);
        }
    }

    private FileOutcome FinishFolder(WorkKind kind)
    {
        context.Target.CreateFolder(content.Path);
        return Deferred(kind) with { IsStarted = true };
    }

    private FileOutcome Deferred(WorkKind kind)
    {
        EntryMetadata? parsed = metadata.ParseToKeep();
        OutcomeKind outcome = kind == WorkKind.Finish ? OutcomeKind.Restored : OutcomeKind.Incomplete;
        return new FileOutcome(entry, outcome) { Metadata = parsed, HasMetadata = parsed is not null };
    }

    /// <summary>
    /// Ends the share of a file that other parts of a split plan write too: the file is verified
    /// and gets its metadata when all have ended.
    /// </summary>
    private FileOutcome FinishShare(WorkKind kind)
    {
        if (context.States.IsStarted(entry))
        {
            content.SetFinalLength();
            content.CloseFile();
        }

        return Deferred(kind) with
        {
            IsShare = true,
            LacksContent = kind == WorkKind.FinishIncomplete,
            IsStarted = context.States.IsStarted(entry),
            BytesWritten = content.BytesWritten,
            BytesCopied = content.BytesCopied,
        };
    }

    private FileOutcome FinishFile(WorkKind kind)
    {
        OutcomeKind outcome = kind == WorkKind.Finish ? OutcomeKind.Restored : OutcomeKind.Incomplete;
        IReadOnlyList<BlockId> wrongBlocks = [];
        bool isWhole = true;
        bool isHashOpen = false;
        if (context.Plan.BringsContent(entry))
        {
            bool isIncomplete = kind == WorkKind.FinishIncomplete;

            // No block came. A file that only has its length would look like a restored one.
            if (isIncomplete && !context.States.IsStarted(entry))
            {
                return new FileOutcome(entry, OutcomeKind.Incomplete);
            }

            content.SetFinalLength();

            // A file without all blocks cannot have its hash, so its blocks are checked one by one.
            bool? isVerified = isIncomplete ? false : content.IsVerified();
            isHashOpen = isVerified is null;
            if (isVerified == false)
            {
                isWhole = false;
                wrongBlocks = content.ClearWrongBlocks();
                outcome = isIncomplete || wrongBlocks.Count > 0 ? OutcomeKind.Incomplete : OutcomeKind.Unverified;
            }
        }

        EntryMetadata? parsed = metadata.Parse();

        // Before the file gets its own name: under that name it has its metadata.
        IReadOnlyList<string> problems = content.Apply(parsed, isWhole);
        content.Complete(isWhole);
        return new FileOutcome(entry, outcome)
        {
            IsStarted = context.States.IsStarted(entry),
            HasMetadata = parsed is not null && isWhole,
            UnusableMetadata = parsed?.Unusable ?? [],
            MetadataProblems = problems,
            WrongBlocks = wrongBlocks,
            IsHashOpen = isHashOpen && outcome == OutcomeKind.Restored,
            BytesWritten = content.BytesWritten,
            BytesCopied = content.BytesCopied,
        };
    }

    private void Fail(IssueReason reason)
    {
        failure = reason;
        metadata.Abandon();
        content.Fail();
    }

    private FileOutcome Failed(IssueReason fault) =>
        new(entry, OutcomeKind.Failed) { Reason = fault, IsShare = context.IsShared(entry) };
}
