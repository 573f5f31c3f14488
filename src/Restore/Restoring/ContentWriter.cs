using Restore.Ends;
using Restore.Planning.Scanning;
using Restore.Reading;

namespace Restore.Restoring;

/// <summary>The file of an entry that is being restored: opened when the first block comes, hashed while it is written, verified at the end.</summary>
internal sealed class ContentWriter(FileContext context, FileHasher hasher, EntryId entry, Func<bool>? freeHandles) : IContentEnd
{
    private static readonly byte[] Zeros = new byte[64 << 10];

    private readonly VersionContent content = context.Plan.Content;
    private readonly ContentId contentId = context.Plan.Content.Entries[entry].Content;
    private readonly RunningHash hash = new(hasher);
    private ITargetFile? file;
    private ITargetFile? localFile;
    private bool isNew;
    private long writtenEnd;
    private string? path;

    public bool IsOpen => file is not null;

    public long BytesWritten { get; private set; }

    public long BytesCopied { get; private set; }

    public string Path => path ??= context.PathToWrite(entry);

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
            writtenEnd = Math.Max(writtenEnd, file.Length);
            return file;
        }

        isNew = true;
        if (context.PreallocatesSize && content.SizeOf(entry) is long size and > 0)
        {
            file.Preallocate(size);
            writtenEnd = size;
        }

        return file;
    }

    public void CloseFile()
    {
        localFile?.Dispose();
        ITargetFile? open = file;
        (file, localFile) = (null, null);
        open?.Dispose();
    }

    public void Write(int index, ReadOnlySpan<byte> bytes)
    {
        WriteAt(content.Layout.OffsetOf(index), bytes);
        BytesWritten += bytes.Length;
        if (IsHashed(index))
        {
            hash.Append(bytes);
        }
    }

    /// <summary>Zeros become a hole, which reads as zeros: in a new file by not writing them, in an existing one by giving back its room.</summary>
    public void WriteZeros(int index)
    {
        int length = content.Layout.BlockSizeBytes;
        long offset = content.Layout.OffsetOf(index);
        Open();
        bool isHashed = IsHashed(index);
        bool isHole = isNew || (!context.PreallocatesSize && Open().TryMakeHole(offset, length));
        for (int done = 0; done < length; done += Math.Min(Zeros.Length, length - done))
        {
            ReadOnlySpan<byte> part = Zeros.AsSpan(0, Math.Min(Zeros.Length, length - done));
            if (!isHole)
            {
                WriteAt(offset + done, part);
            }

            if (isHashed)
            {
                hash.Append(part);
            }
        }

        BytesWritten += length;
    }

    public void CopyLocal(int index)
    {
        localFile ??= WithFreeHandle(() => context.OpenLocal(entry));
        if (content.Layout.BlockLength(content.SizeOf(entry), index) < Extraction.LargeBlockBytes)
        {
            Copy(index, localFile);
            return;
        }

        // Of large blocks one at a time: each takes as much memory as it is long.
        lock (context.LargeCopies)
        {
            Copy(index, localFile);
        }
    }

    private void Copy(int index, ITargetFile localFile)
    {
        using PooledBuffer block = context.ReadLocal(entry, index, localFile);
        Write(index, block.Span);
        BytesCopied += block.Length;
    }

    public void SetFinalLength()
    {
        ITargetFile open = Open();
        long size = content.SizeOf(entry);
        if (writtenEnd != size)
        {
            open.SetLength(size);
        }
    }

    public bool? IsVerified()
    {
        int items = context.Plan.ItemsOf(entry).ContentItems;
        if (items > 0 && content.IsCoveredByBlockHash(contentId) && !context.IsContinued(entry))
        {
            return true;
        }

        ReadOnlySpan<byte> expected = content.FileHashOf(contentId);
        return hash.Finish(items, expected) ?? context.ReadBack(Open(), contentId, hasher);
    }

    /// <summary>
    /// After a wrong file hash, or if blocks are lost, checks the blocks that were left to that hash. A wrong block is overwritten with zeros. A new
    /// file has zeros where a block is lost; what an interrupted restore left there is overwritten.
    /// </summary>
    /// <returns>The wrong blocks, including those that did not come.</returns>
    public List<BlockId> ClearWrongBlocks()
    {
        List<BlockId> wrong = [];
        using PooledBuffer buffer = context.Pool.Rent(TargetComparison.PieceBytes(content, contentId));
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

            if (!block.IsNone && TargetComparison.HasBlock(content, Open(), index, block, buffer.Span))
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
    /// Closes the file and removes it, if this restore created it. A part of a split plan leaves it, to be continued: perhaps another machine does
    /// that already.
    /// </summary>
    public void Abandon()
    {
        Attempt(Close);
        if (isNew && context.Shard is null)
        {
            Attempt(() => context.Target.DeleteFile(Path));
        }
    }

    public IReadOnlyList<string> Apply(EntryMetadata? metadata, bool isWhole) => context.Apply(entry, metadata, isWhole, Open);

    public void Fail()
    {
        Attempt(Close);
        context.DeleteFailed(entry, isNew);
    }

    public void Complete(bool isWhole)
    {
        CloseFile();
        if (isWhole)
        {
            context.PutInPlace(entry);
            path = null;
        }
    }

    public void Close()
    {
        hash.Abandon();
        CloseFile();
    }

    /// <summary>Does what follows a failure, and must not replace it.</summary>
    public static void Attempt(Action action)
    {
        try
        {
            action();
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException or RestoreException)
        {
            // The file is abandoned because of another failure, which is the one to report.
        }
    }

    /// <summary>Overwrites a block with zeros, where it is not a hole already because nothing was written.</summary>
    private void Clear(int index, Span<byte> piece)
    {
        long end = content.Layout.OffsetOf(index) + content.Layout.BlockLength(content.SizeOf(entry), index);
        for (long offset = content.Layout.OffsetOf(index); offset < end; offset += piece.Length)
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

    /// <summary>Opens a file; if no handle is free, once more after other files were closed.</summary>
    private ITargetFile WithFreeHandle(Func<ITargetFile> open)
    {
        try
        {
            return open();
        }
        catch (IOException failure) when (failure.ToIssueCode() == IssueCode.TooManyOpenFiles && freeHandles?.Invoke() == true)
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

    private bool IsHashed(int index) => !content.IsCoveredByBlockHash(contentId) && hash.GoesOnWith(index);
}

/// <summary>The hash of a whole file, computed while its blocks are written in order. If not all blocks come in order, the file must be read back.</summary>
internal sealed class RunningHash(FileHasher hasher)
{
    private IncrementalHash? hash;
    private int items;

    /// <summary>Whether a block is the next one, whose bytes can be appended; the first block starts the hash.</summary>
    public bool GoesOnWith(int index)
    {
        if (index != items)
        {
            return false;
        }

        if (index == 0)
        {
            hash = hasher.TryStart();
        }

        items = hash is null ? -1 : items + 1;
        return hash is not null;
    }

    public void Append(ReadOnlySpan<byte> bytes) => hash?.AppendData(bytes);

    /// <summary>Completes the hash and compares it.</summary>
    /// <returns>Null if the hash does not cover the whole file.</returns>
    public bool? Finish(int itemCount, ReadOnlySpan<byte> expected)
    {
        if (hash is null || items != itemCount)
        {
            return null;
        }

        IncrementalHash ended = hash;
        hash = null;
        return hasher.Finish(ended, expected);
    }

    /// <summary>Discards the hash.</summary>
    public void Abandon()
    {
        if (hash is not null)
        {
            hasher.Abandon(hash);
            hash = null;
        }
    }
}
