
namespace Restore.Shards;

/// <summary>
/// What a restore in a number of shards fetches and writes, without starting machines and without
/// searching for lost blocks.
/// </summary>
/// <param name="Shards">The number of shards, each on a machine of its own.</param>
/// <param name="BytesFetched">Bytes that all shards fetch.</param>
/// <param name="Amplification">The bytes that all shards fetch, as a multiple of what one machine
/// would fetch.</param>
/// <param name="LongestShardBytes">Bytes that the shard with the most bytes fetches.</param>
/// <param name="MostRequests">Requests of the shard with the most requests.</param>
/// <param name="Imbalance">Blocks of the longest shard, as a multiple of the mean.</param>
/// <param name="BytesWritten">Bytes of contents that all shards write.</param>
/// <param name="SharedFiles">Files that several shards write.</param>
/// <param name="SharedBytes">Length of these files: the last step reads them again.</param>
public sealed record ShardEstimate(
    int Shards,
    long BytesFetched,
    double Amplification,
    long LongestShardBytes,
    long MostRequests,
    double Imbalance,
    long BytesWritten,
    int SharedFiles,
    long SharedBytes
)
{
    /// <summary>Estimates a restore by what the plan fetches.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="counts">The numbers of shards.</param>
    public static IReadOnlyList<ShardEstimate> Of(RestorePlan plan, IEnumerable<int> counts)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(counts);
        FetchedItems items = new(plan.Pass);
        return [.. counts.Select(count => Of(plan, items, count))];
    }

    private static ShardEstimate Of(RestorePlan plan, FetchedItems items, int count)
    {
        PlanSplit split = PlanSplitter.Split(items, count);
        IReadOnlyList<PartCost> parts = SplitCosts.Of(split, items, plan.Costs);
        long fetched = parts.Sum(part => part.FetchedBytes);
        double mean = parts.Average(part => (double)part.BlockBytes);
        return new ShardEstimate(
            count,
            fetched,
            plan.BytesToFetch == 0 ? 1 : (double)fetched / plan.BytesToFetch,
            parts.Max(part => part.FetchedBytes),
            parts.Max(part => part.Requests),
            mean == 0 ? 1 : parts.Max(part => part.BlockBytes) / mean,
            parts.Sum(part => part.WrittenBytes),
            split.Shares.Count,
            split.Shares.Keys.Sum(entry => plan.Pass.Content.SizeOf(new EntryId(entry)))
        );
    }
}
