using Restore.Planning;

namespace Restore;

/// <summary>What an estimate of a restore in shards assumes.</summary>
public sealed record ShardRates
{
    /// <summary>What the store delivers to all machines together, in bytes per second.</summary>
    public double StoreBytesPerSecond { get; init; } = 10e9;

    /// <summary>What one machine takes from the store, decodes and writes, in bytes per second of fetched volumes.</summary>
    public double MachineBytesPerSecond { get; init; } = 500e6;

    /// <summary>What the file system of the target takes from all machines together, in bytes per second.</summary>
    public double TargetBytesPerSecond { get; init; } = 20e9;

    /// <summary>Time of a request to the store that transfers nothing.</summary>
    public TimeSpan RequestLatency { get; init; } = TimeSpan.FromMilliseconds(20);

    /// <summary>Requests that one machine has at the same time.</summary>
    public int RequestsAtOnce { get; init; } = 16;

    /// <summary>The price of an hour of a machine.</summary>
    public decimal PricePerMachineHour { get; init; }

    /// <summary>The price of a GB (2^30 bytes) that leaves the store.</summary>
    public decimal PricePerGigabyte { get; init; }
}

/// <summary>The estimate of a restore in a number of shards.</summary>
/// <param name="Shards">The number of shards, each on a machine of its own.</param>
/// <param name="BytesFetched">Bytes that all shards fetch.</param>
/// <param name="Amplification">How many times the bytes that one machine would fetch.</param>
/// <param name="LongestShardBytes">Bytes that the shard with most of them fetches.</param>
/// <param name="Imbalance">Blocks of the longest shard, as a multiple of the mean.</param>
/// <param name="SharedFiles">Files that several shards write.</param>
/// <param name="Time">Time of the longest shard, or of store or file system if they are slower, and of reading shared files again.</param>
/// <param name="Bound">What the time depends on: the machines, the store or the target.</param>
/// <param name="Cost">What machines and fetched bytes cost.</param>
public sealed record ShardEstimate(
    int Shards, long BytesFetched, double Amplification, long LongestShardBytes, double Imbalance, int SharedFiles, TimeSpan Time, string Bound, decimal Cost)
{
    /// <summary>Estimates a restore by what the plan fetches and the rates. Start of machines and searches for lost blocks are not in it.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="counts">The numbers of shards.</param>
    /// <param name="rates">The rates.</param>
    public static IReadOnlyList<ShardEstimate> Of(RestorePlan plan, IEnumerable<int> counts, ShardRates rates)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(counts);
        ArgumentNullException.ThrowIfNull(rates);
        PlanSplitter splitter = new(plan.Pass, plan.Costs);
        return [.. counts.Select(count => Of(plan, splitter, count, rates))];
    }

    private static ShardEstimate Of(RestorePlan plan, PlanSplitter splitter, int count, ShardRates rates)
    {
        (PlanSplit split, IReadOnlyList<PartCost> parts) = splitter.Split(count);
        long alone = splitter.BytesOfWhole;
        long fetched = parts.Sum(part => part.FetchedBytes);
        long written = parts.Sum(part => part.WrittenBytes);
        double machines = parts.Max(part => Math.Max(
            part.FetchedBytes / rates.MachineBytesPerSecond, part.Requests * rates.RequestLatency.TotalSeconds / rates.RequestsAtOnce));
        (double Seconds, string Name)[] bounds =
            [(machines, "machines"), (fetched / rates.StoreBytesPerSecond, "store"), (written / rates.TargetBytesPerSecond, "target")];
        (double seconds, string bound) = bounds.MaxBy(bound => bound.Seconds);
        double last = split.Shares.Keys.Sum(entry => plan.Pass.Content.SizeOf(new Catalog.EntryId(entry))) / rates.MachineBytesPerSecond;
        TimeSpan time = TimeSpan.FromSeconds(Math.Min(seconds + last, TimeSpan.MaxValue.TotalSeconds / 2));
        double mean = parts.Average(part => (double)part.BlockBytes);
        return new ShardEstimate(
            split.Count,
            fetched,
            alone == 0 ? 1 : (double)fetched / alone,
            parts.Max(part => part.FetchedBytes),
            mean == 0 ? 1 : parts.Max(part => part.BlockBytes) / mean,
            split.Shares.Count,
            time,
            bound,
            (rates.PricePerMachineHour * split.Count * (decimal)time.TotalHours) + (rates.PricePerGigabyte * fetched / (1L << 30)));
    }
}
