using System.Globalization;
using System.Text;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Reporting;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Goals;

/// <summary>
/// The results: the table of goals, the figures of every program, and a line for every single
/// figure.
/// </summary>
internal static class GoalReport
{
    private const string NotMeasured = "not measured";

    private static readonly string[] Figures =
    [
        GoalSamples.Wall,
        GoalSamples.User,
        GoalSamples.System,
        GoalSamples.Peak,
    ];

    public static string Markdown(
        IEnumerable<Goal> goals,
        GoalSamples samples,
        SuiteOptions options,
        Machine machine,
        DateTimeOffset started
    )
    {
        StringBuilder text = new("# The goals, measured\n\n");
        foreach ((string name, string value) in ReportText.Facts(machine, started, options.CommandLine))
        {
            text.AppendLine($"* {name}: {value}");
        }

        text.AppendLine(
            "* Runs: programs of a group take turns in shuffled rounds; a first round is not counted; the first tree of each program is compared "
                + "with the source; source and backup in the page cache; a new folder for each run, and trees of many files stay until the end"
        );
        text.AppendLine()
            .AppendLine(
                "Medians with the lowest and highest in brackets; MB of 10^6 bytes. A ratio is that of the medians."
            )
            .AppendLine();
        text.AppendLine("| goal | measured | against | value | at most | |")
            .AppendLine("|---|---:|---:|---:|---:|---|");
        foreach (Goal goal in goals)
        {
            text.AppendLine(Row(goal, samples));
        }

        text.AppendLine()
            .AppendLine("| group | who | runs | wall s | user s | system s | peak MB |")
            .AppendLine("|---|---|---:|---:|---:|---:|---:|");
        foreach (
            IGrouping<(string Group, string Who), GoalSample> who in samples
                .All.GroupBy(one => (one.Group, one.Who))
                .OrderBy(one => one.Key.Group)
        )
        {
            int runs = who.Max(one => one.Round);
            text.AppendLine(
                $"| {who.Key.Group} | {who.Key.Who} | {runs} | {string.Join(" | ", Figures.Select(figure => Cell(who, figure)))} |"
            );
        }

        return text.ToString();
    }

    public static string Csv(GoalSamples samples)
    {
        StringBuilder csv = new("group,who,round,figure,value\n");
        foreach (GoalSample one in samples.All)
        {
            csv.AppendLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{one.Group},\"{one.Who}\",{one.Round},{one.Figure},{one.Value:F4}"
                )
            );
        }

        return csv.ToString();
    }

    /// <summary>
    /// Reads what <see cref="Csv"/> wrote. In older results the names of programs have commas, and
    /// no quotes around them.
    /// </summary>
    public static GoalSamples ReadCsv(IEnumerable<string> lines)
    {
        GoalSamples samples = new();
        foreach (string[] fields in lines.Skip(1).Where(line => line.Length > 0).Select(line => line.Split(',')))
        {
            samples.Add(
                new GoalSample(
                    fields[0],
                    string.Join(',', fields[1..^3]).Trim('"'),
                    int.Parse(fields[^3], CultureInfo.InvariantCulture),
                    fields[^2],
                    double.Parse(fields[^1], CultureInfo.InvariantCulture)
                )
            );
        }

        return samples;
    }

    private static string Row(Goal goal, GoalSamples samples)
    {
        double[] measured = goal.Measured(samples);
        double[]? yardstick = goal.Yardstick?.Invoke(samples);
        string limit = goal.AtMost is { } most ? Units.Factor(most) : "";
        if (measured.Length == 0 || yardstick?.Length == 0)
        {
            return $"| {goal.What} | {Text(measured, goal.Unit)} | {(yardstick is null ? "" : Text(yardstick, goal.Unit))} | | {limit} | {NotMeasured} |";
        }

        double value = Spread.Of(measured).Median / (yardstick is null ? 1 : Spread.Of(yardstick).Median);
        string against = yardstick is null ? "" : Text(yardstick, goal.Unit);
        string verdict =
            goal.AtMost is null ? ""
            : value <= goal.AtMost ? "met"
            : "missed";
        return $"| {goal.What} | {Text(measured, goal.Unit)} | {against} | **{Units.Factor(value)}** | {limit} | {verdict} |";
    }

    private static string Text(double[] values, string unit) =>
        values.Length == 0 ? "-" : $"{Units.Seconds(Spread.Of(values))} {unit}";

    private static string Cell(IEnumerable<GoalSample> runs, string figure) =>
        runs.Where(one => one.Figure == figure).Select(one => one.Value).ToArray() is { Length: > 0 } values
            ? Units.Seconds(Spread.Of(values))
            : "-";
}
