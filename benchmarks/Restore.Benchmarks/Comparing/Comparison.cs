using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Reporting;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Comparing;

/// <summary>The runs of two programs with one data set.</summary>
/// <param name="Name">The data set.</param>
/// <param name="Usages">The runs of the program of before, and those of the one of after.</param>
/// <param name="AtMost">The most time that the second may take, in times of the first one's; null
/// if it only may not be slower.</param>
internal sealed record Comparison(string Name, IReadOnlyList<Usage>[] Usages, double? AtMost)
{
    private static readonly (string Name, Func<Usage, double> Of, Func<double, string> Text)[] Figures =
    [
        ("wall s", usage => usage.Wall.TotalSeconds, Units.Seconds),
        ("user s", usage => usage.User.TotalSeconds, Units.Seconds),
        ("system s", usage => usage.System.TotalSeconds, Units.Seconds),
        ("peak MB", usage => usage.PeakBytes, Units.Megabytes),
        ("page faults", usage => usage.PageFaults, Units.Whole),
        ("context switches, voluntary", usage => usage.Waits, Units.Whole),
        ("context switches, others", usage => usage.Interruptions, Units.Whole),
    ];

    /// <summary>Whether the second program is as fast as it has to be.</summary>
    public bool IsGood => AtMost is { } most ? Ratio <= most : !IsSlower;

    private Spread Before => Wall(0);

    private Spread After => Wall(1);

    private double Ratio => After.Median / Before.Median;

    // Where the ranges overlap, another run could say the opposite.
    private bool IsFaster => After.Max < Before.Min;

    private bool IsSlower => After.Min > Before.Max;

    public string Table() =>
        string.Join(
            '\n',
            [
                $"| {Name} | before | after | ratio |",
                "|---|---:|---:|---:|",
                .. Figures.Select(Row),
                "",
                $"{Name}: {Verdict()}",
                "",
            ]
        );

    private string Verdict()
    {
        string found =
            IsFaster ? "faster"
            : IsSlower ? "slower"
            : "no difference beyond chance";
        string goal = AtMost is { } most ? $"; at most {Units.Factor(most)}: {(IsGood ? "met" : "missed")}" : "";
        return $"{found}, {Units.Factor(Ratio)} of the time of before{goal}";
    }

    private string Row((string Name, Func<Usage, double> Of, Func<double, string> Text) figure)
    {
        Spread[] both = [.. Usages.Select(runs => Spread.Of(runs.Select(figure.Of)))];
        string ratio = both[0].Median > 0 ? Units.Factor(both[1].Median / both[0].Median) : "-";
        return $"| {figure.Name} | {Text(both[0])} | {Text(both[1])} | {ratio} |";

        string Text(Spread spread) =>
            $"{figure.Text(spread.Median)} ({figure.Text(spread.Min)}-{figure.Text(spread.Max)})";
    }

    private Spread Wall(int program) => Spread.Of(Usages[program].Select(usage => usage.Wall.TotalSeconds));
}
