namespace Restore.Benchmarks.Goals;

/// <summary>One figure of one run.</summary>
/// <param name="Group">The group of the goals.</param>
/// <param name="Who">The program that ran.</param>
/// <param name="Round">The round, from 1.</param>
/// <param name="Figure">What was measured, with its unit.</param>
/// <param name="Value">The figure.</param>
internal sealed record GoalSample(string Group, string Who, int Round, string Figure, double Value);

/// <summary>The figures of all runs so far.</summary>
internal sealed class GoalSamples
{
    public const string Wall = "wall s";
    public const string User = "user s";
    public const string System = "system s";
    public const string Peak = "peak MB";

    private readonly List<GoalSample> samples = [];

    public IReadOnlyList<GoalSample> All => samples;

    public void Add(GoalSample sample) => samples.Add(sample);

    /// <summary>
    /// One figure of one program in the order of the rounds; nothing if it did not run.
    /// </summary>
    public double[] Of(string group, string who, string figure) =>
        [
            .. samples
                .Where(one => one.Group == group && one.Who == who && one.Figure == figure)
                .OrderBy(one => one.Round)
                .Select(one => one.Value),
        ];
}
