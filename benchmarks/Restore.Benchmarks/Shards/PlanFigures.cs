using Restore.Benchmarks.Suite;
using Restore.Planning;
using Restore.Shards;

namespace Restore.Benchmarks.Shards;

/// <summary>
/// How long a plan of many entries takes to save, load, split and estimate, and how well it splits.
/// </summary>
/// <param name="Entries">Its entries.</param>
/// <param name="Bytes">The length of its file.</param>
/// <param name="Save">Seconds to save it, with the flush to the device.</param>
/// <param name="Load">Seconds to load it.</param>
/// <param name="Estimate">Seconds to estimate it for 1 to 256 shards.</param>
/// <param name="Fresh">The split of the backup in 16.</param>
/// <param name="Compacted">The same with each block in a volume by chance, as after many
/// compactions.</param>
internal sealed record PlanFigures(
    int Entries,
    long Bytes,
    Spread Save,
    Spread Load,
    double Estimate,
    SplitFigures Fresh,
    SplitFigures Compacted
)
{
    private const int Runs = 5;
    private const int Shards = 16;

    /// <summary>Measures a saved plan.</summary>
    /// <param name="file">The plan; a copy is written beside it.</param>
    public static PlanFigures Of(string file)
    {
        List<double> saves = [];
        List<double> loads = [];
        RestorePlan plan = Read(file);
        for (int i = 0; i < Runs; i++)
        {
            string copy = file + ".copy";
            saves.Add(
                Seconds(() =>
                {
                    using FileStream stream = new(
                        copy,
                        FileMode.Create,
                        FileAccess.Write,
                        FileShare.None,
                        bufferSize: 0
                    );
                    plan.Save(stream);
                    stream.Flush(flushToDisk: true);
                })
            );
            loads.Add(Seconds(() => plan = Read(copy)));
            File.Delete(copy);
        }

        IReadOnlyList<ShardEstimate> estimates = [];
        double estimate = Seconds(() => estimates = ShardEstimate.Of(plan, [1, 2, 4, 8, 16, 32, 64, 128, 256]));
        return new PlanFigures(
            plan.Pass.Entries.Count,
            new FileInfo(file).Length,
            Spread.Of(saves),
            Spread.Of(loads),
            estimate,
            SplitFigures.Of(plan.Pass, plan.Costs, Shards),
            SplitFigures.Of(WithBlocksAnywhere(plan.Pass), plan.Costs, Shards)
        );
    }

    private static RestorePlan Read(string file)
    {
        using FileStream stream = new(file, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0);
        return RestorePlan.Load(stream);
    }

    private static PassPlan WithBlocksAnywhere(PassPlan plan)
    {
        Random random = new(1);
        Volumes.VolumeId[] first = [.. plan.Locations.First];
        random.Shuffle(first);
        return new PassPlan(
            plan.Entries,
            [.. plan.Parts],
            new Catalog.Locations(first, [], [], []),
            plan.Volumes,
            plan.LeavesBlocksToFiles
        );
    }

    private static double Seconds(Action action)
    {
        long start = TimeProvider.System.GetTimestamp();
        action();
        return TimeProvider.System.GetElapsedTime(start).TotalSeconds;
    }
}

/// <summary>How well a plan splits.</summary>
/// <param name="Amplification">Bytes that all parts fetch, as a multiple of what one machine
/// would.</param>
/// <param name="Imbalance">Blocks of the fullest part, as a multiple of the mean.</param>
/// <param name="SharedFiles">Files that several parts write.</param>
internal sealed record SplitFigures(double Amplification, double Imbalance, int SharedFiles)
{
    public static SplitFigures Of(PassPlan plan, FetchCosts costs, int count)
    {
        FetchedItems items = new(plan);
        PlanSplit split = PlanSplitter.Split(items, count);
        IReadOnlyList<PartCost> parts = SplitCosts.Of(split, items, costs);
        long alone = SplitCosts.Of(PlanSplitter.Split(items, 1), items, costs)[0].FetchedBytes;
        return new SplitFigures(
            (double)parts.Sum(part => part.FetchedBytes) / alone,
            parts.Max(part => part.BlockBytes) / parts.Average(part => (double)part.BlockBytes),
            split.Shares.Count
        );
    }
}
