using Restore.Benchmarks.Data;
using Restore.Benchmarks.Fetching;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Suite;
using static System.FormattableString;

namespace Restore.Benchmarks.Shards;

/// <summary>
/// Measures restores in shards: each is a process with a server behind a link of its own, and the
/// result is checked.
/// </summary>
internal sealed class ShardsRunner(ShardsOptions options, TextWriter log)
{
    private const string Passphrase = "benchmark";

    /// <summary>
    /// The length of volumes: a sixth of Duplicati's, so that four shards have many of them.
    /// </summary>
    public const int VolumeBytes = 8 << 20;

    private static readonly Dictionary<string, string> Variables = new() { ["PASSPHRASE"] = Passphrase };

    public static IReadOnlyList<int> Counts { get; } = [1, 2, 4];

    private string Target => Path.Combine(options.WorkFolder, "target");

    private string Plan => Path.Combine(options.WorkFolder, "job.rplan");

    private string Output => Path.Combine(options.WorkFolder, "output.txt");

    /// <summary>Figures of plans: that of the measured set, and that of another backup.</summary>
    public List<PlanFigures> Plans { get; } = [];

    public async Task<IReadOnlyList<ShardsRun>> RunAsync()
    {
        if (!File.Exists(options.Tool))
        {
            throw new UsageException($"There is no tool {options.Tool}. Build it, or give one with --cli.");
        }

        Directory.CreateDirectory(options.WorkFolder);
        try
        {
            return await MeasureAllAsync();
        }
        finally
        {
            Directory.Delete(options.WorkFolder, recursive: true);
        }
    }

    private async Task<IReadOnlyList<ShardsRun>> MeasureAllAsync()
    {
        PreparedSet set = await PrepareAsync();
        List<ShardsRun> runs = [];
        await MeasureAsync(set, 1);
        for (int run = 0; run < options.Runs; run++)
        {
            foreach (int count in Counts)
            {
                ShardsRun measured = await MeasureAsync(set, count);
                await log.WriteLineAsync(
                    Invariant(
                        $"{count} shards: {measured.Wall.TotalSeconds:F2} s and {measured.Finish.Wall.TotalSeconds:F2} s for the last step"
                    )
                );
                runs.Add(measured);
            }
        }

        foreach (string location in options.PlanOf is null ? [set.Backup] : new[] { set.Backup, options.PlanOf })
        {
            await log.WriteLineAsync($"Plan of {location}");
            Prepare(location, shards: 16);
            Plans.Add(PlanFigures.Of(Plan));
        }

        return runs;
    }

    private async Task<ShardsRun> MeasureAsync(PreparedSet set, int count)
    {
        Prepare(set.Backup, count);
        Machine.Sync();
        List<FolderServer> servers =
        [
            .. Enumerable
                .Range(0, count)
                .Select(_ => new FolderServer(set.Backup, new Link(TimeSpan.Zero, options.BytesPerSecond))),
        ];
        try
        {
            TimeSpan before = Environment.CpuUsage.TotalTime;
            long start = TimeProvider.System.GetTimestamp();
            ChildProcess[] processes =
            [
                .. servers.Select(
                    (server, i) => ChildProcess.Start(Shard(i + 1, count, server.Url), $"{Output}.{i}", Variables)
                ),
            ];
            Usage[] shards = [.. processes.Select(process => process.Wait())];
            TimeSpan wall = TimeProvider.System.GetElapsedTime(start);
            TimeSpan serving = Environment.CpuUsage.TotalTime - before;
            long bytes = servers.Sum(server => server.BytesSent);
            if (Array.FindIndex(shards, shard => shard.ExitCode != 0) is var failed and >= 0)
            {
                throw new SuiteException(
                    Invariant(
                        $"Shard {failed + 1} ended with {shards[failed].ExitCode}.\n{await File.ReadAllTextAsync($"{Output}.{failed}")}"
                    )
                );
            }

            Usage again = ChildProcess.Run(Shard(1, count, servers[0].Url), Output, Variables);
            Usage finish = Run("finish", Plan);
            string? difference = TreeCheck.FirstDifference(set, Target, withTimes: true);
            return difference is null
                ? new ShardsRun(count, wall, finish, shards, bytes, serving, again)
                : throw new SuiteException(Invariant($"{count} shards: {difference}."));
        }
        finally
        {
            foreach (FolderServer server in servers)
            {
                await server.DisposeAsync();
            }
        }
    }

    /// <summary>Removes what a run left, and makes the plan of another one.</summary>
    private void Prepare(string location, int shards)
    {
        foreach (string folder in new[] { Target, Plan + ".shards" }.Where(Directory.Exists))
        {
            Directory.Delete(folder, recursive: true);
        }

        File.Delete(Plan);
        Run(
            "plan",
            location,
            $"--restore-path={Target}",
            $"--save={Plan}",
            Invariant($"--shards={shards}"),
            "--no-sync"
        );
    }

    private string[] Shard(int shard, int count, string url) =>
        [options.Tool, "run", Plan, url, Invariant($"--shard={shard}/{count}"), "--quiet"];

    private Usage Run(params string[] arguments)
    {
        Usage usage = ChildProcess.Run([options.Tool, .. arguments, "--quiet"], Output, Variables);
        return usage.ExitCode == 0
            ? usage
            : throw new SuiteException(
                Invariant($"{arguments[0]} ended with {usage.ExitCode}.\n{File.ReadAllText(Output)}")
            );
    }

    private async Task<PreparedSet> PrepareAsync()
    {
        DataSet data = DataSet.Named("small-random").Scale(options.Scale);
        await log.WriteLineAsync($"{data.Name}: making {data.Files:N0} files and their backup");
        string source = Path.Combine(options.WorkFolder, "source");
        string backup = Path.Combine(options.WorkFolder, "backup");
        await PreparedSet.GenerateAsync(data, source, Output);
        await PreparedSet.RunAsync(
            [
                .. Self.Command,
                "backup",
                source,
                backup,
                Invariant($"--volume-size={VolumeBytes}"),
                "--level=1",
                $"--passphrase={Passphrase}",
            ],
            Output
        );
        PreparedSet set = PreparedSet.Of(
            data,
            source,
            backup,
            [.. Enumerable.Range(0, data.Files).Select(i => DataGenerator.PathOf("", i))]
        );
        set.Warm();
        return set;
    }
}
