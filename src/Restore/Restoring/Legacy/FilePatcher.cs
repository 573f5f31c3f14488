using System.Runtime.InteropServices;
using Restore.Catalog;
using Restore.Ends;
using Restore.Format;
using Restore.Memory;
using Restore.Planning;
using Restore.Planning.Scanning;

namespace Restore.Restoring.Legacy;

/// <summary>The files of the legacy flow: patched block by block, one open at a time, finished in a second pass over them.</summary>
internal sealed class FilePatcher(FileContext context) : IDisposable
{
    private static readonly byte[] Zeros = new byte[64 << 10];

    private readonly PassPlan plan = context.Plan;
    private readonly EntryStates states = context.States;
    private readonly Dictionary<EntryId, MetadataInProgress> metadata = [];
    private readonly Dictionary<EntryId, IssueReason> failures = [];
    private readonly Dictionary<EntryId, long> written = [];
    private readonly HashSet<EntryId> created = [];
    private ITargetFile? open;
    private EntryId openEntry = EntryId.None;

    private BlockLayout Layout => plan.Content.Layout;

    /// <summary>Writes a verified block to one of its places; keeps a failure for the outcome.</summary>
    public void Write(Want want, ReadOnlySpan<byte> bytes)
    {
        if (want.Item.IsMetadata)
        {
            MetadataOf(want.Entry).Take(want.Item.Index, bytes);
            return;
        }

        if (failures.ContainsKey(want.Entry))
        {
            return;
        }

        try
        {
            WriteAt(want.Entry, want.Item.Index, bytes);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            failures[want.Entry] = context.ReasonOf(want.Entry, failure);
        }
    }

    /// <summary>Ends an entry.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="lost">Blocks that their volumes did not have.</param>
    /// <param name="hasher">Verifies files.</param>
    public FileOutcome Finish(EntryId entry, HashSet<BlockId> lost, FileHasher hasher)
    {
        try
        {
            TakeZerosOfMetadata(entry);
            return failures.TryGetValue(entry, out IssueReason fault)
                ? Failed(entry, fault)
                : plan.Content.Entries[entry].Kind switch
                {
                    EntryKind.Folder => FinishFolder(entry),
                    EntryKind.Symlink => Deferred(entry),
                    _ => FinishFile(entry, lost, hasher),
                };
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return Failed(entry, context.ReasonOf(entry, failure));
        }
    }

    /// <summary>Removes files that this restore created and did not finish.</summary>
    public void AbandonAll()
    {
        ContentWriter.Attempt(Close);
        foreach (EntryId entry in created)
        {
            Remove(entry);
        }
    }

    public void Dispose() => ContentWriter.Attempt(Close);

    private void Close()
    {
        (ITargetFile? file, EntryId entry) = (open, openEntry);
        (open, openEntry) = (null, EntryId.None);
        try
        {
            file?.Dispose();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            failures[entry] = context.ReasonOf(entry, failure);
        }
    }

    private ITargetFile Open(EntryId entry)
    {
        if (openEntry == entry && open is not null)
        {
            return open;
        }

        Close();
        open = context.OpenForWriting(entry, context.PathToWrite(entry), out bool isNew);
        openEntry = entry;
        if (isNew)
        {
            created.Add(entry);
            if (context.Options.Tuning.PreallocateSize)
            {
                open.Preallocate(plan.Content.SizeOf(entry));
            }
        }

        return open;
    }

    private void WriteAt(EntryId entry, int item, ReadOnlySpan<byte> bytes) => WriteAt(entry, Layout.OffsetOf(item), bytes);

    private void WriteAt(EntryId entry, long offset, ReadOnlySpan<byte> bytes)
    {
        Open(entry).Write(offset, bytes);
        written[entry] = written.GetValueOrDefault(entry) + bytes.Length;
    }

    private MetadataInProgress MetadataOf(EntryId entry)
    {
        ref MetadataInProgress? known = ref CollectionsMarshal.GetValueRefOrAddDefault(metadata, entry, out _);
        return known ??= new MetadataInProgress(plan, entry, context.Metadata);
    }

    private void TakeZerosOfMetadata(EntryId entry)
    {
        int items = plan.ItemsOf(entry).MetadataItems;
        for (int index = 0; index < items; index++)
        {
            if (plan.SourceOf(entry, Item.Metadata(index)) == ItemSource.Zeros)
            {
                MetadataOf(entry).TakeZeros();
            }
        }
    }

    private EntryMetadata? Parse(EntryId entry) => metadata.Remove(entry, out MetadataInProgress? blob) ? blob.Parse() : null;

    private FileOutcome Deferred(EntryId entry)
    {
        EntryMetadata? parsed = metadata.Remove(entry, out MetadataInProgress? blob) ? blob.ParseToKeep() : null;
        return new FileOutcome(entry, plan.ItemsOf(entry).MetadataItems > 0 && parsed is null ? OutcomeKind.Incomplete : OutcomeKind.Restored)
        {
            Metadata = parsed,
            HasMetadata = parsed is not null,
        };
    }

    private FileOutcome FinishFolder(EntryId entry)
    {
        context.Target.CreateFolder(plan.Entries.TargetPath(entry));
        return Deferred(entry) with { IsStarted = true };
    }

    private FileOutcome FinishFile(EntryId entry, HashSet<BlockId> lost, FileHasher hasher)
    {
        bool isIncomplete = false;
        bool isRight = true;
        bool isHashOpen = false;
        long copied = 0;
        if (plan.BringsContent(entry))
        {
            isIncomplete = WriteRest(entry, lost, ref copied);
            if (isIncomplete && !states.IsStarted(entry))
            {
                return new FileOutcome(entry, OutcomeKind.Incomplete);
            }

            long size = plan.Content.SizeOf(entry);
            if (Open(entry).Length != size)
            {
                Open(entry).SetLength(size);
            }

            bool? isVerified = isIncomplete || IsCoveredByBlock(entry) ? true : context.ReadBack(Open(entry), plan.Content.Entries[entry].Content, hasher);
            isRight = isVerified != false;
            isHashOpen = isVerified is null;
        }

        EntryMetadata? parsed = Parse(entry);
        bool isContentWhole = isRight && !isIncomplete;
        IReadOnlyList<string> problems = context.Apply(entry, parsed, isContentWhole, () => Open(entry));
        Close();
        if (failures.TryGetValue(entry, out IssueReason late))
        {
            return Failed(entry, late);
        }

        if (isContentWhole)
        {
            context.PutInPlace(entry);
        }

        created.Remove(entry);
        bool isWhole = !isIncomplete && (parsed is not null || plan.ItemsOf(entry).MetadataItems == 0);
        return new FileOutcome(entry, !isRight ? OutcomeKind.Unverified : isWhole ? OutcomeKind.Restored : OutcomeKind.Incomplete)
        {
            IsStarted = states.IsStarted(entry),
            HasMetadata = parsed is not null && isContentWhole,
            IsHashOpen = isHashOpen && isWhole,
            UnusableMetadata = parsed?.Unusable ?? [],
            MetadataProblems = problems,
            BytesWritten = written.GetValueOrDefault(entry),
            BytesCopied = copied,
        };
    }

    /// <summary>Whether a drill needs no file hash: it is that of the only block.</summary>
    private bool IsCoveredByBlock(EntryId entry) =>
        !context.Target.CanReadBack && plan.Content.SizeOf(entry) > 0 && plan.Content.IsCoveredByBlockHash(plan.Content.Entries[entry].Content);

    /// <summary>Writes the blocks that need no volume.</summary>
    /// <returns>Whether blocks are missing.</returns>
    private bool WriteRest(EntryId entry, HashSet<BlockId> lost, ref long copied)
    {
        bool isIncomplete = false;
        int items = plan.ItemsOf(entry).ContentItems;
        for (int index = 0; index < items; index++)
        {
            Item item = Item.Content(index);
            switch (plan.SourceOf(entry, item))
            {
                case ItemSource.Nowhere:
                    isIncomplete = true;
                    ClearLeftover(entry, index);
                    break;
                case ItemSource.Zeros:
                    WriteZeros(entry, index, Layout.BlockSizeBytes);
                    break;
                case ItemSource.Local:
                    copied += CopyLocal(entry, index);
                    break;
                case ItemSource.Fetched when lost.Contains(plan.BlockOf(entry, item)):
                    isIncomplete = true;
                    ClearLeftover(entry, index);
                    break;
            }
        }

        return isIncomplete;
    }

    /// <summary>Writes zeros where a block is lost, if an interrupted restore left the file; a new file has zeros there.</summary>
    private void ClearLeftover(EntryId entry, int index)
    {
        if (context.IsContinued(entry))
        {
            WriteZeros(entry, index, Layout.BlockLength(plan.Content.SizeOf(entry), index));
        }
    }

    private void WriteZeros(EntryId entry, int index, int length)
    {
        for (int done = 0; done < length; done += Math.Min(Zeros.Length, length - done))
        {
            WriteAt(entry, Layout.OffsetOf(index) + done, Zeros.AsSpan(0, Math.Min(Zeros.Length, length - done)));
        }
    }

    private int CopyLocal(EntryId entry, int index)
    {
        using ITargetFile file = context.OpenLocal(entry);
        using PooledBuffer block = context.ReadLocal(entry, index, file);
        WriteAt(entry, index, block.Span);
        return block.Length;
    }

    private FileOutcome Failed(EntryId entry, IssueReason fault)
    {
        Close();
        context.DeleteFailed(entry, created.Remove(entry));
        return new FileOutcome(entry, OutcomeKind.Failed) { Reason = fault };
    }

    private void Remove(EntryId entry) => ContentWriter.Attempt(() => context.Target.DeleteFile(context.PathToWrite(entry)));
}
