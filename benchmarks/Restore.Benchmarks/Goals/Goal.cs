namespace Restore.Benchmarks.Goals;

/// <summary>
/// A goal: a figure, or its ratio to another one of the same rounds, that may be no larger than a
/// limit.
/// </summary>
/// <param name="Group">The group that measures it.</param>
/// <param name="What">What is measured, in words.</param>
/// <param name="Unit">The unit of the figures.</param>
/// <param name="Measured">The figures of the restore.</param>
/// <param name="Yardstick">The figures to compare with; null if the figures themselves have a
/// limit.</param>
/// <param name="AtMost">The limit; null if there is none, and the ratio is to be known.</param>
internal sealed record Goal(
    string Group,
    string What,
    string Unit,
    Func<GoalSamples, double[]> Measured,
    Func<GoalSamples, double[]>? Yardstick,
    double? AtMost
);
