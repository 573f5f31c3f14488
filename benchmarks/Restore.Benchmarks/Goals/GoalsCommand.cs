using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Goals;

/// <summary>Measures the goals of docs/performance.md beside their yardsticks.</summary>
internal static class GoalsCommand
{
    public const string Help = """
          goals               measures the goals beside their yardsticks, in the same run, and writes goals.md and goals.csv
            --groups A,B        start,small-random,small-text,one-file,flush,many,writer,keeping,million (all but million, which takes minutes)
            --scale X           share of the files and bytes of each set (1)
            --runs N            measured runs of each (5), after one that does not count; start runs 20 times, million once
            --compare 'NAME=COMMAND'
                                another program, as for suite; the one called floor is the yardstick of some goals
            --cli FILE, --prime-mb N, --plain yes, --work-dir FOLDER, --output FOLDER, --seed N
                                as for suite
        """;

    public static async Task<int> RunAsync(Arguments arguments, string commandLine, TextWriter log, TextWriter output)
    {
        IReadOnlyList<string> groups = arguments.List("groups", string.Join(',', GoalGroups.Names.SkipLast(1)));
        SuiteOptions options = SuiteOptions.ForGoals(arguments, commandLine);
        arguments.RequireAllUsed();
        Directory.CreateDirectory(options.WorkFolder);
        Directory.CreateDirectory(options.OutputFolder);
        var machine = Machine.Describe(options.WorkFolder);
        DateTimeOffset started = TimeProvider.System.GetUtcNow();
        GoalBench bench = new(options, log);
        Goal[] goals = [.. GoalGroups.Goals(options.Scale).Where(goal => groups.Contains(goal.Group))];
        string markdown = "";
        try
        {
            foreach (string group in groups)
            {
                await GoalGroups.MeasureAsync(group, bench, options.Runs);

                // After each group: a run takes long, and may be interrupted.
                markdown = GoalReport.Markdown(goals, bench.Samples, options, machine, started);
                await File.WriteAllTextAsync(Path.Combine(options.OutputFolder, "goals.md"), markdown);
                await File.WriteAllTextAsync(
                    Path.Combine(options.OutputFolder, "goals.csv"),
                    GoalReport.Csv(bench.Samples)
                );
            }
        }
        finally
        {
            bench.Clean();
        }

        await output.WriteLineAsync(markdown);
        return 0;
    }
}
