namespace Restore.Assessment;

/// <summary>When a sign is an alarm, and which files it makes suspect.</summary>
/// <param name="Sign">The sign that is counted.</param>
/// <param name="LeastShare">The least share of the files, however quiet the history is.</param>
/// <param name="LeastFiles">The least number of files; fewer in a backup of few files.</param>
/// <param name="Hits">The signs of the files that are suspect then.</param>
internal sealed record Rule(Signs Sign, double LeastShare, int LeastFiles, Signs Hits)
{
    // Of a backup of few files so many are needed.
    private const double SmallShare = 0.3;
    private const int Fewest = 5;

    /// <summary>
    /// How many files may have changed in another way in the same version, for each that has the
    /// sign. Null if it does not matter. An edit, a build or an upgrade changes files in all ways;
    /// what encrypts or truncates them changes all in one way.
    /// </summary>
    public double? MostOthers { get; init; }

    /// <summary>The same if nearly all files with the sign have exactly the length they had.</summary>
    public double? MostOthersIfExact { get; init; }

    /// <summary>Whether it is no alarm if the same has happened in this backup before.</summary>
    public bool IsExcusedByHabit { get; init; }

    /// <summary>
    /// Whether the rule gives no alarm if nearly all files have one type that programs edit all at
    /// once.
    /// </summary>
    public bool IsExcusedByOneKind { get; init; }

    /// <summary>What else has to hold.</summary>
    public Func<Transition, bool> If { get; init; } = _ => true;

    /// <summary>The signs of the files that make later versions suspect while they are left.</summary>
    public Signs Core
    {
        get => field == Signs.None ? UsualCore : field;
        init;
    }

    private Signs UsualCore =>
        (Hits & ~(Signs.AnyChange | Signs.AnyLoss))
        | Sign
        | ((Sign & (Signs.SameGrowth | Signs.SmallGrowth)) != 0 ? Signs.SmallGrowth | Signs.SameGrowth : Signs.None);

    public required Func<Transition, string> Text { get; init; }

    public double Least(double files, double factor) =>
        Math.Max(LeastShare * factor * files, Math.Min(LeastFiles, Math.Max(Fewest, SmallShare * files)));
}
