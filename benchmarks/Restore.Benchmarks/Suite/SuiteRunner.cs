using System.Globalization;
using Restore.Benchmarks.Data;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Roofline;

namespace Restore.Benchmarks.Suite;

/// <summary>
/// Measures whole restores: every run is a separate process, all scenarios of a data set take turns
/// in an order that is shuffled each round, and the tree of every run is compared with the source.
/// One data set is on disk at a time.
/// </summary>
internal sealed class SuiteRunner(SuiteOptions options, TextWriter log)
{
    private readonly List<Measurement> measurements = [];
    private readonly List<(string Set, RooflineRun Run)> rooflines = [];
    private readonly Random64 random = new(options.Seed);
    private long primeBytes;

    /// <summary>All results so far, after each data set and each sweep.</summary>
    public async IAsyncEnumerable<SuiteResult> RunAsync()
    {
        Directory.CreateDirectory(options.WorkFolder);
        Machine machine = Machine.Describe(options.WorkFolder);
        primeBytes = options.PrimeBytes ?? Machine.FreeBytes() / 2;
        DateTimeOffset started = TimeProvider.System.GetUtcNow();
        foreach (DataSet set in options.Sets)
        {
            await MeasureSetAsync(set);
            yield return Result();
        }

        DataSet small = DataSet.Named("small-random").Scale(options.Scale);
        foreach (string sweep in options.Sweeps)
        {
            await MeasureSweepAsync(sweep, small);
            yield return Result();
        }

        SuiteResult Result() =>
            new(machine, options, started, primeBytes, [.. measurements])
            {
                Rooflines = rooflines.ToLookup(one => one.Set, one => one.Run),
            };
    }

    private async Task MeasureSetAsync(DataSet set)
    {
        PreparedSet prepared = await PrepareAsync(set, backup: []);
        await MeasureAsync(
            [
                .. from restoreCase in options.Cases
                from contender in options.Contenders
                where contender.IsOurs || restoreCase == RestoreCase.Full
                select new Scenario(set.Name, restoreCase.Name, contender, prepared, restoreCase, []),
            ],
            prepared
        );
        Remove(set);
    }

    private async Task MeasureSweepAsync(string sweep, DataSet small)
    {
        Contender? ours = options.Contenders.FirstOrDefault(contender => contender.IsOurs);
        if (ours is null)
        {
            return;
        }

        List<Scenario> scenarios = [];
        Dictionary<string, PreparedSet> prepared = [];
        foreach (SweepPoint point in Sweep.Points(sweep, small))
        {
            DataSet set = point.Set ?? small;
            string key = string.Join(' ', [set.Name, .. point.Backup]);
            if (!prepared.TryGetValue(key, out PreparedSet? ready))
            {
                ready = await PrepareAsync(set, point.Backup);
                prepared.Add(key, ready);
            }

            scenarios.Add(new Scenario(sweep, point.Value, ours, ready, RestoreCase.Full, point.Arguments));
        }

        await MeasureAsync(scenarios, withRoofline: null);
        foreach (PreparedSet one in prepared.Values)
        {
            Remove(one.Set);
        }
    }

    private async Task<PreparedSet> PrepareAsync(DataSet set, IReadOnlyList<string> backup)
    {
        await log.WriteLineAsync($"{set.Name}: making {set.Files:N0} files and their backup");
        PreparedSet prepared = await PreparedSet.MakeAsync(set, options, backup);
        await log.WriteLineAsync(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{set.Name}: {prepared.Bytes:N0} bytes, backup {prepared.BackupBytes:N0}"
            )
        );
        return prepared;
    }

    private async Task MeasureAsync(IEnumerable<Scenario> wanted, PreparedSet? withRoofline)
    {
        Scenario[] scenarios = [.. wanted];
        for (int round = 1 - options.WarmUps; round <= options.Runs; round++)
        {
            Shuffle(scenarios);
            foreach (Scenario scenario in scenarios)
            {
                Measurement measured = await MeasureAsync(scenario, round);
                bool isWarmUp = round < 1;
                if (!isWarmUp)
                {
                    measurements.Add(measured);
                }

                await log.WriteLineAsync(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{scenario.Group} {scenario.Case} {scenario.Contender.Name}: {measured.Usage.Wall.TotalSeconds:F2} s{(isWarmUp ? " (warm-up)" : "")}"
                    )
                );
            }

            if (withRoofline is not null && round > 0)
            {
                string target = Path.Combine(options.WorkFolder, "target");
                RooflineRun run = await RooflineCommand.MeasureAsync(withRoofline, options, target);
                Delete(target);
                rooflines.Add((withRoofline.Set.Name, run));
                await log.WriteLineAsync(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{withRoofline.Set.Name} roofline: {run.Wall.TotalSeconds:F2} s"
                    )
                );
            }
        }
    }

    private async Task<Measurement> MeasureAsync(Scenario scenario, int round)
    {
        string target = Path.Combine(options.WorkFolder, "target");
        string output = Path.Combine(options.WorkFolder, "output.txt");
        Delete(target);
        scenario.Prepare.Prepare(scenario.Set.Source, target, scenario.Set.Files);
        scenario.Set.Warm();
        Machine.Sync();

        ChildProcess? primer =
            primeBytes > 0
                ? await MemoryPrimer.StartAsync(primeBytes, Path.Combine(options.WorkFolder, "prime.txt"))
                : null;
        IReadOnlyList<string> command = scenario.Contender.CommandFor(
            scenario.Set.Backup,
            target,
            scenario.Set.Source,
            options.Passphrase,
            scenario.Arguments
        );
        Usage usage = ChildProcess.Run(
            command,
            output,
            new Dictionary<string, string> { ["PASSPHRASE"] = options.Passphrase ?? "" }
        );
        primer?.Kill();

        long synced = TimeProvider.System.GetTimestamp();
        Machine.Sync();
        TimeSpan sync = TimeProvider.System.GetElapsedTime(synced);
        string? difference =
            usage.ExitCode != 0
                ? $"it ended with {usage.ExitCode}"
                : TreeCheck.FirstDifference(scenario.Set, target, scenario.Contender.IsOurs);
        if (difference is not null)
        {
            throw new SuiteException(
                $"{scenario.Group} {scenario.Case} {scenario.Contender.Name}: {difference}.\n"
                    + $"{string.Join(' ', command)}\n{await File.ReadAllTextAsync(output)}"
            );
        }

        Delete(target);
        return new Measurement(scenario, round, usage, sync);
    }

    private void Shuffle(Scenario[] scenarios)
    {
        for (int i = scenarios.Length - 1; i > 0; i--)
        {
            int other = (int)random.NextBelow(i + 1);
            (scenarios[i], scenarios[other]) = (scenarios[other], scenarios[i]);
        }
    }

    private void Remove(DataSet set) => Delete(Path.Combine(options.WorkFolder, set.Name));

    private static void Delete(string folder)
    {
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
