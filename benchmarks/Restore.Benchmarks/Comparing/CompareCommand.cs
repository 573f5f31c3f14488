using System.Globalization;
using Restore.Benchmarks.Data;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Reporting;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Comparing;

/// <summary>
/// Is a build faster than the one before? Two published programs restore the same backups in turns,
/// in one run.
/// </summary>
internal static class CompareCommand
{
    public const string Help = """
          compare BEFORE AFTER [--sets A,B] [--scale X] [--runs N] [--at-most X] [--plain yes] [--work-dir FOLDER]
                              restores each data set with two published programs (their paths), in shuffled turns after one that does not count, and prints
                              wall, user and system time, the most memory, page faults and context switches with ranges, and a verdict. The result is 1 if
                              the second is slower, or with --at-most (0.95) takes more than that of the first one's time
        """;

    private const int Seed = 1;

    public static async Task<int> RunAsync(Arguments arguments, TextWriter log, TextWriter output)
    {
        string[] programs =
        [
            Program(arguments.Positional(0, "the program of before")),
            Program(arguments.Positional(1, "the program of after")),
        ];
        int runs = arguments.Runs(5);
        double? atMost = arguments.Number("at-most");
        SuiteOptions options = SuiteOptions.ForSets(arguments);
        arguments.RequireAllUsed();
        Directory.CreateDirectory(options.WorkFolder);
        bool isGood = true;
        await output.WriteLineAsync(
            $"{programs[0]} and {programs[1]}, {runs} runs each in turns; median (lowest-highest)\n"
        );
        foreach (DataSet set in options.Sets)
        {
            try
            {
                await log.WriteLineAsync($"{set.Name}: making the data and the backup");
                PreparedSet prepared = await PreparedSet.MakeAsync(set, options, backup: []);
                Comparison comparison = new(
                    set.Name,
                    await MeasureAsync(prepared, options, programs, runs, log),
                    atMost
                );
                await output.WriteLineAsync(comparison.Table());
                isGood &= comparison.IsGood;
            }
            finally
            {
                Delete(Path.Combine(options.WorkFolder, set.Name));
            }
        }

        return isGood ? 0 : 1;
    }

    private static string Program(string path) =>
        File.Exists(path) ? Path.GetFullPath(path) : throw new UsageException($"There is no program {path}.");

    private static async Task<List<Usage>[]> MeasureAsync(
        PreparedSet set,
        SuiteOptions options,
        string[] programs,
        int runs,
        TextWriter log
    )
    {
        List<Usage>[] usages =
        [
            [],
            [],
        ];
        Random random = new(Seed);
        set.Warm();
        for (int round = 0; round <= runs; round++)
        {
            int[] turns = [0, 1];
            random.Shuffle(turns);
            foreach (int turn in turns)
            {
                // A folder of its own for each run: creating files is slower for minutes after
                // others were deleted.
                string target = Path.Combine(options.WorkFolder, set.Set.Name, $"target-{round}-{turn}");
                Machine.Sync();
                Usage usage = await PreparedSet.RunAsync(
                    CommandOf(programs[turn], set, options, target),
                    Path.Combine(options.WorkFolder, "compare.txt")
                );
                if (round == 0)
                {
                    Check(set, target, programs[turn]);
                }
                else
                {
                    usages[turn].Add(usage);
                }

                string which = round == 0 ? "does not count" : $"run {round} of {runs}";
                await log.WriteLineAsync(
                    $"{set.Set.Name}: {programs[turn]}: {Units.Seconds(usage.Wall.TotalSeconds)} s ({which})"
                );
            }
        }

        return usages;
    }

    private static void Check(PreparedSet set, string target, string program)
    {
        if (TreeCheck.FirstDifference(set, target, withTimes: true) is { } difference)
        {
            throw new SuiteException($"{program} restored something else: {difference}.");
        }
    }

    private static IReadOnlyList<string> CommandOf(
        string program,
        PreparedSet set,
        SuiteOptions options,
        string target
    ) =>
        [
            program,
            set.Backup,
            string.Create(CultureInfo.InvariantCulture, $"--restore-path={target}"),
            "--no-sync",
            "--quiet",
            .. options.Passphrase is { } passphrase ? [$"--passphrase={passphrase}"] : (string[])["--no-encryption"],
        ];

    private static void Delete(string folder)
    {
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
