using Microsoft.Win32.SafeHandles;
using Restore.Writing.Messages;
using Restore.Writing.Source;

namespace Restore.Writing.Processes;

/// <summary>
/// Reads entries: cuts and hashes contents and metadata, sends the blocks to one channel and the entries to another. A file is read up to the
/// length it had when it was opened; a file that cannot be read to that length is reported and left out. A file that the newest version has with this
/// size and time is not read.
/// </summary>
internal sealed class FileReader(WriterSettings settings, BufferPool pool, PreviousEntries? previous, WriterMeter meter) : IDisposable
{
    private const long BytesPerMessage = 1 << 20;
    private const int BlocksPerMessage = 512;

    private readonly BlockCutter cutter = new(settings.Layout, pool, settings.Options.Profile ? settings.Options.TimeProvider : null);
    private readonly MetadataReader metadata = new(settings.Options.SkipMetadata, settings.Layout);
    private readonly bool isOneHash = settings.Layout.BlockHash == settings.Layout.FileHash;
    private readonly LinuxFolder folders = new();
    private BlocksHashed blocks = new();

    /// <summary>Time that hashing took, if it is measured.</summary>
    public TimeSpan Hashing => cutter.Hashing;

    public long ReadBytes { get; private set; }

    public long HashedBytes => cutter.Bytes;

    public async Task RunAsync(IReadChannelEnd<EntriesFound> input, IWriteChannelEnd<BlocksHashed> blockOutput, IWriteChannelEnd<EntriesRead> entryOutput)
    {
        await foreach (EntriesFound found in input.ReadAllAsync().ConfigureAwait(false))
        {
            EntriesRead read = new();
            read.Issues.AddRange(found.Issues);
            foreach (SourceEntry entry in found.Entries)
            {
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
            if (metadata.LeftOutAttribute)
            {
                const string Reason = "An extended attribute has a name that is not UTF-8 text, which a backup cannot hold; it is not in the backup";
                read.Issues.Add(new RestoreIssue(IssueKind.Warning, entry.Path, Reason));
            }

            byte[] metaHash = isOneHash ? cutter.HashAlone(blob) : settings.Layout.FileHash.HashData(blob);
            byte[] path = previous is null ? [] : Encoding.UTF8.GetBytes(entry.ListedPath);
            ContentHashes content = entry.Kind != EntryKind.File ? default
                : await ReadContentAsync(entry, folder, path, metaHash, output).ConfigureAwait(false);
            ContentHashes described = CutMetadata(blob, metaHash);
            bool isSame = previous?.HasSame(path, entry.Kind, entry.Status.LastWriteTicks, content, metaHash) == true;
            read.Entries.Add(new ReadEntry(entry, content, described, isSame));
            await SendAsync(output, isLast: false).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            read.Issues.Add(new RestoreIssue(IssueKind.Missing, entry.Path, $"It could not be read, and is not in the backup: {failure.Reason()}"));
        }
    }

    private async ValueTask<ContentHashes> ReadContentAsync(
        SourceEntry entry, int folder, byte[] path, byte[] metaHash, IWriteChannelEnd<BlocksHashed> output)
    {
        ContentHashes? known = settings.Options.ReadAll
            ? null
            : previous?.Unchanged(path, entry.Status.SizeBytes, entry.Status.LastWriteTicks, settings.Options.SkipMetadata ? [] : metaHash);
        ContentHashes content = known ?? await ReadContentAsync(folder, entry.Path, output).ConfigureAwait(false);
        meter.FileDone(content.SizeBytes, isUnchanged: known is not null);
        return content;
    }

    private async ValueTask<ContentHashes> ReadContentAsync(int folder, string path, IWriteChannelEnd<BlocksHashed> output)
    {
        using SafeFileHandle file = OperatingSystem.IsLinux()
            ? LinuxSource.OpenFile(folder, path, settings.Options.Symlinks == SymlinkPolicy.Follow)
            : File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, FileOptions.SequentialScan);
        long length = RandomAccess.GetLength(file);
        cutter.Begin(length);
        bool isStored = settings.StoredExtensions.Contains(Path.GetExtension(path));
        for (long offset = 0; offset < length;)
        {
            int wanted = (int)Math.Min(settings.Layout.BlockSizeBytes, length - offset);
            PooledBuffer block = ReadBlock(file, offset, wanted);
            offset += block.Length;
            if (block.Length < wanted)
            {
                // The file was cut after it was opened: the version has what was there, also if it grows again meanwhile. Only the last block may be shorter.
                length = offset;
            }

            if (block.Length == 0)
            {
                block.Dispose();
                break;
            }

            ReadBytes += block.Length;
            meter.Read(block.Length);
            cutter.Add(block, blocks, isStored);
            await SendAsync(output, isLast: false).ConfigureAwait(false);
        }

        return cutter.End(blocks);
    }

    private PooledBuffer ReadBlock(SafeFileHandle file, long offset, int lengthBytes)
    {
        using PooledBuffer block = pool.Rent(lengthBytes);
        block.Truncate(file.ReadFully(offset, block.Span));
        return block.Keep();
    }

    private ContentHashes CutMetadata(byte[] blob, byte[] metaHash)
    {
        cutter.Begin(blob.Length);
        byte[]? known = isOneHash && blob.Length <= settings.Layout.BlockSizeBytes ? metaHash : null;
        for (int offset = 0; offset < blob.Length; offset += settings.Layout.BlockSizeBytes)
        {
            ReadOnlySpan<byte> part = blob.AsSpan(offset, Math.Min(settings.Layout.BlockSizeBytes, blob.Length - offset));
            PooledBuffer block = pool.Rent(part.Length);
            part.CopyTo(block.Span);
            cutter.Add(block, blocks, known: known);
        }

        return cutter.End(blocks);
    }

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
