using System.Globalization;
using Restore.Benchmarks.Goals;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Reporting;

/// <summary>
/// The speed table of README.md: the full restores of one committed run of the goals.
/// </summary>
internal static class SpeedTable
{
    private static readonly (string Group, string Content)[] Sets =
    [
        ("small-random", "1,000 files, 1 GiB"),
        ("small-text", "1,000 files, 1 GiB"),
        ("many", "100,000 tiny files"),
    ];

    private static readonly (string Who, string Name)[] Programs =
    [
        ("restore", "Restore"),
        ("floor", "floor program"),
        ("restic", "restic 0.14"),
    ];

    /// <exception cref="SuiteException">The run lacks a program that the table has.</exception>
    public static string Write(GoalSamples samples) =>
        string.Concat([
            $"| full restore | {string.Join(" | ", Programs.Select(program => program.Name))} |\n",
            $"|---|{string.Concat(Programs.Select(_ => "---:|"))}\n",
            .. Sets.Select(set =>
                $"| {set.Group}: {set.Content} | {string.Join(" | ", Programs.Select(program => Cell(samples, set.Group, program.Who)))} |\n"
            ),
        ]);

    private static string Cell(GoalSamples samples, string group, string who)
    {
        double[] seconds = samples.Of(group, who, GoalSamples.Wall);
        return seconds.Length == 0
            ? throw new SuiteException($"The run has no figure of {who} in {group}.")
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{Units.Seconds(Spread.Of(seconds))} s, {Units.Whole(Spread.Of(samples.Of(group, who, GoalSamples.Peak)).Median)} MB"
            );
    }
}
