using System.Text;
using Restore.Benchmarks.Measuring;
using Restore.Tests.Assessment;
using static System.FormattableString;

namespace Restore.Benchmarks.Histories;

/// <summary>
/// Measures how well the assessment of versions works, on made histories of normal life and of
/// accidents.
/// </summary>
internal static class HistoriesCommand
{
    public const string Help = """
          histories           measures what the assessment finds in made histories: false alarms, accidents, wrong files
            --runs N            histories of each kind (20)
            --files N           files of each (1000)
            --entries N         files of each of the 40 lists that cost is measured with (100000)
            --seed N            the seed of the first (1)
            --only A,B          some of: normal,accidents,second,third,cost (all)
            --output as for suite
        """;

    private static readonly double[] Shares = [0.01, 0.05, 0.2, 0.8];

    public static async Task<int> RunAsync(Arguments arguments, string commandLine, TextWriter log, TextWriter output)
    {
        if (arguments.Text("read-lists") is { } store)
        {
            arguments.RequireAllUsed();
            await AssessmentCost.ReadAsync(store);
            return 0;
        }

        int runs = (int)(arguments.Number("runs") ?? 20);
        int files = (int)(arguments.Number("files") ?? 1000);
        int entries = (int)(arguments.Number("entries") ?? 100_000);
        int seed = (int)(arguments.Number("seed") ?? 1);
        IReadOnlyList<string> only = arguments.List("only", "normal,accidents,second,third,cost");
        string folder = arguments.OutputFolder();
        arguments.RequireAllUsed();
        DateTimeOffset started = TimeProvider.System.GetUtcNow();
        Directory.CreateDirectory(folder);
        Machine machine = Machine.Describe(folder);
        StringBuilder text = new();
        text.AppendLine("# The assessment of versions, measured").AppendLine();
        text.AppendLine(
            Invariant($"* Measured: {started:yyyy-MM-dd HH:mm} UTC; {machine.Processor}, {machine.Runtime}")
        );
        text.AppendLine(
            Invariant(
                $"* {runs} histories of each kind, of {files:N0} files and 10 to 60 versions each; file lists alone"
            )
        );
        text.AppendLine($"* Command: {commandLine}").AppendLine();
        if (only.Contains("normal"))
        {
            await NormalAsync(text, runs, files, seed, log);
        }

        if (only.Contains("accidents"))
        {
            await AccidentsAsync(text, runs, files, seed, log);
        }

        if (only.Contains("second"))
        {
            await OtherHistories.Second.MeasureAsync(text, runs, seed, log);
        }

        if (only.Contains("third"))
        {
            await OtherHistories.Third.MeasureAsync(text, runs, seed, log);
        }

        if (only.Contains("cost"))
        {
            await AssessmentCost.MeasureAsync(text, versions: 40, entries, seed, log);
        }

        await File.WriteAllTextAsync(Path.Combine(folder, "histories.md"), text.ToString());
        await output.WriteLineAsync(text);
        return 0;
    }

    private static async Task NormalAsync(StringBuilder text, int runs, int files, int seed, TextWriter log)
    {
        text.AppendLine("## Normal life")
            .AppendLine()
            .AppendLine("| life | versions | false alarms |")
            .AppendLine("|---|---:|---:|");
        (int versions, int alarms) = (0, 0);
        foreach (Life life in Enum.GetValues<Life>())
        {
            List<Trial> trials = await RunAsync(
                runs,
                n => Trial.RunAsync(life, Accident.None, 0, files, VersionsOf(n), seed + (n * 101) + (int)life)
            );
            foreach (string why in trials.Select(trial => trial.Why).Where(why => why.Length > 0))
            {
                await log.WriteLineAsync($"{life}: {why}");
            }

            (versions, alarms) = (
                versions + trials.Sum(trial => trial.NormalVersions),
                alarms + trials.Sum(trial => trial.FalseAlarms)
            );
            text.AppendLine(
                Invariant(
                    $"| {life} | {trials.Sum(trial => trial.NormalVersions):N0} | {trials.Sum(trial => trial.FalseAlarms)} |"
                )
            );
        }

        text.AppendLine(Invariant($"| all | {versions:N0} | {alarms} ({alarms * 1000.0 / versions:F2} of 1,000) |"))
            .AppendLine();
    }

    private static async Task AccidentsAsync(StringBuilder text, int runs, int files, int seed, TextWriter log)
    {
        text.AppendLine("## Accidents").AppendLine();
        text.AppendLine(
                "Seen: in the version that has the accident first. Later: in a later version. Wrong: files that the accident hit and "
                    + "that --last-good does not restore as they were; only of accidents that were seen."
            )
            .AppendLine();
        text.AppendLine("| accident | share | histories | seen | later | wrong recommendation | hit files | wrong |");
        text.AppendLine("|---|---:|---:|---:|---:|---:|---:|---:|");
        Life[] lives = Enum.GetValues<Life>();
        foreach (Accident accident in Enum.GetValues<Accident>().Where(accident => accident != Accident.None))
        {
            foreach (double share in Shares)
            {
                List<Trial> trials = await RunAsync(
                    runs * lives.Length / 4,
                    n =>
                        Trial.RunAsync(
                            lives[n % lives.Length],
                            accident,
                            share,
                            files,
                            VersionsOf(n),
                            seed + (n * 103) + ((int)accident * 7919)
                        )
                );
                foreach (Trial missed in trials.Where(trial => trial.Delay != 0 && share >= 0.05))
                {
                    await log.WriteLineAsync(
                        Invariant(
                            $"missed: {accident} {share} in {missed.Life}, seed {missed.Seed}, {missed.Versions} versions"
                        )
                    );
                }

                List<Trial> seen = [.. trials.Where(trial => trial.Delay is not null)];
                double found = trials.Count(trial => trial.Delay == 0) * 100.0 / trials.Count;
                text.AppendLine(
                    Invariant($"| {accident} | {share:P0} | {trials.Count} | {found:F1} % | ")
                        + Invariant(
                            $"{trials.Count(trial => trial.Delay > 0)} | {seen.Count(trial => !trial.RecommendsGood)} | "
                        )
                        + Invariant($"{seen.Sum(trial => trial.HitFiles):N0} | {seen.Sum(trial => trial.WrongFiles)} |")
                );
            }
        }
    }

    private static int VersionsOf(int n) => 10 + (n * 7 % 51);

    private static async Task<List<Trial>> RunAsync(int count, Func<int, Task<Trial>> run)
    {
        List<Trial> trials = [];
        for (int n = 0; n < count; n++)
        {
            trials.Add(await run(n));
        }

        return trials;
    }
}
