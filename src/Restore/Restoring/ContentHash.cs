using Restore.Ends;
using Restore.Planning.Scanning;
using Restore.Reading;
using Restore.Streams;

namespace Restore.Restoring;

/// <summary>The content of an entry, whose blocks come one by one: hashed as a whole if they come in order.</summary>
internal abstract class EntryContent(FileContext context, FileHasher hasher, EntryId entry)
{
    protected static readonly byte[] Zeros = new byte[64 << 10];

    public virtual bool IsOpen => false;

    public long BytesWritten { get; private set; }

    /// <summary>Of those, the ones copied from a local file.</summary>
    public long BytesCopied { get; protected set; }

    public abstract string Path { get; }

    protected VersionContent Content { get; } = context.Plan.Content;

    protected ContentId Id { get; } = context.Plan.Content.Entries[entry].Content;

    protected RunningHash Hash { get; } = new(hasher);

    public void Write(int index, ReadOnlySpan<byte> bytes)
    {
        WriteBlock(index, bytes);
        Count(index, bytes);
    }

    /// <summary>Counts and hashes a block that is in its place.</summary>
    protected void Count(int index, ReadOnlySpan<byte> bytes)
    {
        BytesWritten += bytes.Length;
        if (IsHashed(index))
        {
            Hash.Append(bytes);
        }
    }

    public void WriteZeros(int index)
    {
        int length = Content.Layout.BlockSizeBytes;
        WriteZeroBlock(index, length);
        BytesWritten += length;
        for (int done = IsHashed(index) ? 0 : length; done < length; done += Math.Min(Zeros.Length, length - done))
        {
            Hash.Append(Zeros.AsSpan(0, Math.Min(Zeros.Length, length - done)));
        }
    }

    public abstract void CopyLocal(int index);

    public abstract void SetFinalLength();

    /// <summary>Whether the content has the recorded hash; each block was verified before it came here.</summary>
    /// <returns>Null if the blocks did not come in order and nothing keeps them: they have to be read again (<see cref="OpenHashes"/>).</returns>
    public abstract bool? IsVerified();

    /// <summary>After a wrong hash, or if blocks are lost: removes what is wrong.</summary>
    /// <returns>The wrong blocks, including those that did not come.</returns>
    public abstract List<BlockId> ClearWrongBlocks();

    /// <summary>Sets the metadata.</summary>
    /// <returns>What could not be set, one sentence each.</returns>
    public abstract IReadOnlyList<string> Apply(EntryMetadata? metadata, bool isWhole);

    /// <summary>Closes the content, and puts it at its path if it is whole.</summary>
    public virtual void Complete(bool isWhole)
    {
    }

    /// <summary>Closes the file for now; the next block opens it again.</summary>
    public virtual void CloseFile()
    {
    }

    public void Close()
    {
        Hash.Abandon();
        CloseFile();
    }

    /// <summary>Closes the content of an entry that failed, and removes it.</summary>
    public virtual void Fail() => Close();

    /// <summary>Closes the content of an entry that was interrupted, and removes it if this restore created it.</summary>
    public virtual void Abandon() => Close();

    protected abstract void WriteBlock(int index, ReadOnlySpan<byte> bytes);

    protected abstract void WriteZeroBlock(int index, int length);

    private bool IsHashed(int index) => !Content.IsCoveredByBlockHash(Id) && Hash.GoesOnWith(index);
}

/// <summary>The content of a file in a drill: hashed, and kept nowhere.</summary>
internal sealed class ContentHash(FileContext context, FileHasher hasher, EntryId entry) : EntryContent(context, hasher, entry)
{
    private readonly FileContext context = context;
    private readonly FileHasher hasher = hasher;
    private readonly EntryId entry = entry;

    public override string Path => context.Plan.Entries.TargetPath(entry);

    public override void CopyLocal(int index) => throw new InvalidOperationException("A drill takes no blocks from local files");

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

    // Each block was verified by its own hash: none is left to the hash of the file.
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

/// <summary>The hash of a whole file, computed while its blocks are written in order. If not all blocks come in order, the file must be read back.</summary>
internal sealed class RunningHash(FileHasher hasher)
{
    private PartsHash? hash;
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

    public void Append(ReadOnlySpan<byte> bytes) => hash?.Append(bytes);

    /// <summary>Completes the hash and compares it.</summary>
    /// <returns>Null if the hash does not cover the whole file.</returns>
    public bool? Finish(int itemCount, ReadOnlySpan<byte> expected)
    {
        if (hash is null || items != itemCount)
        {
            return null;
        }

        PartsHash ended = hash;
        hash = null;
        return hasher.Finish(ended, expected);
    }

    public void Abandon()
    {
        if (hash is not null)
        {
            hasher.Abandon(hash);
            hash = null;
        }
    }
}

/// <summary>
/// The file hashes that a drill could not compute while the blocks passed, because they did not come in order: a drill has no file to read back, so it reads
/// the blocks again, in the order of the file. A volume may have to be read whole, so one fetch brings as much as fits into the memory: of many small files, or
/// of a large one.
/// </summary>
internal static class OpenHashes
{
    private const long LeastCacheBytes = 16 << 20;
    private const long MostCacheBytes = 128 << 20;
    private const int ReadBytes = 256 << 10;

    public static async Task VerifyAsync(RunResult run, BlockStream stream, long memoryBytes, CancellationToken cancellationToken)
    {
        PassPlan plan = run.LastPlan;
        BlockCache cache = new(stream.Pool, Math.Clamp(memoryBytes, LeastCacheBytes, MostCacheBytes));
        BlockSource source = new(plan.Content, plan.Locations, plan.Volumes, stream, (known, _, _) => Task.FromResult(known), cache)
        {
            WindowBytes = cache.MaxBytes,
        };
        await using (source.ConfigureAwait(false))
        {
            foreach (PassResult pass in run.Passes)
            {
                IEnumerable<FileOutcome> files = pass.TakeOpenHashes().OrderBy(open => FirstVolumeOf(BlocksOf(source, open), plan.Locations).Value);
                foreach (List<FileOutcome> group in source.InGroups(files, open => plan.Content.SizeOf(open.Entry)))
                {
                    await source.FetchAsync(group.SelectMany(open => FirstWindowOf(source, open)), cancellationToken).ConfigureAwait(false);
                    foreach (FileOutcome open in group)
                    {
                        pass.Add(await VerifyAsync(source, open, stream.Pool, cancellationToken).ConfigureAwait(false));
                    }
                }
            }
        }
    }

    private static async Task<FileOutcome> VerifyAsync(BlockSource source, FileOutcome open, BufferPool pool, CancellationToken cancellationToken)
    {
        FileOutcome verified = open with { IsHashOpen = false };
        ContentBlocks blocks = BlocksOf(source, open);
        ContentStream content = new(source, blocks, source.Version.PathText(open.Entry), ownsSource: false);
        await using (content.ConfigureAwait(false))
        {
            using PooledBuffer buffer = pool.Rent(ReadBytes);
            try
            {
                for (int from = 0, to; from < blocks.Count; from = to)
                {
                    to = blocks.EndAfter(from, source.WindowBytes);
                    await source.FetchAsync(blocks.Range(from, to), cancellationToken).ConfigureAwait(false);
                    long end = blocks.EndOf(to - 1);
                    while (content.Position < end && await content.ReadAsync(buffer.Memory, cancellationToken).ConfigureAwait(false) > 0)
                    {
                        // The stream compares the hash when it has read the last byte.
                    }
                }

                return verified;
            }
            catch (IOException) when (content.IsContradicted)
            {
                return verified with { Kind = OutcomeKind.Unverified };
            }
            catch (IOException failure)
            {
                return verified with { Kind = OutcomeKind.Failed, Reason = IssueReason.Of(failure) };
            }
        }
    }

    private static ContentBlocks BlocksOf(BlockSource source, FileOutcome open) => new(source.Version, source.Version.Entries[open.Entry].Content);

    private static IEnumerable<BlockId> FirstWindowOf(BlockSource source, FileOutcome open)
    {
        ContentBlocks blocks = BlocksOf(source, open);
        return blocks.Range(0, blocks.EndAfter(0, source.WindowBytes));
    }

    /// <summary>The volume where a file begins; zeros are in none.</summary>
    private static VolumeId FirstVolumeOf(ContentBlocks blocks, Locations locations) => blocks.Range(0, blocks.Count)
        .Select(block => block.IsNone ? VolumeId.None : locations.VolumeOf(block))
        .FirstOrDefault(volume => !volume.IsNone, VolumeId.None);
}
