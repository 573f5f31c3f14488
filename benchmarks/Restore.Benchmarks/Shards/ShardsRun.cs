using Restore.Benchmarks.Measuring;

namespace Restore.Benchmarks.Shards;

/// <summary>A restore in shards.</summary>
/// <param name="Count">The number of shards.</param>
/// <param name="Wall">From the start of all shards to the end of the last one.</param>
/// <param name="Finish">The last step.</param>
/// <param name="Shards">The cost of each shard.</param>
/// <param name="Bytes">Bytes that the servers sent.</param>
/// <param name="ServerProcessor">Processor time of the servers, which run on the same
/// machine.</param>
/// <param name="Start">The cost of a shard that is done already: everything but the restore
/// itself.</param>
internal sealed record ShardsRun(
    int Count,
    TimeSpan Wall,
    Usage Finish,
    IReadOnlyList<Usage> Shards,
    long Bytes,
    TimeSpan ServerProcessor,
    Usage Start
)
{
    public TimeSpan Whole => Wall + Finish.Wall;

    /// <summary>Processor time of the shards.</summary>
    public TimeSpan Processor => TimeSpan.FromTicks(Shards.Sum(shard => (shard.User + shard.System).Ticks));
}
