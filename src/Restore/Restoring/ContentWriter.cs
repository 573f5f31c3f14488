using Restore.Planning.Scanning;
using Restore.Reading;

namespace Restore.Restoring;

/// <summary>
/// The file of an entry that is being restored: opened when the first block comes, hashed while it
/// is written, verified at the end.
/// </summary>
internal sealed class ContentWriter(FileContext context, FileHasher hasher, EntryId entry, Func<bool>? freeHandles)
    : EntryContent(context, hasher, entry)
{
    private readonly FileContext context = context;
    private readonly FileHasher hasher = hasher;
    private readonly EntryId entry = entry;
    private ITargetFile? file;
    private ITargetFile? localFile;
    private bool isNew;
    private long writtenEnd;
    private string? path;

    public override bool IsOpen => file is not null;

    public override string Path => path ??= context.PathToWrite(entry);

    public ITargetFile Open()
    {
        if (file is not null)
        {
            return file;
        }

        bool isMade = false;
        file = WithFreeHandle(() => context.OpenForWriting(entry, Path, out isMade));
        if (!isMade)
        {
            // A file that was there may be longer than the content. It gets its length at the end.
            writtenEnd = Math.Max(writtenEnd, file.Length);
            return file;
        }

        isNew = true;
        if (context.PreallocatesSize && Content.SizeOf(entry) is long size and > 0)
        {
            file.Preallocate(size);
            writtenEnd = size;
        }

        return file;
    }

    public override void CloseFile()
    {
        localFile?.Dispose();
        ITargetFile? open = file;
        (file, localFile) = (null, null);
        open?.Dispose();
    }

    public override void CopyLocal(int index)
    {
        localFile ??= WithFreeHandle(() => context.OpenLocal(entry));
        if (Content.Layout.BlockLength(Content.SizeOf(entry), index) < Extraction.LargeBlockBytes)
        {
            Copy(index, localFile);
            return;
        }

        // Only one large block at a time: each takes as much memory as its length.
        lock (context.LargeCopies)
        {
            Copy(index, localFile);
        }
    }

    private void Copy(int index, ITargetFile localFile)
    {
        // A shared block takes no room. It is verified in the new file, which nothing else changes.
        context.Shard?.RequireHeld();
        long offset = Content.Layout.OffsetOf(index);
        int length = Content.Layout.BlockLength(Content.SizeOf(entry), index);
        bool isShared = Open().TryShare(offset, localFile, length);
        using PooledBuffer block = context.ReadLocal(entry, index, isShared ? Open() : localFile);
        BytesCopied += block.Length;
        if (!isShared)
        {
            Write(index, block.Span);
            return;
        }

        writtenEnd = Math.Max(writtenEnd, offset + length);
        Count(index, block.Span);
    }

    public override void SetFinalLength()
    {
        ITargetFile open = Open();
        long size = Content.SizeOf(entry);
        if (writtenEnd != size)
        {
            open.SetLength(size);
        }
    }

    public override bool? IsVerified()
    {
        int items = context.Plan.ItemsOf(entry).ContentItems;

        // A continued file can have its block already: then this run has not verified it.
        if (items > 0 && Content.IsCoveredByBlockHash(Id) && !context.IsContinued(entry))
        {
            return true;
        }

        ReadOnlySpan<byte> expected = Content.FileHashOf(Id);
        return Hash.Finish(items, expected) ?? hasher.Matches(Open(), Content, Id);
    }

    /// <summary>
    /// After a wrong file hash, or if blocks are lost, checks the blocks that were left to that
    /// hash. A wrong block is overwritten with zeros. A new file has zeros where a block is lost;
    /// what an interrupted restore left there is overwritten. A file that is changed in place keeps
    /// what it has there.
    /// </summary>
    public override List<BlockId> ClearWrongBlocks()
    {
        List<BlockId> wrong = [];
        if (context.Plan.Entries[entry] == EntryAction.Patch)
        {
            return wrong;
        }

        using PooledBuffer buffer = context.Pool.Rent(TargetComparison.PieceBytes(Content, Id));
        int items = context.Plan.ItemsOf(entry).ContentItems;
        for (int index = 0; index < items; index++)
        {
            Item item = Item.Content(index);
            BlockId block = context.Plan.BlockOf(entry, item);
            ItemSource source = context.Plan.SourceOf(entry, item);
            bool isLeftToFile = source == ItemSource.Fetched && !context.Plan.Fetch.NeedsOwnHash(block);
            bool isLeftover = context.IsContinued(entry) && source is ItemSource.Fetched or ItemSource.Nowhere;
            if (!isLeftToFile && !isLeftover)
            {
                continue;
            }

            if (TargetComparison.HasBlock(Content, Open(), index, block, buffer.Span))
            {
                continue;
            }

            Clear(index, buffer.Span);
            if (isLeftToFile)
            {
                wrong.Add(block);
            }
        }

        return wrong;
    }

    /// <summary>
    /// Closes the file and removes it, if this restore created it. A part of a split plan leaves
    /// it, to be continued: perhaps another machine does that already.
    /// </summary>
    public override void Abandon()
    {
        ExceptionReason.Attempt(Close);
        if (isNew && context.Shard is null)
        {
            ExceptionReason.Attempt(() => context.Target.DeleteFile(Path));
        }
    }

    public override IReadOnlyList<string> Apply(EntryMetadata? metadata, bool isWhole) =>
        context.Apply(entry, metadata, isWhole, Open);

    public override void Fail()
    {
        ExceptionReason.Attempt(Close);
        context.DeleteFailed(entry, isNew);
    }

    public override void Complete(bool isWhole)
    {
        // A file without a name gets it while it is open, any other when it is closed.
        bool isInPlace = isWhole && file is not null && context.TryPutInPlace(entry, file);
        CloseFile();
        if (isWhole)
        {
            if (!isInPlace)
            {
                context.PutInPlace(entry);
            }

            // The file has another name from here on.
            path = null;
        }
    }

    protected override void WriteBlock(int index, ReadOnlySpan<byte> bytes) =>
        WriteAt(Content.Layout.OffsetOf(index), bytes);

    /// <summary>
    /// Zeros become a hole, which reads as zeros: in a new file by not writing them, in an existing
    /// one by giving back its room.
    /// </summary>
    protected override void WriteZeroBlock(int index, int length)
    {
        long offset = Content.Layout.OffsetOf(index);
        Open();
        bool isHole = isNew || (!context.PreallocatesSize && Open().TryMakeHole(offset, length));
        for (int done = isHole ? length : 0; done < length; done += Math.Min(Zeros.Length, length - done))
        {
            WriteAt(offset + done, Zeros.AsSpan(0, Math.Min(Zeros.Length, length - done)));
        }
    }

    /// <summary>
    /// Overwrites a block with zeros, where it is not a hole already because nothing was written.
    /// </summary>
    private void Clear(int index, Span<byte> piece)
    {
        long end = Content.Layout.OffsetOf(index) + Content.Layout.BlockLength(Content.SizeOf(entry), index);
        for (long offset = Content.Layout.OffsetOf(index); offset < end; offset += piece.Length)
        {
            Span<byte> present = piece[..(int)Math.Min(piece.Length, end - offset)];
            present = present[..Open().Read(offset, present)];
            if (present.ContainsAnyExcept((byte)0))
            {
                present.Clear();
                WriteAt(offset, present);
            }
        }
    }

    /// <summary>
    /// Opens a file; if no handle is free, once more after other files were closed.
    /// </summary>
    private ITargetFile WithFreeHandle(Func<ITargetFile> open)
    {
        try
        {
            return open();
        }
        catch (IOException failure)
            when (failure.ToIssueCode() == IssueCode.TooManyOpenFiles && freeHandles?.Invoke() == true)
        {
            return open();
        }
    }

    private void WriteAt(long offset, ReadOnlySpan<byte> bytes)
    {
        context.Shard?.RequireHeld();
        Open().Write(offset, bytes);
        writtenEnd = Math.Max(writtenEnd, offset + bytes.Length);
    }
}
