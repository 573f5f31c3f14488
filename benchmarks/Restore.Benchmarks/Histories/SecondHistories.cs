using System.Text;
using Restore.Tests.Assessment;
using static System.FormattableString;

namespace Restore.Benchmarks.Histories;

/// <summary>
/// Measures the same with the second generator: other lives, other accidents, 5 to 40 versions of
/// 200 to 3,000 files and more.
/// </summary>
internal static class SecondHistories
{
    private static readonly double[] Shares = [0.01, 0.05, 0.2, 0.8];

    public static async Task MeasureAsync(StringBuilder text, int runs, int seed, TextWriter log)
    {
        text.AppendLine("## The second generator").AppendLine();
        SecondTrial[] normal = await RunAsync(
            Enumerable.Range(0, runs * 10).Select(n => (Harm.None, 0.0, (seed * 1_000_003) + n))
        );
        await LogAsync(log, normal.Where(trial => trial.FalseAlarms > 0), "false");
        int versions = normal.Sum(trial => trial.NormalVersions);
        int alarms = normal.Sum(trial => trial.FalseAlarms);
        text.AppendLine(
                Invariant($"Normal life: {normal.Length} histories, {versions:N0} versions, {alarms} called suspect ")
                    + Invariant($"({alarms * 1000.0 / versions:F2} of 1,000); ")
                    + Invariant($"{normal.Count(trial => trial.FalseAlarms > 0)} histories have any.")
            )
            .AppendLine();
        text.AppendLine(
                "Missed: versions with the accident that are called good. Not yet: versions that are called suspect although all "
                    + "files are back. Older: files restored older than the newest version has them, although nothing happened to them."
            )
            .AppendLine();
        text.AppendLine(
            "| accident | share | histories | seen | later | wrong recommendation | versions missed | not yet |"
                + " hit files | wrong | older | false |"
        );
        text.AppendLine("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        foreach (Harm harm in Enum.GetValues<Harm>().Where(harm => harm != Harm.None))
        {
            foreach (double share in harm == Harm.Weeks ? [0.01] : Shares)
            {
                SecondTrial[] trials = await RunAsync(
                    Enumerable
                        .Range(0, runs)
                        .Select(n =>
                            (harm, share, (seed * 7_000_003) + ((int)harm * 1009) + (int)(share * 100_000) + n)
                        )
                );
                await LogAsync(log, trials.Where(trial => trial.Delay != 0 && (share >= 0.05)), "missed");
                await LogAsync(log, trials.Where(trial => trial.Delay == 0 && trial.WrongFiles > 0), "wrong");
                await LogAsync(log, trials.Where(trial => trial.FalseAlarms > 0), "false");
                await LogAsync(log, trials.Where(trial => trial.CleanNotGood > 0), "notyet");
                text.AppendLine(
                    Invariant(
                        $"| {harm} | {share:P0} | {runs} | {trials.Count(trial => trial.Delay == 0) * 100.0 / runs:F1} % | "
                    )
                        + Invariant($"{trials.Count(trial => trial.Delay > 0)} | ")
                        + Invariant(
                            $"{trials.Count(trial => !trial.RecommendsGood)} | {trials.Sum(trial => trial.BadCalledGood)} | "
                        )
                        + Invariant($"{trials.Sum(trial => trial.CleanNotGood)} | ")
                        + Invariant(
                            $"{trials.Sum(trial => trial.HitFiles):N0} | {trials.Sum(trial => trial.WrongFiles):N0} | "
                        )
                        + Invariant(
                            $"{trials.Sum(trial => trial.StaleFiles):N0} | {trials.Sum(trial => trial.FalseAlarms)} |"
                        )
                );
            }
        }
    }

    private static async Task LogAsync(TextWriter log, IEnumerable<SecondTrial> trials, string what)
    {
        foreach (SecondTrial trial in trials)
        {
            await log.WriteLineAsync(
                Invariant(
                    $"{what}: {trial.Harm} {trial.Share} seed {trial.Seed}, {trial.Files} files, {trial.Versions} versions, "
                )
                    + Invariant(
                        $"delay {trial.Delay}, wrong {trial.WrongFiles} of {trial.HitFiles}, {trial.Why} # {trial.Note}"
                    )
            );
        }
    }

    private static async Task<SecondTrial[]> RunAsync(IEnumerable<(Harm Harm, double Share, int Seed)> trials)
    {
        (Harm Harm, double Share, int Seed)[] all = [.. trials];
        SecondTrial[] done = new SecondTrial[all.Length];
        await Parallel.ForAsync(
            0,
            all.Length,
            async (n, _) => done[n] = await SecondTrial.RunAsync(all[n].Harm, all[n].Share, all[n].Seed)
        );
        return done;
    }
}
