using Restore.Writing.Messages;
using Restore.Writing.Source;

namespace Restore.Writing.Processes;

/// <summary>
/// Reads entries: cuts and hashes contents and metadata, sends the blocks to one channel and the
/// entries to another. A file is read to its end, and again if it changed meanwhile; a file that
/// still changes is reported, and one that cannot be read is reported and left out. A file that the
/// newest version has with this size, time and metadata is not read.
/// </summary>
internal sealed class FileReader(WriterSettings settings, BufferPool pool, PreviousEntries? previous, WriterMeter meter)
    : IDisposable
{
    private const long BytesPerMessage = 1 << 20;
    private const int BlocksPerMessage = 512;

    // A file that grows or changes all the time, such as a log or a database, would be read again
    // in vain.
    private const int MaxTries = 3;

    private readonly BlockCutter cutter = new(
        settings.Layout,
        pool,
        settings.Options.Profile ? settings.Options.TimeProvider : null
    );
    private readonly MetadataReader metadata = new(settings.Options.SkipMetadata, settings.Layout);
    private readonly bool isOneHash = settings.Layout.BlockHash == settings.Layout.FileHash;
    private readonly LinuxFolder folders = new();
    private BlocksHashed blocks = new();

    /// <summary>Whether entries were not read because the backup is to stop.</summary>
    public bool IsStopped { get; private set; }

    /// <summary>Time that hashing took, if it is measured.</summary>
    public TimeSpan Hashing => cutter.Hashing;

    public long ReadBytes { get; private set; }

    public long HashedBytes => cutter.Bytes;

    public async Task RunAsync(
        IReadChannelEnd<EntriesFound> input,
        IWriteChannelEnd<BlocksHashed> blockOutput,
        IWriteChannelEnd<EntriesRead> entryOutput
    )
    {
        await foreach (EntriesFound found in input.ReadAllAsync().ConfigureAwait(false))
        {
            EntriesRead read = new();
            read.Issues.AddRange(found.Issues);
            foreach (SourceEntry entry in found.Entries)
            {
                if (settings.Options.StopToken.IsCancellationRequested)
                {
                    IsStopped = true;
                    break;
                }

                await ReadAsync(entry, read, blockOutput).ConfigureAwait(false);
            }

            if (read.Count > 0)
            {
                await entryOutput.WriteAsync(read).ConfigureAwait(false);
            }
        }

        await SendAsync(blockOutput, isLast: true).ConfigureAwait(false);
    }

    public void Dispose()
    {
        blocks.Dispose();
        cutter.Dispose();
        folders.Dispose();
    }

    private async ValueTask ReadAsync(SourceEntry entry, EntriesRead read, IWriteChannelEnd<BlocksHashed> output)
    {
        try
        {
            int folder = OperatingSystem.IsLinux() ? folders.Of(entry) : Kernel.CurrentFolder;
            byte[] blob = metadata.Read(entry, folder);
            byte[] metaHash = HashOf(blob);
            byte[] path = previous is null ? [] : Encoding.UTF8.GetBytes(entry.ListedPath);
            FileContent content =
                entry.Kind != EntryKind.File
                    ? new FileContent(default, entry.Status, null)
                    : await ReadContentAsync(entry, folder, path, metaHash, output).ConfigureAwait(false);
            if (!content.Status.HasSameContent(entry.Status))
            {
                // It was changed after it was found: its time is the time of what was read.
                entry = entry with
                {
                    Status = content.Status,
                };
                blob = metadata.Read(entry, folder);
                metaHash = HashOf(blob);
            }

            Report(entry, content, read);
            if (content.Problem is not null)
            {
                // The list gets another time than the file has, so that the next version reads the
                // file again. Its metadata has the right time.
                entry = entry with
                {
                    Status = entry.Status with
                    {
                        LastWriteTicks = Math.Max(0, entry.Status.LastWriteTicks - TimeSpan.TicksPerSecond),
                    },
                };
            }

            ContentHashes described = CutMetadata(blob, metaHash);
            bool isSame =
                previous?.HasSame(path, entry.Kind, entry.Status.LastWriteTicks, content.Hashes, metaHash) == true;
            read.Entries.Add(new ReadEntry(entry, content.Hashes, described, isSame));
            await SendAsync(output, isLast: false).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            read.Issues.Add(
                new RestoreIssue(
                    IssueKind.Missing,
                    entry.Path,
                    $"It could not be read, and is not in the backup: {failure.Reason()}"
                )
            );
        }
    }

    private byte[] HashOf(byte[] blob) => isOneHash ? cutter.HashAlone(blob) : settings.Layout.FileHash.HashData(blob);

    private void Report(in SourceEntry entry, in FileContent content, EntriesRead read)
    {
        if (metadata.LeftOutAttribute)
        {
            const string Reason =
                "An extended attribute has a name that is not UTF-8 text, which a backup cannot hold; it is not in the backup";
            read.Issues.Add(new RestoreIssue(IssueKind.Warning, entry.Path, Reason));
        }

        foreach (string problem in metadata.Problems.Append(content.Problem).OfType<string>())
        {
            read.Issues.Add(new RestoreIssue(IssueKind.Damaged, entry.Path, problem));
        }
    }

    private async ValueTask<FileContent> ReadContentAsync(
        SourceEntry entry,
        int folder,
        byte[] path,
        byte[] metaHash,
        IWriteChannelEnd<BlocksHashed> output
    )
    {
        ContentHashes? known = settings.Options.ReadAll
            ? null
            : previous?.Unchanged(path, entry.Status, settings.Options.SkipMetadata ? [] : metaHash);
        FileContent content = known is { } same
            ? new FileContent(same, entry.Status, null)
            : await ReadStableAsync(entry, folder, output).ConfigureAwait(false);
        meter.FileDone(content.Hashes.SizeBytes, isUnchanged: known is not null);
        return content;
    }

    /// <summary>
    /// Reads a file until it is the same before and after, or twice has the same content. The
    /// blocks of other tries are stored in vain.
    /// </summary>
    private async ValueTask<FileContent> ReadStableAsync(
        SourceEntry entry,
        int folder,
        IWriteChannelEnd<BlocksHashed> output
    )
    {
        ContentHashes last = default;
        SourceStatus lastStatus = default;
        for (int trial = 1; ; trial++)
        {
            using SourceFile file = SourceFile.Open(entry, folder);
            ContentHashes hashes = await ReadContentAsync(file, output).ConfigureAwait(false);

            // Two readings with the same content are as good as a status that stayed the same: in
            // some files only the time changes, again and again. A file that is shorter than its
            // status says needs both: then the system does not know its length.
            bool isSame = hashes.Hash.AsSpan().SequenceEqual(last.Hash);
            bool isUnchanged = file.IsUnchanged();
            string? problem = ProblemOfLength(hashes.SizeBytes, file.Status.SizeBytes);
            bool isCertain = problem is null
                ? isSame || isUnchanged
                : isSame && isUnchanged && file.Status.HasSameContent(lastStatus);
            if (isCertain)
            {
                return new FileContent(hashes, file.Status, null);
            }

            if (trial == MaxTries)
            {
                return new FileContent(
                    hashes,
                    file.Status,
                    problem
                        ?? $"It changed while it was read, {MaxTries} times: what is in the backup may be a mixture of old and new parts"
                );
            }

            (last, lastStatus) = (hashes, file.Status);
        }
    }

    /// <summary>
    /// A file can be longer than its status says: then the system does not know its length. A file
    /// that is shorter was not read whole, unless it is the same each time.
    /// </summary>
    private static string? ProblemOfLength(long readBytes, long sizeBytes) =>
        readBytes >= sizeBytes
            ? null
            : $"It could not be read whole: it ended after {readBytes:N0} of {sizeBytes:N0} bytes, and only these are in the backup";

    /// <summary>
    /// Reads to the end of the file, regardless of its status: some file systems do not know the
    /// length before.
    /// </summary>
    private async ValueTask<ContentHashes> ReadContentAsync(SourceFile file, IWriteChannelEnd<BlocksHashed> output)
    {
        bool isStored = settings.StoredExtensions.Contains(Path.GetExtension(file.Path));

        // Whether the file has one block shows when the second is read, so one block is read ahead:
        // a single block needs no blocklist, and its hash may be the hash of the file.
        cutter.Begin(isSingle: true);
        PooledBuffer? block = null;
        PooledBuffer? next = ReadBlock(file, 0);
        try
        {
            for (long offset = 0; next is not null; )
            {
                (block, next) = (next, null);
                bool isFirst = offset == 0;
                offset += block.Length;
                next = block.Length == settings.Layout.BlockSizeBytes ? ReadBlock(file, offset) : null;
                if (isFirst)
                {
                    cutter.Begin(isSingle: next is null);
                }

                PooledBuffer added = block;
                block = null;
                ReadBytes += added.Length;
                meter.Read(added.Length);
                cutter.Add(added, blocks, isStored);
                await SendAsync(output, isLast: false).ConfigureAwait(false);
            }
        }
        finally
        {
            block?.Dispose();
            next?.Dispose();
        }

        return cutter.End(blocks);
    }

    /// <summary>
    /// Reads a block; null at the end of the file. The buffer of a small file has room for one byte
    /// more than its length, so that the end of the file is seen.
    /// </summary>
    private PooledBuffer? ReadBlock(SourceFile file, long offset)
    {
        int blockSize = settings.Layout.BlockSizeBytes;
        int wanted = (int)Math.Min(blockSize, Math.Max(0, file.Status.SizeBytes - offset) + 1);
        using PooledBuffer block = pool.Rent(wanted);
        int length = file.ReadFully(offset, block.Span);
        if (length == wanted && wanted < blockSize)
        {
            using PooledBuffer whole = pool.Rent(blockSize);
            block.Span.CopyTo(whole.Span);
            whole.Truncate(length + file.ReadFully(offset + length, whole.Span[length..]));
            return whole.Keep();
        }

        block.Truncate(length);
        return length == 0 ? null : block.Keep();
    }

    private ContentHashes CutMetadata(byte[] blob, byte[] metaHash)
    {
        cutter.Begin(isSingle: blob.Length <= settings.Layout.BlockSizeBytes);
        byte[]? known = isOneHash && blob.Length <= settings.Layout.BlockSizeBytes ? metaHash : null;
        for (int offset = 0; offset < blob.Length; offset += settings.Layout.BlockSizeBytes)
        {
            ReadOnlySpan<byte> part = blob.AsSpan(
                offset,
                Math.Min(settings.Layout.BlockSizeBytes, blob.Length - offset)
            );
            PooledBuffer block = pool.Rent(part.Length);
            part.CopyTo(block.Span);
            cutter.Add(block, blocks, known: known);
        }

        return cutter.End(blocks);
    }

    /// <summary>What was read of a file.</summary>
    /// <param name="Status">Its status before it was read.</param>
    /// <param name="Problem">Why the content may not be the whole file; null if it is.</param>
    private readonly record struct FileContent(ContentHashes Hashes, SourceStatus Status, string? Problem);

    private async ValueTask SendAsync(IWriteChannelEnd<BlocksHashed> output, bool isLast)
    {
        if (blocks.Bytes >= BytesPerMessage || blocks.Count >= BlocksPerMessage || (isLast && blocks.Count > 0))
        {
            BlocksHashed full = blocks;
            blocks = new BlocksHashed();
            await output.WriteAsync(full).ConfigureAwait(false);
        }
    }
}
