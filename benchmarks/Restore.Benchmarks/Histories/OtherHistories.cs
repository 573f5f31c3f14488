using System.Globalization;
using System.Text;
using Restore.Tests.Assessment;
using static System.FormattableString;

namespace Restore.Benchmarks.Histories;

/// <summary>
/// Measures the same with the second and the third generator: other lives and other accidents.
/// </summary>
/// <param name="heading">The heading of the section.</param>
/// <param name="kinds">The names of the accidents, with the shares of the files that they hit; the first is
/// normal life.</param>
/// <param name="run">Makes and assesses the history of a kind, a share and a seed.</param>
internal sealed class OtherHistories(
    string heading,
    IReadOnlyList<(string Name, double[] Shares)> kinds,
    Func<int, double, int, Task<MeasuredTrial>> run
)
{
    public static OtherHistories Second { get; } =
        new(
            "The second generator",
            [.. Enum.GetValues<Harm>().Select(harm => (harm.ToString(), harm == Harm.Weeks ? [0.01] : Shares))],
            async (kind, share, seed) => await SecondTrial.RunAsync((Harm)kind, share, seed)
        );

    public static OtherHistories Third { get; } =
        new(
            "The third generator",
            [.. Enum.GetValues<Attack>().Select(attack => (attack.ToString(), Shares))],
            async (kind, share, seed) => await ThirdTrial.RunAsync((Attack)kind, share, seed)
        );

    private static double[] Shares => [0.01, 0.05, 0.2, 0.8];

    public async Task MeasureAsync(StringBuilder text, int runs, int seed, TextWriter log)
    {
        text.AppendLine($"## {heading}").AppendLine();
        await NormalAsync(text, runs * 10, seed, log);
        text.AppendLine(
                "Missed: versions with the accident that are called good. Not yet: versions that are called suspect although all "
                    + "files are back. Wrong: files that --last-good restores as the accident left them, or not at all, although a good "
                    + "one exists. Older: files restored older than the newest version has them, although nothing happened to them."
            )
            .AppendLine();
        text.AppendLine(
            "| accident | share | histories | seen | later | wrong recommendation | versions missed | not yet |"
                + " hit files | wrong | other files | older | false |"
        );
        text.AppendLine("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        List<MeasuredTrial> ofMore = [];
        for (int kind = 1; kind < kinds.Count; kind++)
        {
            foreach (double share in kinds[kind].Shares)
            {
                int first = (seed * 7_000_003) + (kind * 1009) + (int)(share * 100_000);
                MeasuredTrial[] trials = await RunAsync(kind, share, first, runs);
                await LogAsync(log, trials, share);
                text.AppendLine(RowOf(kinds[kind].Name, share.ToString("P0", CultureInfo.InvariantCulture), trials));
                ofMore.AddRange(share >= LeastShare ? trials : []);
            }
        }

        text.AppendLine(RowOf("all", "5 % and more", ofMore)).AppendLine();
    }

    private const double LeastShare = 0.05;

    private async Task NormalAsync(StringBuilder text, int runs, int seed, TextWriter log)
    {
        MeasuredTrial[] normal = await RunAsync(0, 0, seed * 1_000_003, runs);
        await LogAsync(log, "false", normal.Where(trial => trial.FalseAlarms > 0));
        await LogAsync(log, "older", normal.Where(trial => trial.StaleFiles > 0));
        int versions = normal.Sum(trial => trial.NormalVersions);
        int alarms = normal.Sum(trial => trial.FalseAlarms);
        long files = normal.Sum(trial => (long)trial.GoodFiles);
        int older = normal.Sum(trial => trial.StaleFiles);
        text.AppendLine(
                Invariant($"Normal life: {normal.Length} histories, {versions:N0} versions, {alarms} called suspect ")
                    + Invariant($"({alarms * 1000.0 / versions:F2} of 1,000); ")
                    + Invariant($"{normal.Count(trial => trial.FalseAlarms > 0)} histories have any. ")
                    + Invariant(
                        $"Of {files:N0} files, --last-good restores {older:N0} older than the newest version has them "
                    )
                    + Invariant($"({older * 1e6 / files:F0} of a million).")
            )
            .AppendLine();
    }

    private static string RowOf(string kind, string share, IReadOnlyCollection<MeasuredTrial> trials) =>
        Invariant($"| {kind} | {share} | {trials.Count:N0} | ")
        + Invariant($"{trials.Count(trial => trial.Delay == 0) * 100.0 / trials.Count:F1} % | ")
        + Invariant($"{trials.Count(trial => trial.Delay > 0)} | {trials.Count(trial => !trial.RecommendsGood)} | ")
        + Invariant($"{trials.Sum(trial => trial.BadCalledGood)} | {trials.Sum(trial => trial.CleanNotGood)} | ")
        + Invariant($"{trials.Sum(trial => trial.HitFiles):N0} | {trials.Sum(trial => trial.WrongFiles):N0} | ")
        + Invariant($"{trials.Sum(trial => trial.GoodFiles):N0} | {trials.Sum(trial => trial.StaleFiles):N0} | ")
        + Invariant($"{trials.Sum(trial => trial.FalseAlarms)} |");

    private static async Task LogAsync(TextWriter log, MeasuredTrial[] trials, double share)
    {
        await LogAsync(log, "missed", trials.Where(trial => trial.Delay != 0 && share >= LeastShare));
        await LogAsync(log, "wrong", trials.Where(trial => trial.WrongFiles > 0));
        await LogAsync(log, "false", trials.Where(trial => trial.FalseAlarms > 0));
        await LogAsync(log, "notyet", trials.Where(trial => trial.CleanNotGood > 0));
    }

    private static async Task LogAsync(TextWriter log, string what, IEnumerable<MeasuredTrial> trials)
    {
        foreach (MeasuredTrial trial in trials)
        {
            await log.WriteLineAsync(
                Invariant(
                    $"{what}: {trial.Kind} {trial.Share} seed {trial.Seed}, {trial.Files} files, {trial.Versions} versions, "
                )
                    + Invariant($"delay {trial.Delay}, wrong {trial.WrongFiles} of {trial.HitFiles}, ")
                    + Invariant($"older {trial.StaleFiles} of {trial.GoodFiles}, {trial.Why} # {trial.Note}")
            );
        }
    }

    private async Task<MeasuredTrial[]> RunAsync(int kind, double share, int first, int count)
    {
        MeasuredTrial[] done = new MeasuredTrial[count];
        await Parallel.ForAsync(0, count, async (n, _) => done[n] = await run(kind, share, first + n));
        return done;
    }
}
