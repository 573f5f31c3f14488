namespace Restore.Streams;

/// <summary>
/// Brings the blocks of one content into memory: the requested ones and, during forward reads, more and more of the following ones. Two windows are
/// in memory then: one that is read and one that is fetched. Not safe for concurrent use.
/// </summary>
internal sealed class ReadAhead(BlockSource source, ContentBlocks blocks)
{
    private const long FirstWindowBytes = 1 << 20;

    private long windowBytes;

    // The blocks that are fetched in the background. Reading the first of them starts the next fetch.
    private int aheadFrom = int.MaxValue;
    private int aheadTo = int.MaxValue;
    private Task ahead = Task.CompletedTask;

    // The block that a forward reader requests next.
    private int next = -1;

    /// <summary>Brings a block that is not in memory, or finds that no volume has a readable copy.</summary>
    /// <param name="index">The block.</param>
    /// <param name="bytes">How many bytes the reader requests, from the start of the block.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task BringAsync(int index, long bytes, CancellationToken cancellationToken)
    {
        if (index >= aheadFrom && index < aheadTo)
        {
            Task pending = ahead;
            aheadFrom = aheadTo = int.MaxValue;
            next = index;
            await pending.WaitAsync(cancellationToken).ConfigureAwait(false);
            if (source.Has(blocks[index]))
            {
                return;
            }
        }

        windowBytes = index == next ? Math.Max(windowBytes * 2, FirstWindowBytes) : 0;
        int end = blocks.EndAfter(index, Math.Min(Math.Max(bytes, windowBytes), source.WindowBytes));
        next = end;
        await source.FetchAsync(blocks.Range(index, end), cancellationToken).ConfigureAwait(false);
        if (windowBytes > 0)
        {
            // Not sooner: neighboring windows are usually in one volume, which should not be fetched twice at the same time.
            StartAhead(end);
        }
    }

    /// <summary>Records that a block is read from memory: fetches the window after the one that starts with this block.</summary>
    public void Pass(int index)
    {
        if (index >= aheadFrom && index < aheadTo && ahead.IsCompletedSuccessfully)
        {
            windowBytes = Math.Min(windowBytes * 2, source.WindowBytes);
            StartAhead(aheadTo);
        }
    }

    private void StartAhead(int from)
    {
        (aheadFrom, aheadTo) = (int.MaxValue, int.MaxValue);
        if (from < blocks.Count)
        {
            (aheadFrom, aheadTo) = (from, blocks.EndAfter(from, Math.Min(windowBytes, source.WindowBytes)));
            next = aheadTo;
            ahead = source.FetchAhead(blocks.Range(aheadFrom, aheadTo));
        }
    }
}
