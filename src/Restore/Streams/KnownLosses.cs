namespace Restore.Streams;

/// <summary>Blocks that could not be read from any volume. Safe for concurrent use.</summary>
/// <param name="triesAgainAfter">After this time a block is tried again, because a store can be
/// away for a while; null for never.</param>
internal sealed class KnownLosses(TimeProvider clock, TimeSpan? triesAgainAfter)
{
    private readonly Lock gate = new();
    private readonly Dictionary<BlockId, long> since = [];

    /// <summary>Whether a block is lost, and not due to be tried again.</summary>
    public bool Has(BlockId block)
    {
        lock (gate)
        {
            return since.TryGetValue(block, out long time)
                && !(triesAgainAfter is TimeSpan after && clock.GetElapsedTime(time) >= after);
        }
    }

    /// <summary>
    /// Whether all of these blocks were lost before. If so, all volumes have been searched for
    /// them, and only their own volumes can have come back.
    /// </summary>
    public bool Know(IEnumerable<BlockId> blocks)
    {
        lock (gate)
        {
            return blocks.All(since.ContainsKey);
        }
    }

    public void Add(IEnumerable<BlockId> blocks)
    {
        lock (gate)
        {
            long now = clock.GetTimestamp();
            foreach (BlockId block in blocks)
            {
                since[block] = now;
            }
        }
    }

    public void Remove(BlockId block)
    {
        lock (gate)
        {
            since.Remove(block);
        }
    }
}
