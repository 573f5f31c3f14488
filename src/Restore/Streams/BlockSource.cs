using Restore.Catalog;
using Restore.Reading;
using Restore.Volumes;

namespace Restore.Streams;

/// <summary>Searches other volumes for blocks that were not where they should be.</summary>
/// <param name="known">The locations, with the copies that failed.</param>
/// <param name="lost">The blocks.</param>
/// <param name="cancellationToken">Cancels the operation.</param>
/// <returns>The locations with the found copies.</returns>
internal delegate Task<Locations> BlockSearch(Locations known, IReadOnlyCollection<BlockId> lost, CancellationToken cancellationToken);

/// <summary>
/// Brings blocks of a version into a cache with small fetches of the block stream. If a copy cannot be read, the next one is tried. A block without
/// a copy is searched elsewhere, once. Safe for concurrent use.
/// </summary>
/// <param name="version">The version, with its block table frozen.</param>
/// <param name="locations">The locations of its blocks.</param>
/// <param name="volumes">All volumes, by number.</param>
/// <param name="stream">Reads blocks.</param>
/// <param name="search">Searches for lost blocks elsewhere.</param>
/// <param name="cacheBytes">Limit of the bytes of blocks in memory.</param>
internal sealed class BlockSource(
    VersionContent version, Locations locations, IReadOnlyList<Volume> volumes, BlockStream stream, BlockSearch search, long cacheBytes) : IAsyncDisposable
{
    // Two windows of an entry and two of the entries around it are in memory at once; half of the cache is left for repeated blocks.
    private const int WindowShare = 8;

    private readonly BlockId zeroBlock = ZeroBlock.Find(version);
    private readonly BlockCache cache = new(stream.Pool, cacheBytes);
    private readonly CancellationTokenSource closing = new();
    private readonly Lock gate = new();
    private readonly HashSet<BlockId> nowhere = [];
    private readonly HashSet<Task> running = [];

    /// <summary>Why the content of an entry of very many blocks is not located.</summary>
    public const string TooManyReason = "The file has more blocks than fit into memory";

    public VersionContent Version => version;

    /// <summary>Files whose blocks are not located, because they or their number need too much memory.</summary>
    public IReadOnlyDictionary<EntryId, IssueReason> Refused { get; init; } = new Dictionary<EntryId, IssueReason>();

    /// <summary>Limit of the bytes of one fetch.</summary>
    public long WindowBytes { get; } = cacheBytes / WindowShare;

    /// <summary>Whether a block is the full block of zeros, which is never fetched.</summary>
    public bool IsZeros(BlockId block) => block == zeroBlock && !block.IsNone;

    /// <summary>Whether a block is in memory.</summary>
    public bool Has(BlockId block) => IsZeros(block) || cache.Touch(block);

    /// <summary>Copies a part of a block that is in memory.</summary>
    /// <returns>False if it is not in memory.</returns>
    public bool TryCopy(BlockId block, int offset, Span<byte> destination)
    {
        if (IsZeros(block))
        {
            destination.Clear();
            return true;
        }

        return cache.TryCopy(block, offset, destination);
    }

    /// <summary>Brings blocks into memory, except those that cannot be read from any volume.</summary>
    /// <param name="blocks">The blocks, in order of use.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="RestoreException">The store is lost.</exception>
    public Task FetchAsync(IEnumerable<BlockId> blocks, CancellationToken cancellationToken) =>
        FetchAsync(blocks, onBlock: (_, _) => { }, cancellationToken);

    /// <summary>Copies a part of a block, which is fetched if it is not in memory.</summary>
    /// <returns>False if the block cannot be read from any volume.</returns>
    public async Task<bool> TryReadAsync(BlockId block, int offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        bool isRead = TryCopy(block, offset, destination.Span);
        while (!isRead && !block.IsNone && !IsNowhere(block))
        {
            // Copied as it arrives: in a small cache another fetch may drop the block before it can be copied from there.
            await FetchAsync([block], Copy, cancellationToken).ConfigureAwait(false);
            isRead = isRead || TryCopy(block, offset, destination.Span);
        }

        return isRead;

        void Copy(BlockId arrived, ReadOnlyMemory<byte> bytes)
        {
            bytes.Span.Slice(offset, destination.Length).CopyTo(destination.Span);
            isRead = true;
        }
    }

    /// <summary>Brings blocks into memory in the background, until the source is disposed.</summary>
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

    /// <summary>Cancels background fetches, without waiting for their end, and releases the cache.</summary>
    public void Close()
    {
        closing.Cancel();
        cache.Dispose();
    }

    /// <summary>Cancels background fetches, waits for their end, and releases the cache.</summary>
    public async ValueTask DisposeAsync()
    {
        Close();
        Task[] rest;
        lock (gate)
        {
            rest = [.. running];
            running.Clear();
        }

        // Nothing needs these blocks any more, so nobody needs the reason why they did not come.
        await Task.WhenAll(rest).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private async Task FetchAsync(IEnumerable<BlockId> blocks, Action<BlockId, ReadOnlyMemory<byte>> onBlock, CancellationToken cancellationToken)
    {
        HashSet<BlockId> missing = [];
        BlockId[] inOrder = [.. blocks.Where(block => !block.IsNone && !Has(block) && !IsNowhere(block) && missing.Add(block))];
        Locations known = locations;
        bool isSearched = false;
        while (missing.Count > 0)
        {
            FetchList list = FetchList.Create(version.Blocks, known, volumes, inOrder.Where(missing.Contains));
            if (list.Blocks.Length > 0)
            {
                await stream.ReadAsync(list, Take, cancellationToken).ConfigureAwait(false);
                known = known.Without([.. list.Blocks.Where(missing.Contains).Select(block => new Replica(block, known.VolumeOf(block)))]);
            }
            else if (!isSearched)
            {
                isSearched = true;
                known = await search(known, missing, cancellationToken).ConfigureAwait(false);
            }
            else
            {
                SetNowhere(missing);
                return;
            }
        }

        void Take(BlockId block, ReadOnlyMemory<byte> bytes)
        {
            onBlock(block, bytes);
            cache.Add(block, bytes.Span);
            missing.Remove(block);
        }
    }

    private bool IsNowhere(BlockId block)
    {
        lock (gate)
        {
            return nowhere.Contains(block);
        }
    }

    private void SetNowhere(IEnumerable<BlockId> blocks)
    {
        lock (gate)
        {
            nowhere.UnionWith(blocks);
        }
    }
}
