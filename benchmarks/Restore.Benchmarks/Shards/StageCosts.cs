namespace Restore.Benchmarks.Shards;

/// <summary>What each stage of a shard costs, as measured with one shard.</summary>
/// <param name="StartSeconds">From the start of the process until it fetches, without waiting for a
/// processor.</param>
/// <param name="StartProcessorSeconds">Processor time of that.</param>
/// <param name="ProcessorSecondsPerByte">Processor time for a fetched byte: decrypting, hashing,
/// decoding and writing.</param>
/// <param name="ServerSecondsPerByte">Processor time of the server for a byte, if it runs on the
/// same processors.</param>
/// <param name="FinishSeconds">The last step.</param>
internal sealed record StageCosts(
    double StartSeconds,
    double StartProcessorSeconds,
    double ProcessorSecondsPerByte,
    double ServerSecondsPerByte,
    double FinishSeconds
)
{
    /// <summary>The medians of runs with one shard.</summary>
    public static StageCosts Of(IReadOnlyList<ShardsRun> runs) =>
        new(
            Median(runs, run => run.Start.Wall.TotalSeconds),
            Median(runs, StartProcessor),
            Median(runs, run => Math.Max(0, run.Processor.TotalSeconds - StartProcessor(run)) / run.Bytes),
            Median(runs, run => run.ServerProcessor.TotalSeconds / run.Bytes),
            Median(runs, run => run.Finish.Wall.TotalSeconds)
        );

    private static double StartProcessor(ShardsRun run) => (run.Start.User + run.Start.System).TotalSeconds;

    private static double Median(IReadOnlyList<ShardsRun> runs, Func<ShardsRun, double> value) =>
        Suite.Spread.Of(runs.Select(value)).Median;
}
