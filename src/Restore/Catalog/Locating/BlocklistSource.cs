namespace Restore.Catalog.Locating;

/// <summary>
/// Fetches and verifies blocks in memory; leaves out those that cannot be read. Calls back one
/// block at a time.
/// </summary>
internal delegate Task BlockFetcher(
    FetchList blocks,
    Action<BlockId, ReadOnlyMemory<byte>> onBlock,
    CancellationToken cancellationToken
);

/// <summary>
/// Fetches blocklists that no index carries. They are blocks like others: those with a location are
/// fetched, in rounds of bounded memory. The blocklists of a round are accepted after its fetch has
/// ended, and the fetch has a separate block table, so nothing looks up in a table that grows.
/// </summary>
internal sealed class BlocklistSource(
    SearchState search,
    VolumeSet volumes,
    BlockFetcher fetch,
    VolumeLoader loader,
    long maxRoundBytes = BlocklistSource.MaxRoundBytes
) : ILocationSource
{
    /// <summary>The blocklists of 2 million blocks with hashes of 32 bytes.</summary>
    public const long MaxRoundBytes = 64 << 20;

    public async Task<bool> TryStepAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        bool any = false;

        // Each round ends: it accepts a blocklist, or marks its copy as unreadable. So a blocklist
        // that no volume can give is asked for once for each of its copies.
        while (search.Ask(ChooseRound) is { Count: > 0 } round)
        {
            any = true;
            await FetchAsync(round, cancellationToken).ConfigureAwait(false);
        }

        if (any)
        {
            search.OfferKept();
        }

        return any;
    }

    /// <summary>
    /// Chooses blocklists volume by volume: a volume is read in several rounds only if its own
    /// blocklists do not fit into one.
    /// </summary>
    private List<Replica> ChooseRound(BlockIndex index)
    {
        List<Replica> round = [];
        long bytes = 0;
        int firstOfVolume = 0;
        foreach (Replica blocklist in index.ListFetchableBlocklists())
        {
            bytes += index.SizeOf(blocklist.Block);
            if (round.Count > 0 && round[^1].Volume != blocklist.Volume)
            {
                firstOfVolume = round.Count;
            }

            if (round.Count > 0 && bytes > maxRoundBytes)
            {
                return firstOfVolume > 0 ? round[..firstOfVolume] : round;
            }

            round.Add(blocklist);
        }

        return round;
    }

    private async Task FetchAsync(List<Replica> round, CancellationToken cancellationToken)
    {
        Log.FetchingBlocklists(loader.Logger, round.Count);
        PooledBuffer?[] contents = new PooledBuffer?[round.Count];
        try
        {
            await fetch(search.Ask(index => ListOf(round, index.Blocks)), Keep, cancellationToken)
                .ConfigureAwait(false);
            search.Update(index => Accept(index, round, contents));
        }
        finally
        {
            Array.ForEach(contents, content => content?.Dispose());
        }

        void Keep(BlockId block, ReadOnlyMemory<byte> bytes)
        {
            if (contents[block] is null)
            {
                contents[block] = loader.Pool.Rent(bytes.Length);
                bytes.CopyTo(contents[block]!.Memory);
            }
        }
    }

    /// <summary>
    /// The blocklists of a round in a separate table, numbered by their index in the round.
    /// </summary>
    private FetchList ListOf(List<Replica> round, BlockTable blocks)
    {
        BlockTable table = new(blocks.Hash);
        round.ForEach(blocklist => table.GetOrAdd(blocks.HashOf(blocklist.Block), blocks.SizeOf(blocklist.Block)));
        table.Freeze();
        Locations locations = new([.. round.Select(blocklist => blocklist.Volume)], [], [], []);
        return FetchList.Create(table, locations, volumes.All, [.. BlockId.UpTo(round.Count).AsEnumerable()]);
    }

    private static void Accept(BlockIndex index, List<Replica> round, PooledBuffer?[] contents)
    {
        for (int i = 0; i < round.Count; i++)
        {
            if (contents[i] is PooledBuffer content)
            {
                index.AcceptBlocklist(round[i].Block, content.Span);
            }
            else
            {
                index.FailBlocklist(round[i]);
            }
        }
    }
}
