using System.Security.Cryptography;
using Restore.Catalog;
using Restore.Format;
using Restore.Memory;
using Restore.Network.Messages;
using Restore.Planning;
using Restore.Targets;

namespace Restore.Network;

/// <summary>What all FileProcessors of a pass share.</summary>
/// <param name="Plan">The plan of the pass.</param>
/// <param name="Target">Where files go.</param>
/// <param name="OriginalPlaces">Where the files once were, when blocks are taken from there.</param>
/// <param name="Options">The options.</param>
/// <param name="States">What has happened to entries.</param>
/// <param name="Pool">Where buffers come from.</param>
internal sealed record FileContext(PassPlan Plan, IRestoreTarget Target, IRestoreTarget? OriginalPlaces, RestoreOptions Options, EntryStates States, BufferPool Pool);

/// <summary>An entry that is being restored: its open file, its running hash, its metadata so far.</summary>
internal sealed class EntryInProgress(FileContext context, FileHasher hasher, int entry)
{
    private static readonly byte[] Zeros = new byte[64 << 10];

    private readonly EntryRow row = context.Plan.Content.Entries[entry];
    private readonly int contentItems = context.Plan.ContentItems(entry);
    private ITargetFile? file;
    private ITargetFile? localFile;
    private IncrementalHash? hash;
    private int hashedItems;
    private byte[]? metadata;
    private long writtenEnd;
    private long bytesWritten;
    private long bytesCopied;
    private long? modifiedTicksToKeep;
    private string? path;
    private string? failure;

    public int Entry { get; } = entry;

    public bool IsFileOpen => file is not null;

    /// <summary>Whether this run made the file: if it is not finished it is removed.</summary>
    public bool IsCreated { get; private set; }

    /// <summary>Its place among the open files.</summary>
    public LinkedListNode<EntryInProgress>? OpenNode { get; set; }

    private string Path => path ??= context.Plan.Entries.TargetPath(Entry);

    private long SizeBytes => row.Content < 0 ? 0 : context.Plan.Content.Contents[row.Content].SizeBytes;

    /// <summary>Does one piece of work. What fails is kept for the outcome.</summary>
    public void Take(in WorkItem item)
    {
        if (failure is not null)
        {
            return;
        }

        try
        {
            if (item.Index >= contentItems)
            {
                TakeMetadata(item.Index - contentItems, item.Bytes.Span);
            }
            else if (item.Kind == WorkKind.LocalCopy)
            {
                CopyLocal(item.Index);
            }
            else if (item.Kind == WorkKind.Zeros)
            {
                WriteZeros(item.Index);
            }
            else
            {
                Write(item.Index, item.Bytes.Span);
            }
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException)
        {
            Fail(fault.Message);
        }
    }

    /// <summary>Ends the entry: length, verification, metadata, close.</summary>
    public FileOutcome Finish(WorkKind kind)
    {
        try
        {
            return failure is not null ? Failed() : row.Kind switch
            {
                EntryKind.Folder => FinishFolder(kind),
                EntryKind.Symlink => Deferred(kind),
                _ => FinishFile(kind),
            };
        }
        catch (Exception fault) when (fault is IOException or UnauthorizedAccessException)
        {
            Fail(fault.Message);
            return Failed();
        }
        finally
        {
            Close();
        }
    }

    /// <summary>Closes the file for now; the next block opens it again.</summary>
    public void CloseFile()
    {
        file?.Dispose();
        file = null;
    }

    /// <summary>Gives the entry up: closes it and removes what this run made of it.</summary>
    public void Abandon()
    {
        Close();
        if (IsCreated)
        {
            try
            {
                context.Target.DeleteFile(Path);
            }
            catch (Exception fault) when (fault is IOException or UnauthorizedAccessException or RestoreException)
            {
                // The run has ended for another reason, which is the one to report.
                failure = fault.Message;
            }
        }
    }

    private void Close()
    {
        CloseFile();
        localFile?.Dispose();
        localFile = null;
        if (hash is not null)
        {
            hasher.Abandon(hash);
            hash = null;
        }
    }

    private ITargetFile OpenFile()
    {
        if (file is not null)
        {
            return file;
        }

        EntryAction action = context.Plan.Entries[Entry];
        TargetOpenMode mode = context.States.IsStarted(Entry) || action is EntryAction.Patch or EntryAction.Keep ? TargetOpenMode.Patch
            : action == EntryAction.Replace ? TargetOpenMode.Replace
            : TargetOpenMode.CreateNew;
        file = context.Target.OpenFile(Path, mode);
        context.States.SetStarted(Entry);
        if (mode == TargetOpenMode.Patch)
        {
            writtenEnd = Math.Max(writtenEnd, file.Length);
            modifiedTicksToKeep ??= context.States.HasMetadata(Entry) ? file.ModifiedTicks : null;
        }
        else
        {
            IsCreated = true;
            if (context.Options.PreallocateSize && SizeBytes > 0)
            {
                file.Preallocate(SizeBytes);
                writtenEnd = SizeBytes;
            }
        }

        return file;
    }

    private void Write(int index, ReadOnlySpan<byte> bytes)
    {
        long offset = (long)index * context.Plan.Content.Layout.BlockSizeBytes;
        OpenFile().Write(offset, bytes);
        writtenEnd = Math.Max(writtenEnd, offset + bytes.Length);
        bytesWritten += bytes.Length;
        if (StartsOrGoesOn(index))
        {
            hash?.AppendData(bytes);
        }
    }

    /// <summary>In a new file zeros are left as a hole, which reads as zeros; in an old one they are written.</summary>
    private void WriteZeros(int index)
    {
        int length = context.Plan.Content.Layout.BlockSizeBytes;
        long offset = (long)index * length;
        ITargetFile open = OpenFile();
        bool isHashed = StartsOrGoesOn(index);
        for (int done = 0; done < length; done += Math.Min(Zeros.Length, length - done))
        {
            ReadOnlySpan<byte> part = Zeros.AsSpan(0, Math.Min(Zeros.Length, length - done));
            if (!IsCreated)
            {
                open.Write(offset + done, part);
                writtenEnd = Math.Max(writtenEnd, offset + done + part.Length);
            }

            if (isHashed)
            {
                hash?.AppendData(part);
            }
        }

        bytesWritten += length;
    }

    private void CopyLocal(int index)
    {
        LocalBlocks local = context.Plan.Entries.Local[Entry];
        IRestoreTarget source = local.IsOriginal ? context.OriginalPlaces! : context.Target;
        localFile ??= source.OpenFile(local.Path, TargetOpenMode.Read);
        int block = context.Plan.BlockOf(Entry, index);
        using PooledBuffer buffer = context.Pool.Rent(context.Plan.Content.Blocks.SizeOf(block));
        int read = localFile.Read((long)index * context.Plan.Content.Layout.BlockSizeBytes, buffer.Span);
        if (read < buffer.Length || !context.Plan.Content.Blocks.Hash.Matches(buffer.Span, context.Plan.Content.Blocks.HashOf(block)))
        {
            throw new IOException($"The local file {source.Display(local.Path)} changed while blocks were taken from it; run the restore again");
        }

        Write(index, buffer.Span);
        bytesCopied += read;
    }

    /// <summary>Whether a block is the next one of the running hash; the first block starts it.</summary>
    private bool StartsOrGoesOn(int index)
    {
        if (index != hashedItems || context.Plan.Content.IsCoveredByBlockHash(row.Content))
        {
            return false;
        }

        if (index == 0)
        {
            hash = hasher.TryStart();
        }

        hashedItems = hash is null ? -1 : hashedItems + 1;
        return hash is not null;
    }

    private void TakeMetadata(int index, ReadOnlySpan<byte> bytes)
    {
        metadata ??= new byte[context.Plan.Content.Contents[row.Metadata].SizeBytes];
        bytes.CopyTo(metadata.AsSpan(index * context.Plan.Content.Layout.BlockSizeBytes));
    }

    private EntryMetadata? ParseMetadata() => metadata is null ? null : EntryMetadata.Parse(metadata);

    private FileOutcome FinishFolder(WorkKind kind)
    {
        context.Target.CreateFolder(Path);
        return Deferred(kind) with { IsStarted = true };
    }

    private FileOutcome Deferred(WorkKind kind) =>
        new(Entry, kind == WorkKind.Finish ? OutcomeKind.Restored : OutcomeKind.Incomplete) { Metadata = ParseMetadata(), HasMetadata = metadata is not null };

    private FileOutcome FinishFile(WorkKind kind)
    {
        bool isRight = true;
        if (context.Plan.BringsContent(Entry))
        {
            if (kind == WorkKind.FinishIncomplete && !context.States.IsStarted(Entry))
            {
                return new FileOutcome(Entry, OutcomeKind.Incomplete);
            }

            SetFinalLength();
            isRight = kind == WorkKind.FinishIncomplete || IsVerified();
        }

        IReadOnlyList<string> problems = ApplyMetadata();
        return new FileOutcome(Entry, !isRight ? OutcomeKind.Unverified : kind == WorkKind.Finish ? OutcomeKind.Restored : OutcomeKind.Incomplete)
        {
            IsStarted = context.States.IsStarted(Entry),
            HasMetadata = metadata is not null,
            MetadataProblems = problems,
            BytesWritten = bytesWritten,
            BytesCopied = bytesCopied,
        };
    }

    private void SetFinalLength()
    {
        ITargetFile open = OpenFile();
        if (writtenEnd != SizeBytes)
        {
            open.SetLength(SizeBytes);
        }
    }

    private bool IsVerified()
    {
        if (contentItems > 0 && context.Plan.Content.IsCoveredByBlockHash(row.Content))
        {
            return true;
        }

        ReadOnlySpan<byte> expected = context.Plan.Content.FileHashOf(row.Content);
        if (hash is not null && hashedItems == contentItems)
        {
            IncrementalHash ended = hash;
            hash = null;
            return hasher.Finish(ended, expected);
        }

        // A drill keeps nothing to read back: there each block was verified by its own hash.
        return !context.Target.CanReadBack || hasher.Matches(OpenFile(), SizeBytes, expected);
    }

    private IReadOnlyList<string> ApplyMetadata()
    {
        if (metadata is null)
        {
            if (modifiedTicksToKeep is long ticks && bytesWritten > 0)
            {
                OpenFile().SetModified(ticks);
            }

            return [];
        }

        EntryMetadata parsed = EntryMetadata.Parse(metadata);
        context.States.SetHasMetadata(Entry);
        return [.. parsed.Unusable, .. OpenFile().ApplyMetadata(parsed, context.Options.RestorePermissions)];
    }

    private void Fail(string reason)
    {
        failure = reason;
        Abandon();
    }

    private FileOutcome Failed() => new(Entry, OutcomeKind.Failed) { Reason = failure };
}
