namespace Restore.Benchmarks.Shards;

/// <summary>What shards share and what each has of its own, in a simulated restore.</summary>
internal sealed record ShardSite
{
    /// <summary>The store's rate for all shards together, in bytes per second.</summary>
    public required double StoreBytesPerSecond { get; init; }

    /// <summary>The rate of each shard's link.</summary>
    public required double LinkBytesPerSecond { get; init; }

    /// <summary>The rate of the file system for all shards together.</summary>
    public required double TargetBytesPerSecond { get; init; }

    /// <summary>Processors of a machine.</summary>
    public required int Cores { get; init; }

    /// <summary>
    /// Whether all shards are on one machine, with the servers; otherwise each has a machine of its
    /// own.
    /// </summary>
    public bool IsOneMachine { get; init; }
}

/// <summary>A simulated restore in shards.</summary>
/// <param name="Seconds">From the start of all shards to the end of the last one.</param>
/// <param name="Store">The used share of the store's rate.</param>
/// <param name="Link">The used share of the links.</param>
/// <param name="Processor">The used share of the processors.</param>
/// <param name="Target">The used share of the file system's rate.</param>
internal sealed record ShardForecast(double Seconds, double Store, double Link, double Processor, double Target)
{
    /// <summary>What is used most.</summary>
    public string Bound =>
        new[] { ("store", Store), ("links", Link), ("processors", Processor), ("file system", Target) }
            .MaxBy(one => one.Item2)
            .Item1;
}

/// <summary>
/// A discrete simulation of a restore in shards: each volume passes the store, the link of its
/// shard, a processor and the file system, and waits at each for those before it. A shard fetches
/// some volumes ahead. Costs are as measured; nothing is random.
/// </summary>
internal sealed class ShardModel(StageCosts costs, ShardSite site, int shards, long bytes, long volumeBytes)
{
    // Volumes that a shard works on at the same time: enough for its link and all its processors.
    private readonly int ahead = 8 + (3 * site.Cores);

    private readonly PriorityQueue<Volume, (double Time, long Order)> events = new();
    private readonly double[] links = new double[shards];
    private readonly PriorityQueue<double, double>[] cores =
    [
        .. Enumerable.Range(0, site.IsOneMachine ? 1 : shards).Select(_ => Idle(site.Cores)),
    ];

    private double store;
    private double target;
    private long order;

    private enum Stage
    {
        Start,
        Store,
        Link,
        Processor,
        Target,
        Done,
    }

    public ShardForecast Run()
    {
        long volumes = Math.Max(shards, (bytes + volumeBytes - 1) / volumeBytes);
        double size = (double)bytes / volumes;
        double perVolume =
            size * (costs.ProcessorSecondsPerByte + (site.IsOneMachine ? costs.ServerSecondsPerByte : 0));
        long[] left =
        [
            .. Enumerable
                .Range(0, shards)
                .Select(shard => (volumes * (shard + 1) / shards) - (volumes * shard / shards)),
        ];
        for (int shard = 0; shard < shards; shard++)
        {
            At(0, new Volume(shard, Stage.Start));
        }

        double end = 0;
        while (events.TryDequeue(out Volume volume, out (double Time, long Order) at))
        {
            switch (volume.Stage)
            {
                case Stage.Start:
                    // A start waits for a processor too, if others start on it.
                    double ready = Math.Max(
                        at.Time + costs.StartSeconds,
                        Serve(cores[Machine(volume.Shard)], at.Time, costs.StartProcessorSeconds)
                    );
                    for (int i = 0; i < ahead && left[volume.Shard] > 0; i++, left[volume.Shard]--)
                    {
                        At(ready, new Volume(volume.Shard, Stage.Store));
                    }

                    break;
                case Stage.Store:
                    At(Serve(ref store, at.Time, size / site.StoreBytesPerSecond), volume.In(Stage.Link));
                    break;
                case Stage.Link:
                    At(
                        Serve(ref links[volume.Shard], at.Time, size / site.LinkBytesPerSecond),
                        volume.In(Stage.Processor)
                    );
                    break;
                case Stage.Processor:
                    At(Serve(cores[Machine(volume.Shard)], at.Time, perVolume), volume.In(Stage.Target));
                    break;
                case Stage.Target:
                    At(Serve(ref target, at.Time, size / site.TargetBytesPerSecond), volume.In(Stage.Done));
                    break;
                default:
                    end = at.Time;
                    if (left[volume.Shard]-- > 0)
                    {
                        At(end, volume.In(Stage.Store));
                    }

                    break;
            }
        }

        return new ShardForecast(
            end,
            bytes / site.StoreBytesPerSecond / end,
            bytes / site.LinkBytesPerSecond / shards / end,
            ((volumes * perVolume) + (shards * costs.StartProcessorSeconds)) / site.Cores / cores.Length / end,
            bytes / site.TargetBytesPerSecond / end
        );
    }

    private static PriorityQueue<double, double> Idle(int cores)
    {
        PriorityQueue<double, double> free = new();
        for (int i = 0; i < cores; i++)
        {
            free.Enqueue(0, 0);
        }

        return free;
    }

    /// <summary>Serves one after the other; returns when it is done.</summary>
    private static double Serve(ref double freeAt, double now, double seconds) =>
        freeAt = Math.Max(freeAt, now) + seconds;

    /// <summary>Serves on the processor that is free first.</summary>
    private static double Serve(PriorityQueue<double, double> free, double now, double seconds)
    {
        double end = Math.Max(free.Peek(), now) + seconds;
        free.DequeueEnqueue(end, end);
        return end;
    }

    private int Machine(int shard) => site.IsOneMachine ? 0 : shard;

    private void At(double time, Volume volume) => events.Enqueue(volume, (time, order++));

    private readonly record struct Volume(int Shard, Stage Stage)
    {
        public Volume In(Stage next) => this with { Stage = next };
    }
}
