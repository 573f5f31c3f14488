using Restore.Reading;

namespace Restore.Streams;

/// <summary>
/// Brings blocks of a version into a cache, a few at a time. Two readers of a block fetch it once.
/// Safe for concurrent use.
/// </summary>
internal sealed class BlockSource(VersionContent version, BlockReader reader, BlockCache cache) : IAsyncDisposable
{
    // Two windows of an entry and two of the entries around it are in memory at a time; half of the
    // cache is left for repeated blocks.
    public const int WindowShare = 8;

    // How much of the cache the blocks that come along with others may take.
    private const int SharersShare = 2;

    private const int MostInGroup = 4096;

    private readonly BlockId zeroBlock = ZeroBlock.Find(version);
    private readonly int user = cache.Join();
    private readonly CancellationTokenSource closing = new();
    private readonly Lock gate = new();
    private readonly HashSet<Task> running = [];

    // Blocks that are on their way, each with the end of its fetch.
    private readonly Dictionary<BlockId, Task> coming = [];

    /// <summary>Why the content of an entry of very many blocks is not located.</summary>
    public const string TooManyReason = "The file has more blocks than fit into memory";

    public VersionContent Version => version;

    /// <summary>
    /// Files for which no blocks are located, because the blocks or their number need too much
    /// memory.
    /// </summary>
    public IReadOnlyDictionary<EntryId, IssueReason> Refused { get; init; } = new Dictionary<EntryId, IssueReason>();

    /// <summary>Limit of the bytes of one fetch.</summary>
    public long WindowBytes { get; init; } = cache.MaxBytes / WindowShare;

    /// <summary>The blocks that could not be read.</summary>
    public KnownLosses Losses { get; init; } = new(TimeProvider.System, triesAgainAfter: null);

    /// <summary>
    /// Limits how many fetches run at the same time, since each has volumes in memory; null for no
    /// limit.
    /// </summary>
    public SemaphoreSlim? Turns { get; init; }

    /// <summary>Whether a block is the full block of zeros, which is never fetched.</summary>
    public bool IsZeros(BlockId block) => block == zeroBlock && !block.IsNone;

    /// <summary>
    /// The volume that a block is read from first; none if it has no known location.
    /// </summary>
    public VolumeId VolumeOf(BlockId block) => reader.VolumeOf(block);

    /// <summary>The volume that a lost block should be in; null if unknown.</summary>
    public string? LostWith(BlockId block) => reader.LostWith(block);

    /// <summary>Drops blocks that are not expected to be needed again.</summary>
    public void Drop(IEnumerable<BlockId> blocks) => cache.Drop(user, blocks);

    public bool Has(BlockId block) => IsZeros(block) || cache.Touch(user, block);

    /// <summary>Copies a part of a block that is in memory.</summary>
    /// <returns>False if it is not in memory.</returns>
    public bool TryCopy(BlockId block, int offset, Span<byte> destination)
    {
        if (IsZeros(block))
        {
            destination.Clear();
            return true;
        }

        return cache.TryCopy(user, block, offset, destination);
    }

    /// <summary>
    /// Puts items that are read one after another into groups, one fetch for each group; an item
    /// that is longer than a window is alone in its group.
    /// </summary>
    public IEnumerable<List<T>> InGroups<T>(IEnumerable<T> items, Func<T, long> sizeOf)
    {
        List<T> group = [];
        long bytes = 0;
        foreach (T item in items)
        {
            long size = sizeOf(item);
            if (group.Count > 0 && (size > WindowBytes - bytes || group.Count == MostInGroup))
            {
                yield return group;
                group = [];
                bytes = 0;
            }

            group.Add(item);
            bytes += size;
        }

        if (group.Count > 0)
        {
            yield return group;
        }
    }

    /// <summary>
    /// Brings blocks into memory, except those that cannot be read from any volume.
    /// </summary>
    /// <exception cref="RestoreException">The store is lost.</exception>
    public Task FetchAsync(IEnumerable<BlockId> blocks, CancellationToken cancellationToken) =>
        FetchAsync(blocks, onBlock: (_, _) => { }, cancellationToken);

    /// <summary>Copies a part of a block, which is fetched if it is not in memory.</summary>
    /// <returns>False if the block cannot be read from any volume.</returns>
    public async Task<bool> TryReadAsync(
        BlockId block,
        int offset,
        Memory<byte> destination,
        CancellationToken cancellationToken
    )
    {
        bool isRead = TryCopy(block, offset, destination.Span);
        while (!isRead && !block.IsNone && !Losses.Has(block))
        {
            // Copied as it arrives: in a small cache another fetch may drop the block before it can
            // be copied from there.
            await FetchAsync([block], Copy, cancellationToken).ConfigureAwait(false);
            isRead = isRead || TryCopy(block, offset, destination.Span);
        }

        return isRead;

        void Copy(BlockId arrived, ReadOnlyMemory<byte> bytes)
        {
            // The other blocks of a volume that is read as a whole arrive, too.
            if (arrived == block)
            {
                bytes.Span.Slice(offset, destination.Length).CopyTo(destination.Span);
                isRead = true;
            }
        }
    }

    /// <summary>Reads a whole content, for metadata.</summary>
    /// <returns>Null if it has no blocks, or one of them cannot be read from any volume.</returns>
    public async Task<byte[]?> ReadWholeAsync(ContentId content, CancellationToken cancellationToken)
    {
        ContentBlocks blocks = new(version, content);
        byte[] whole = new byte[blocks.SizeBytes];
        for (int index = 0; index < blocks.Count; index++)
        {
            (int from, int to) = ((int)blocks.OffsetOf(index), (int)blocks.EndOf(index));
            if (
                !await TryReadAsync(blocks[index], 0, whole.AsMemory(from..to), cancellationToken).ConfigureAwait(false)
            )
            {
                return null;
            }
        }

        return blocks.Count == 0 ? null : whole;
    }

    /// <summary>
    /// Brings blocks into memory in the background, until the source is disposed.
    /// </summary>
    public Task FetchAhead(IEnumerable<BlockId> blocks)
    {
        Task fetch = FetchAsync(blocks, closing.Token);
        lock (gate)
        {
            running.RemoveWhere(task => task.IsCompleted);
            running.Add(fetch);
        }

        return fetch;
    }

    /// <summary>
    /// Cancels background fetches, without waiting for their end, and releases its part of the
    /// cache.
    /// </summary>
    public void Close()
    {
        closing.Cancel();
        cache.Leave(user);
    }

    /// <summary>
    /// Cancels background fetches, waits for their end, and releases its part of the cache.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        Close();
        Task[] rest;
        lock (gate)
        {
            rest = [.. running];
            running.Clear();
        }

        // Nothing needs these blocks any more, so the reason why they did not come does not matter.
        await Task.WhenAll(rest).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private async Task FetchAsync(
        IEnumerable<BlockId> blocks,
        Action<BlockId, ReadOnlyMemory<byte>> onBlock,
        CancellationToken cancellationToken
    )
    {
        HashSet<BlockId> missing = [];
        BlockId[] inOrder =
        [
            .. blocks.Where(block => !block.IsNone && !Has(block) && !Losses.Has(block) && missing.Add(block)),
        ];
        inOrder = [.. inOrder, .. SharersOf(inOrder).Where(missing.Add)];

        // Several readers may want the same block. Each block is claimed by one fetch, and the
        // others wait for the end of that fetch. They wait after their own fetch, so no two fetches
        // wait for each other.
        TaskCompletionSource end = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Task[] comingNow = Claim(missing, end.Task);
        if (missing.Count > 0)
        {
            BlockId[] claimed = [.. missing];
            try
            {
                await FetchInTurnAsync(inOrder, missing, onBlock, cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                Release(claimed, end);
            }
        }

        // A failed fetch has thrown to its own reader; a caller that needs the block tries again.
        await Task.WhenAll(comingNow)
            .WaitAsync(cancellationToken)
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        cancellationToken.ThrowIfCancellationRequested();
    }

    /// <summary>
    /// The blocks that come along with others, because their volume has to be fetched and decrypted
    /// as a whole: the next read of a neighbor would do it again.
    /// </summary>
    private IEnumerable<BlockId> SharersOf(BlockId[] wanted)
    {
        HashSet<VolumeId> whole =
        [
            .. wanted.Select(VolumeOf).Distinct().Where(volume => !volume.IsNone && reader.ReadsWhole(volume)),
        ];
        long left = whole.Count == 0 ? 0 : cache.MaxBytes / SharersShare;
        for (int block = 0; left > 0 && block < version.Blocks.Count; block++)
        {
            BlockId sharer = new(block);
            if (whole.Contains(VolumeOf(sharer)) && !Has(sharer) && !Losses.Has(sharer))
            {
                left -= BlockCache.CostOf(version.Blocks.SizeOf(sharer));
                yield return sharer;
            }
        }
    }

    /// <summary>
    /// Removes the blocks that another fetch brings, and marks the others as coming.
    /// </summary>
    /// <returns>The ends of those fetches.</returns>
    private Task[] Claim(HashSet<BlockId> missing, Task end)
    {
        lock (gate)
        {
            HashSet<Task> others = [];
            foreach (BlockId block in missing.ToArray())
            {
                if (coming.TryGetValue(block, out Task? other))
                {
                    others.Add(other);
                    missing.Remove(block);
                }
                else if (Has(block))
                {
                    // The block arrived after it was looked up.
                    missing.Remove(block);
                }
                else
                {
                    coming.Add(block, end);
                }
            }

            return [.. others];
        }
    }

    private void Release(BlockId[] claimed, TaskCompletionSource end)
    {
        lock (gate)
        {
            // Before the end is announced: a reader that does not find its block afterwards claims
            // it itself.
            Array.ForEach(claimed, block => coming.Remove(block));
        }

        end.SetResult();
    }

    private async Task FetchInTurnAsync(
        BlockId[] inOrder,
        HashSet<BlockId> missing,
        Action<BlockId, ReadOnlyMemory<byte>> onBlock,
        CancellationToken cancellationToken
    )
    {
        // A fetch that has a turn waits for no other one.
        await (Turns?.WaitAsync(cancellationToken) ?? Task.CompletedTask).ConfigureAwait(false);
        try
        {
            await FetchAsync(inOrder, missing, onBlock, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Turns?.Release();
        }
    }

    private async Task FetchAsync(
        BlockId[] inOrder,
        HashSet<BlockId> missing,
        Action<BlockId, ReadOnlyMemory<byte>> onBlock,
        CancellationToken cancellationToken
    )
    {
        BlockId[] wanted = [.. inOrder.Where(missing.Contains)];
        bool searches = !Losses.Know(missing);
        Losses.Add(await reader.ReadAsync(wanted, searches, Take, cancellationToken).ConfigureAwait(false));

        void Take(BlockId block, ReadOnlyMemory<byte> bytes)
        {
            onBlock(block, bytes);
            cache.Add(user, block, bytes.Span);
            Losses.Remove(block);
        }
    }
}
