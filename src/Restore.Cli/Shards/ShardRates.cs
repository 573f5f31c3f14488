namespace Restore.Cli.Shards;

/// <summary>
/// What an estimate of a restore in shards assumes. Rates are bytes per second; the rates of store
/// and target are for all machines together.
/// </summary>
internal sealed record ShardRates(double Store, double Machine, double Target, decimal MachineHour, decimal Gigabyte)
{
    // A request that transfers nothing, and the requests that one machine has at the same time.
    private static readonly TimeSpan RequestLatency = TimeSpan.FromMilliseconds(20);
    private const int RequestsAtOnce = 16;

    public static ShardRates Usual { get; } = new(10e9, 500e6, 20e9, 0, 0);

    public PricedEstimate Price(ShardEstimate estimate)
    {
        var machines = Math.Max(
            estimate.LongestShardBytes / Machine,
            estimate.MostRequests * RequestLatency.TotalSeconds / RequestsAtOnce
        );

        // All of them work at the same time, so the slowest decides.
        (double Seconds, string Name)[] bounds =
        [
            (machines, "machines"),
            (estimate.BytesFetched / Store, "store"),
            (estimate.BytesWritten / Target, "target"),
        ];
        var (seconds, bound) = bounds.MaxBy(bound => bound.Seconds);
        var time = TimeSpan.FromSeconds(
            // The last step follows: one machine reads the shared files again.
            Math.Min(seconds + (estimate.SharedBytes / Machine), TimeSpan.MaxValue.TotalSeconds / 2)
        );
        return new PricedEstimate(
            estimate,
            time,
            bound,
            (MachineHour * estimate.Shards * (decimal)time.TotalHours) + (Gigabyte * estimate.BytesFetched / (1L << 30))
        );
    }
}
