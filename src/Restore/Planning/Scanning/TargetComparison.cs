using Restore.Planning.Paths;
using Restore.Resume;

namespace Restore.Planning.Scanning;

/// <summary>Compares the target with the backup, one file at a time. Read-only.</summary>
internal sealed class TargetComparison(
    VersionContent content,
    IRestoreTarget target,
    RestoreOptions options,
    RenameRule renaming,
    EarlierRuns earlier,
    BufferPool pool
)
{
    private const int MaxPieceBytes = 4 << 20;

    public ScanResult Look(EntryId entry, string path)
    {
        if (target.IsEmpty)
        {
            return new ScanResult(entry, EntryAction.Create);
        }

        try
        {
            TargetStatus status = target.Inspect(path);
            bool isTimeRight = false;

            // The first row that fits decides. A file that is right is kept in every mode, so it
            // comes before all rows that ask for the options; what the user wants to keep comes
            // before overwriting.
            return status.Kind switch
            {
                TargetKind.Nothing => new ScanResult(entry, EntryAction.Create)
                {
                    Partial = earlier.PartialOf(target, path),
                },
                TargetKind.Folder => Refuse(
                    entry,
                    $"A folder is in the way at {target.Display(path)}",
                    IssueCode.FolderInTheWay
                ),
                TargetKind.File when IsSame(entry, path, status, out isTimeRight) => new ScanResult(
                    entry,
                    EntryAction.Keep
                )
                {
                    IsMetadataRight = KeepsMetadata(entry, path, status, isTimeRight),
                    Stamp = status.Stamp,
                },
                _ when Keeping.Stays(options.Keep, content.Entries[entry].TimeTicks, status) => Refuse(
                    entry,
                    Keeping.Reason(options.Keep),
                    IssueCode.KeptAtTarget
                ),
                TargetKind.File when options.Overwrite => new ScanResult(entry, EntryAction.Replace)
                {
                    Candidate = path,
                    Partial = earlier.PartialOf(target, path),
                },
                _ when options.Overwrite => new ScanResult(entry, EntryAction.Replace)
                {
                    Partial = earlier.PartialOf(target, path),
                },
                TargetKind.File => Beside(entry, path, path),
                _ => Beside(entry, path, differing: null),
            };
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return Refuse(entry, failure.Reason(), failure.ToIssueCode());
        }
    }

    /// <summary>Finds the blocks of a file that another file has at the same offsets.</summary>
    public BitSet? FindRightBlocks(
        EntryId entry,
        IRestoreTarget source,
        string path,
        CancellationToken cancellationToken
    )
    {
        ContentId contentId = content.Entries[entry].Content;
        int count = content.BlockCountOf(contentId);
        BitSet right = new(count);
        bool any = false;
        try
        {
            using ITargetFile file = source.OpenFile(path, TargetOpenMode.Read);
            using PooledBuffer buffer = pool.Rent(PieceBytes(content, contentId));
            long length = file.Length;

            // Blocks have fixed offsets in a content, so no other offset is compared: bytes that
            // moved within the file are parts of other blocks.
            for (int index = 0; index < count && content.Layout.OffsetOf(index) < length; index++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                BlockId block = content.BlockOf(contentId, index);
                right[index] = HasBlock(content, file, index, block, buffer.Span);
                any |= right[index];
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // A file that cannot be read has no usable blocks.
            return null;
        }

        return any ? right : null;
    }

    /// <summary>
    /// Whether a file has a block at the offset of an index; <paramref name="bytes"/> has the
    /// block's length and receives the bytes there.
    /// </summary>
    public static bool HasBlock(VersionContent content, ITargetFile file, int index, Span<byte> bytes, BlockId block) =>
        file.Read(content.Layout.OffsetOf(index), bytes) == bytes.Length
        && content.Blocks.Hash.Matches(bytes, content.Blocks.HashOf(block));

    /// <summary>
    /// Whether a file has a block at the offset of an index; a long block is read in pieces. No
    /// file has a block that is not known.
    /// </summary>
    public static bool HasBlock(VersionContent content, ITargetFile file, int index, BlockId block, Span<byte> piece)
    {
        if (block.IsNone)
        {
            return false;
        }

        int length = content.Blocks.SizeOf(block);
        if (length <= piece.Length)
        {
            return HasBlock(content, file, index, piece[..length], block);
        }

        using IncrementalHash hash = IncrementalHash.CreateHash(content.Layout.BlockHash.AlgorithmName());
        long offset = content.Layout.OffsetOf(index);
        for (int done = 0; done < length; )
        {
            Span<byte> next = piece[..Math.Min(piece.Length, length - done)];
            if (file.Read(offset + done, next) < next.Length)
            {
                return false;
            }

            hash.AppendData(next);
            done += next.Length;
        }

        return content.Blocks.HashOf(block).SequenceEqual(hash.GetHashAndReset());
    }

    /// <summary>How much of a block of a content is read at once to compare it.</summary>
    public static int PieceBytes(VersionContent content, ContentId contentId) =>
        (int)Math.Min(MaxPieceBytes, Math.Min(content.Layout.BlockSizeBytes, content.SizeOf(contentId)));

    private static ScanResult Refuse(EntryId entry, string reason, IssueCode code) =>
        new(entry, EntryAction.None) { Refusal = reason, RefusalCode = code };

    /// <summary>
    /// Whether a file with the right content keeps its metadata. Unless files may be overwritten it
    /// is the user's, and nothing of it is changed, except if an interrupted run of the restore may
    /// have made it. No record names an empty file, which is whole when it is made, so an empty
    /// file counts as made by such a run. A restore that could not read the metadata has marked its
    /// file.
    /// </summary>
    private bool KeepsMetadata(EntryId entry, string path, TargetStatus status, bool isTimeRight)
    {
        if (isTimeRight && ListedTime.LacksMetadata(status.ModifiedTicks))
        {
            return false;
        }

        bool isOfTheUser = !options.Overwrite && !earlier.Name(path) && content.SizeOf(entry) != 0;
        return isOfTheUser || (isTimeRight && !options.RestorePermissions);
    }

    private bool IsSame(EntryId entry, string path, TargetStatus status, out bool isTimeRight)
    {
        EntryRow row = content.Entries[entry];
        long size = content.SizeOf(entry);

        // The list has whole seconds. The exact time is in the metadata blob, which would cost a
        // volume.
        isTimeRight =
            row.TimeTicks != 0
            && row.TimeTicks / TimeSpan.TicksPerSecond == status.ModifiedTicks / TimeSpan.TicksPerSecond;
        return status.SizeBytes == size
            && (
                size == 0

                // After a power failure, a file that an interrupted run made can have its length
                // and time without its content.
                || (options.TrustTimes && isTimeRight && !earlier.Name(path))
                || IsWholeSame(row.Content, path)
            );
    }

    private bool IsWholeSame(ContentId contentId, string path)
    {
        if (!content.HasFileHash(contentId))
        {
            return false;
        }

        using ITargetFile file = target.OpenFile(path, TargetOpenMode.Read);
        using FileHasher hasher = new(content.Layout.FileHash, pool);
        return hasher.Matches(file, content, contentId);
    }

    /// <summary>
    /// The name of the file restored next to one that differs: the first name that is free or has
    /// the right content.
    /// </summary>
    private ScanResult Beside(EntryId entry, string path, string? differing)
    {
        foreach (string candidate in renaming.Candidates(path))
        {
            TargetStatus status = target.Inspect(candidate);
            if (status.Kind == TargetKind.Nothing)
            {
                return new ScanResult(entry, EntryAction.Create)
                {
                    Renamed = candidate,
                    Candidate = differing,
                    Partial = earlier.PartialOf(target, candidate),
                };
            }

            if (status.Kind == TargetKind.File && IsSame(entry, candidate, status, out bool isTimeRight))
            {
                return new ScanResult(entry, EntryAction.Keep)
                {
                    Renamed = candidate,
                    IsMetadataRight = KeepsMetadata(entry, candidate, status, isTimeRight),
                    Stamp = status.Stamp,
                };
            }
        }

        return Refuse(
            entry,
            $"A different file is at {target.Display(path)}, and at all the names to restore it under beside it",
            IssueCode.NamesTaken
        );
    }
}
