namespace Restore.Streams;

/// <summary>
/// Brings the blocks of one content into memory: the requested ones and, during forward reads, more
/// and more of the following ones. Two windows are in memory then: one that is read and one that is
/// fetched. Not safe for concurrent use.
/// </summary>
/// <param name="isBegun">Whether the first window was fetched.</param>
internal sealed class ReadAhead(BlockSource source, ContentBlocks blocks, bool isBegun)
{
    private const long FirstWindowBytes = 1 << 20;

    private long windowBytes = isBegun ? source.WindowBytes : 0;

    // The blocks that are fetched in the background. Reading the first of them starts the next
    // fetch.
    private int aheadFrom = isBegun ? 0 : int.MaxValue;
    private int aheadTo = isBegun ? blocks.EndAfter(0, source.WindowBytes) : int.MaxValue;
    private Task ahead = Task.CompletedTask;

    // The block that a forward reader requests next.
    private int next = -1;

    /// <summary>
    /// Brings a block that is not in memory, or finds that no volume has a readable copy.
    /// </summary>
    /// <param name="bytes">How many bytes the reader requests, from the start of the block.</param>
    public async Task BringAsync(int index, long bytes, CancellationToken cancellationToken)
    {
        if (index >= aheadFrom && index < aheadTo)
        {
            (Task pending, int end) = (ahead, aheadTo);
            (aheadFrom, aheadTo) = (int.MaxValue, int.MaxValue);
            next = index;
            await pending.WaitAsync(cancellationToken).ConfigureAwait(false);
            if (source.Has(blocks[index]))
            {
                // A reader that waits for a window needs the next one all the more.
                ContinueAhead(end);
                return;
            }
        }

        // After a jump only the requested bytes are fetched. A second read in order shows that more
        // will follow.
        windowBytes = index == next ? Math.Max(windowBytes * 2, FirstWindowBytes) : 0;
        int fetchedTo = blocks.EndAfter(index, Math.Min(Math.Max(bytes, windowBytes), source.WindowBytes));
        next = fetchedTo;
        await source.FetchAsync(blocks.Range(index, fetchedTo), cancellationToken).ConfigureAwait(false);
        if (windowBytes > 0)
        {
            // Not sooner: neighboring windows are usually in one volume, which should not be
            // fetched twice at the same time.
            StartAhead(fetchedTo);
        }
    }

    /// <summary>
    /// Records that a block is read from memory: fetches the window after the one that starts with
    /// this block.
    /// </summary>
    public void Pass(int index)
    {
        if (index >= aheadFrom && index < aheadTo && ahead.IsCompletedSuccessfully)
        {
            ContinueAhead(aheadTo);
        }
    }

    private void ContinueAhead(int from)
    {
        windowBytes = Math.Min(windowBytes * 2, source.WindowBytes);
        StartAhead(from);
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
