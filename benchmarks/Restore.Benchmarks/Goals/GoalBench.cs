using System.Globalization;
using Restore.Benchmarks.Data;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Roofline;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Goals;

/// <summary>What takes its turn in each round of a group.</summary>
/// <param name="Who">Its name in the results.</param>
/// <param name="RunAsync">Runs it once; gets the number of the round, returns its figures.</param>
internal sealed record Side(string Who, Func<int, Task<IEnumerable<(string Figure, double Value)>>> RunAsync);

/// <summary>
/// Runs the programs that the goals compare, each in a process of its own, and keeps their figures.
/// </summary>
internal sealed class GoalBench(SuiteOptions options, TextWriter log)
{
    // ext4 looks past files that were deleted a short time ago: trees of many files stay until the
    // end.
    private const int ManyFiles = 10_000;

    private readonly Dictionary<string, PreparedSet> sets = [];
    private readonly HashSet<string> compared = [];
    private readonly Random random = new((int)options.Seed);
    private readonly long primeBytes = options.PrimeBytes ?? Machine.FreeBytes() / 2;

    public GoalSamples Samples { get; } = new();

    public double Scale => options.Scale;

    /// <summary>
    /// The program with its arguments for a restore that does not wait for the device.
    /// </summary>
    public Contender Program => options.Contenders[0];

    /// <summary>The same, and waits.</summary>
    public Contender Flushed => options.Contenders[1];

    /// <summary>The other programs.</summary>
    public IEnumerable<Contender> Others => options.Contenders.Skip(2);

    public string[] PassphraseArguments => options.Passphrase is null ? [] : [$"--passphrase={options.Passphrase}"];

    private string Output => Path.Combine(options.WorkFolder, "output.txt");

    /// <summary>The path of a file or folder of this run of the benchmarks.</summary>
    public string PathOf(string name) => Path.Combine(options.WorkFolder, name);

    /// <summary>A data set and its backup, made at the first call.</summary>
    public async Task<PreparedSet> PrepareAsync(DataSet set)
    {
        if (!sets.TryGetValue(set.Name, out PreparedSet? prepared))
        {
            await log.WriteLineAsync($"{set.Name}: making {set.Files:N0} files and their backup");
            prepared = await PreparedSet.MakeAsync(set, options, backup: []);
            sets.Add(set.Name, prepared);
        }

        return prepared;
    }

    /// <summary>
    /// Runs all sides in each round, in an order that changes. Before several runs comes one that
    /// does not count.
    /// </summary>
    public async Task RoundsAsync(string group, int runs, params Side[] sides)
    {
        for (int round = runs > 1 ? 0 : 1; round <= runs; round++)
        {
            random.Shuffle(sides);
            foreach (Side side in sides)
            {
                Machine.Sync();
                (string Figure, double Value)[] figures = [.. await side.RunAsync(round)];
                foreach ((string figure, double value) in round > 0 ? figures : [])
                {
                    Samples.Add(new GoalSample(group, side.Who, round, figure, value));
                }

                string first = string.Create(
                    CultureInfo.InvariantCulture,
                    $"{figures[0].Figure} {figures[0].Value:F2}"
                );
                await log.WriteLineAsync($"{group} {side.Who}: {first}{(round == 0 ? " (warm-up)" : "")}");
            }
        }
    }

    /// <summary>A full restore to a new folder.</summary>
    public Side Restore(string who, PreparedSet set, Contender program, bool isPrimed = false, params string[] more) =>
        new(
            who,
            async round =>
            {
                string target = Path.Combine(options.WorkFolder, set.Set.Name, $"{who}-{round}".Replace(' ', '-'));
                set.Warm();
                Machine.Sync();
                ChildProcess? primer =
                    isPrimed && primeBytes > 0 ? await MemoryPrimer.StartAsync(primeBytes, PathOf("prime.txt")) : null;
                IReadOnlyList<string> command = program.CommandFor(
                    set.Backup,
                    target,
                    set.Source,
                    options.Passphrase,
                    more
                );
                Usage usage = Run(command);
                primer?.Kill();
                if (
                    compared.Add($"{who} {set.Set.Name}")
                    && TreeCheck.FirstDifference(set, target, program.IsOurs) is { } difference
                )
                {
                    throw new SuiteException($"{string.Join(' ', command)}: {difference}.");
                }

                if (set.Files.Count < ManyFiles)
                {
                    Directory.Delete(target, recursive: true);
                }

                return Figures(usage);
            }
        );

    /// <summary>The roofline of a data set, and what single parts of it take.</summary>
    public Side Roofline(PreparedSet set) =>
        new(
            "roofline",
            async round =>
            {
                string target = Path.Combine(options.WorkFolder, set.Set.Name, $"roofline-{round}");
                RooflineRun run = await RooflineCommand.MeasureAsync(set, options, target);
                if (set.Files.Count < ManyFiles)
                {
                    Directory.Delete(target, recursive: true);
                }

                double hash = run[RooflinePart.Hash].Processor.TotalSeconds;
                double device = Math.Min(
                    run[RooflinePart.WriteCached].Wall.TotalSeconds,
                    run[RooflinePart.WriteDirect].Wall.TotalSeconds
                );
                return
                [
                    (GoalSamples.Wall, run.Wall.TotalSeconds),
                    ("hash s", hash),
                    ("write s", device),
                    ("hash or write s", Math.Max(hash, device)),
                ];
            }
        );

    /// <summary>Any other program.</summary>
    /// <param name="who">Its name in the results.</param>
    /// <param name="command">The command of a round.</param>
    /// <param name="written">What it writes in a round and is removed after it; or null.</param>
    /// <param name="before">Prepares a round.</param>
    public Side Other(
        string who,
        Func<int, IReadOnlyList<string>> command,
        Func<int, string>? written = null,
        Action<int>? before = null
    ) =>
        new(
            who,
            round =>
            {
                before?.Invoke(round);
                Usage usage = Run(command(round));
                if (written?.Invoke(round) is { } path)
                {
                    Remove(path);
                }

                return Task.FromResult<IEnumerable<(string, double)>>(Figures(usage));
            }
        );

    /// <summary>
    /// How long a restore takes until it opens its first file list and its first block volume.
    /// </summary>
    public Side Start(PreparedSet set) =>
        new(
            "restore",
            round =>
            {
                string target = Path.Combine(options.WorkFolder, set.Set.Name, $"start-{round}");
                set.Warm();
                using OpenWatch watch = new(set.Backup);
                IReadOnlyList<string> command = Program.CommandFor(
                    set.Backup,
                    target,
                    set.Source,
                    options.Passphrase,
                    []
                );
                long started = TimeProvider.System.GetTimestamp();
                ChildProcess process = Begin(command);
                (double list, double volume) = Opened(watch, process, started);
                Usage usage = Ended(process, command);
                return Task.FromResult<IEnumerable<(string, double)>>([
                    ("first byte of a block volume s", volume),
                    ("first byte of the list s", list),
                    .. Figures(usage),
                ]);
            }
        );

    /// <summary>Runs a program to its end.</summary>
    /// <exception cref="SuiteException">It failed.</exception>
    public Usage Run(IReadOnlyList<string> command) => Ended(Begin(command), command);

    /// <summary>Removes everything.</summary>
    public void Clean() => Remove(options.WorkFolder);

    private static (string Figure, double Value)[] Figures(Usage usage) =>
        [
            (GoalSamples.Wall, usage.Wall.TotalSeconds),
            (GoalSamples.User, usage.User.TotalSeconds),
            (GoalSamples.System, usage.System.TotalSeconds),
            (GoalSamples.Peak, usage.PeakBytes / 1e6),
        ];

    /// <summary>
    /// When the program opened its first file list and its first block volume. Does not leave a
    /// program that opens none.
    /// </summary>
    private static (double List, double Volume) Opened(OpenWatch watch, ChildProcess process, long started)
    {
        try
        {
            return (watch.WaitFor(".dlist.", started).TotalSeconds, watch.WaitFor(".dblock.", started).TotalSeconds);
        }
        catch (SuiteException)
        {
            process.Kill();
            throw;
        }
    }

    private static void Remove(string path)
    {
        if (Directory.Exists(path))
        {
            Directory.Delete(path, recursive: true);
        }
        else
        {
            File.Delete(path);
        }
    }

    private ChildProcess Begin(IReadOnlyList<string> command)
    {
        // Linux counts the memory of the parent into the peak of the child.
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        return ChildProcess.Start(
            command,
            Output,
            new Dictionary<string, string> { ["PASSPHRASE"] = options.Passphrase ?? "" }
        );
    }

    private Usage Ended(ChildProcess process, IReadOnlyList<string> command)
    {
        Usage usage = process.Wait();
        return usage.ExitCode == 0
            ? usage
            : throw new SuiteException(
                $"{string.Join(' ', command)} ended with {usage.ExitCode}.\n{File.ReadAllText(Output)}"
            );
    }
}
