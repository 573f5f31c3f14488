using BenchmarkDotNet.Attributes;
using Restore.Benchmarks.Data;
using Restore.Catalog;
using Restore.Format;
using Restore.Volumes;

namespace Restore.Benchmarks.Micro;

/// <summary>
/// What does it cost to turn "files of blocks" into "volumes of blocks", for each block?
/// </summary>
public class PlanInversionBenchmarks
{
    private const int Blocks = 100_000;
    private const int Volumes = 200;

    private readonly List<Volume> volumes = [];
    private readonly BlockId[] order = new BlockId[Blocks];
    private BlockTable? table;
    private Locations? locations;

    [GlobalSetup]
    public void Setup()
    {
        Random64 random = new(1);
        table = new BlockTable(HashKind.Sha256);
        for (int i = 0; i < Volumes; i++)
        {
            volumes.Add(new Volume(new VolumeId(i), default, 50 << 20));
        }

        VolumeId[] located = new VolumeId[Blocks];
        byte[] hash = new byte[32];
        for (int i = 0; i < Blocks; i++)
        {
            random.Fill(hash);
            located[table.GetOrAdd(hash, 1 << 20)] = new VolumeId(i / (Blocks / Volumes));
            order[i] = new BlockId((int)random.NextBelow(Blocks));
        }

        table.Freeze();
        locations = new Locations(located, [], [], []);
    }

    [Benchmark(OperationsPerInvoke = Blocks)]
    public int Invert()
    {
        FetchList demand = FetchList.Create(table!, locations!, volumes, order);
        return demand.Volumes.Count == Volumes
            ? demand.Blocks.Length
            : throw new InvalidOperationException("A volume is missing.");
    }
}
