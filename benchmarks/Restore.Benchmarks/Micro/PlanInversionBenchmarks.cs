using BenchmarkDotNet.Attributes;
using Restore.Benchmarks.Data;
using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Format;
using Restore.Volumes;

namespace Restore.Benchmarks.Micro;

/// <summary>What does it cost to turn "files of blocks" into "volumes of blocks", for each block?</summary>
public class PlanInversionBenchmarks
{
    private const int Blocks = 100_000;
    private const int Volumes = 200;

    private readonly List<Volume> volumes = [];
    private readonly BlockId[] order = new BlockId[Blocks];
    private BlockTable? table;

    [GlobalSetup]
    public void Setup()
    {
        Random64 random = new(1);
        table = new BlockTable(HashKind.Sha256);
        for (int i = 0; i < Volumes; i++)
        {
            volumes.Add(new Volume(new VolumeId(i), default, 50 << 20));
        }

        byte[] hash = new byte[32];
        for (int i = 0; i < Blocks; i++)
        {
            random.Fill(hash);
            BlockId block = table.GetOrAdd(hash, 1 << 20);
            table.AddVolume(block, new VolumeId(i / (Blocks / Volumes)), CopyOrder.Database);
            order[i] = new BlockId((int)random.NextBelow(Blocks));
        }
    }

    [Benchmark(OperationsPerInvoke = Blocks)]
    public int Invert()
    {
        BlockDemand demand = BlockDemand.Create(table!, volumes, order);
        return demand.Volumes.Count == Volumes ? demand.Blocks.Length : throw new InvalidOperationException("A volume is missing.");
    }
}
