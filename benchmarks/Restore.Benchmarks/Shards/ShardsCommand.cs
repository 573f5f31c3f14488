using System.Text;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Reporting;
using Restore.Benchmarks.Suite;
using static System.FormattableString;

namespace Restore.Benchmarks.Shards;

/// <summary>
/// Runs the benchmark of restores in shards, simulates what this machine cannot run, and writes the
/// report.
/// </summary>
internal static class ShardsCommand
{
    private const long PredictedBytes = 100_000_000_000_000;

    // Ten volumes of 50 MiB move as one.
    private const long PredictedVolumeBytes = 500 << 20;
    private const double PredictedStore = 10e9;
    private const double PredictedTarget = 20e9;

    private static readonly int[] Workers = [1, 2, 4, 8, 16, 32, 64, 128, 256];

    public static async Task<int> RunAsync(ShardsOptions options, TextWriter log, TextWriter output)
    {
        DateTimeOffset started = TimeProvider.System.GetUtcNow();
        ShardsRunner runner = new(options, log);
        IReadOnlyList<ShardsRun> runs = await runner.RunAsync();
        Directory.CreateDirectory(options.OutputFolder);
        string report = Write(options, runs, runner.Plans, started);
        await File.WriteAllTextAsync(Path.Combine(options.OutputFolder, "shards.md"), report);
        await File.WriteAllTextAsync(Path.Combine(options.OutputFolder, "shards.csv"), Csv(runs));
        await output.WriteLineAsync(report);
        return 0;
    }

    private static string Write(
        ShardsOptions options,
        IReadOnlyList<ShardsRun> runs,
        IReadOnlyList<PlanFigures> plans,
        DateTimeOffset started
    )
    {
        Machine machine = Machine.Describe(options.OutputFolder);
        StringBuilder text = new();
        text.AppendLine("# Restores in shards, measured and predicted").AppendLine();
        text.AppendLine(
            Invariant(
                $"* Machine: {machine.Processor}, {machine.Cores} cores, {Units.Gibibytes(machine.MemoryBytes)} GiB, for all shards and their servers"
            )
        );
        text.AppendLine($"* System: {machine.System}; {machine.FileSystem}; {machine.Runtime}");
        text.AppendLine(
            Invariant(
                $"* Link: {options.BytesPerSecond / 1e6} MB/s for each shard; AES; nothing is flushed to the device"
            )
        );
        text.AppendLine(
            Invariant(
                $"* Measured: {started:yyyy-MM-dd HH:mm} UTC, {options.Runs} runs of each after one that is not counted, results compared with the source"
            )
        );

        // Without the places of this machine.
        text.AppendLine(
            $"* Command: {string.Join(' ', options.CommandLine.Split(' ').Select(part => part.StartsWith('/') ? Path.GetFileName(part) : part))}"
        );
        text.AppendLine();
        WriteRuns(text, options, runs);
        WritePlans(text, plans);
        WritePrediction(text, options, StageCosts.Of([.. runs.Where(run => run.Count == 1)]));
        return text.ToString();
    }

    private static void WriteRuns(StringBuilder text, ShardsOptions options, IReadOnlyList<ShardsRun> runs)
    {
        StageCosts costs = StageCosts.Of([.. runs.Where(run => run.Count == 1)]);
        ShardSite site = new()
        {
            StoreBytesPerSecond = double.PositiveInfinity,
            LinkBytesPerSecond = options.BytesPerSecond,
            TargetBytesPerSecond = double.PositiveInfinity,
            Cores = Environment.ProcessorCount,
            IsOneMachine = true,
        };
        text.AppendLine(
            "Medians with the lowest and highest in brackets, in seconds; MB of 10^6 bytes. The goal: 4 shards take at most 0.30 of 1."
        );
        text.AppendLine();
        text.AppendLine(
            "| shards | all shards | last step | share of 1 shard | with the last step | simulated | simulation is off by | MB fetched | CPU s |"
        );
        text.AppendLine("|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        double alone = 0;
        double aloneWhole = 0;
        foreach (IGrouping<int, ShardsRun> group in runs.GroupBy(run => run.Count))
        {
            Spread wall = Spread.Of(group.Select(run => run.Wall.TotalSeconds));
            double whole = Spread.Of(group.Select(run => run.Whole.TotalSeconds)).Median;
            (alone, aloneWhole) = group.Key == 1 ? (wall.Median, whole) : (alone, aloneWhole);
            long bytes = (long)Spread.Of(group.Select(run => (double)run.Bytes)).Median;
            double simulated = new ShardModel(costs, site, group.Key, bytes, ShardsRunner.VolumeBytes).Run().Seconds;
            text.AppendLine(
                $"| {group.Key} | {Units.Seconds(wall)} | {Units.Seconds(Spread.Of(group.Select(run => run.Finish.Wall.TotalSeconds)).Median)} | "
                    + $"{Units.Factor(wall.Median / alone)} | {Units.Factor(whole / aloneWhole)} | {Units.Seconds(simulated)} | "
                    + $"{Units.Whole(100 * ((simulated / wall.Median) - 1))} % | {Units.Megabytes(bytes)} | "
                    + $"{Units.Seconds(Spread.Of(group.Select(run => run.Processor.TotalSeconds)).Median)} |"
            );
        }

        text.AppendLine();
    }

    private static void WritePlans(StringBuilder text, IReadOnlyList<PlanFigures> plans)
    {
        text.AppendLine(
            "Plans. The goals for 1,000,000 files: saved in 1 s, loaded in 0.5 s. In 16 shards, a fresh backup is fetched at most 1.05 times, a"
        );
        text.AppendLine(
                "compacted one (each block in a volume by chance) 1.3 times, and the fullest shard has at most 1.10 times the mean."
            )
            .AppendLine();
        text.AppendLine(
            "| entries | MB | save s | load s | estimates s | fresh: fetched | fullest | shared files | compacted: fetched | fullest | shared files |"
        );
        text.AppendLine("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        foreach (PlanFigures plan in plans)
        {
            text.AppendLine(
                Invariant($"| {plan.Entries:N0} | ")
                    + $"{Units.Megabytes(plan.Bytes)} | {Units.Seconds(plan.Save)} | {Units.Seconds(plan.Load)} | "
                    + $"{Units.Seconds(plan.Estimate)} | {Row(plan.Fresh)} | {Row(plan.Compacted)} |"
            );
        }

        text.AppendLine();
    }

    private static string Row(SplitFigures split) =>
        $"{Units.Factor(split.Amplification)} | {Units.Factor(split.Imbalance)} | {split.SharedFiles}";

    private static void WritePrediction(StringBuilder text, ShardsOptions options, StageCosts costs)
    {
        text.AppendLine(
            Invariant(
                $"Stage costs, from 1 shard: start {costs.StartSeconds:F2} s, of it {costs.StartProcessorSeconds:F2} s of a processor;"
            )
        );
        text.AppendLine(
            Invariant(
                $"{1e9 * costs.ProcessorSecondsPerByte:F2} s of a processor for a GB; last step {costs.FinishSeconds:F2} s."
            )
        );
        text.AppendLine(
            Invariant(
                $"Predicted: 100 TB in volumes of 50 MiB, a store of {PredictedStore / 1e9:F0} GB/s, a file system of {PredictedTarget / 1e9:F0} GB/s,"
            )
        );
        text.AppendLine(
            Invariant(
                $"workers of {options.MachineCores} cores as fast as this machine's, each with a link of {options.MachineLinkBytesPerSecond / 1e9:F1} GB/s."
            )
        );
        text.AppendLine("Lost blocks, amplification and the verification of shared files are not in it.").AppendLine();
        text.AppendLine("| workers | hours | GB/s | bound by | store | links | processors | file system |");
        text.AppendLine("|---:|---:|---:|---|---:|---:|---:|---:|");
        List<(int Workers, double Seconds)> forecasts = [];
        foreach (int workers in Workers)
        {
            ShardSite site = new()
            {
                StoreBytesPerSecond = PredictedStore,
                LinkBytesPerSecond = options.MachineLinkBytesPerSecond,
                TargetBytesPerSecond = PredictedTarget,
                Cores = options.MachineCores,
            };
            ShardForecast forecast = new ShardModel(costs, site, workers, PredictedBytes, PredictedVolumeBytes).Run();
            forecasts.Add((workers, forecast.Seconds));
            text.AppendLine(
                $"| {workers} | {Units.Factor((forecast.Seconds + costs.FinishSeconds) / 3600)} | {Units.Factor(PredictedBytes / forecast.Seconds / 1e9)} | "
                    + $"{forecast.Bound} | {Percent(forecast.Store)} | {Percent(forecast.Link)} | {Percent(forecast.Processor)} | {Percent(forecast.Target)} |"
            );
        }

        int enough = forecasts.First(forecast => forecast.Seconds <= 1.05 * forecasts[^1].Seconds).Workers;
        text.AppendLine()
            .AppendLine(Invariant($"Saturated: {enough} workers are within a twentieth of {forecasts[^1].Workers}."));
    }

    private static string Csv(IReadOnlyList<ShardsRun> runs)
    {
        StringBuilder csv = new("shards,wall s,last step s,cpu s,server cpu s,start s,bytes fetched\n");
        foreach (ShardsRun run in runs)
        {
            csv.AppendLine(
                Invariant(
                    $"{run.Count},{run.Wall.TotalSeconds:F3},{run.Finish.Wall.TotalSeconds:F3},{run.Processor.TotalSeconds:F3},"
                ) + Invariant($"{run.ServerProcessor.TotalSeconds:F3},{run.Start.Wall.TotalSeconds:F3},{run.Bytes}")
            );
        }

        return csv.ToString();
    }

    private static string Percent(double share) => $"{Units.Whole(100 * share)} %";
}
