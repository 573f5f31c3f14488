namespace Restore.Assessment;

/// <summary>
/// Finds encryption that takes a few files of each version: the same few bytes are added to nearly
/// all of the files that rarely change, version after version.
/// </summary>
internal sealed class SlowAttack(IReadOnlyList<Transition> transitions)
{
    // So many versions together are looked at.
    private const int Together = 5;
    private const double LeastShare = 0.02;
    private const int LeastFiles = 15;
    private const int LeastInVersion = 3;
    private const double Most = 0.6;

    // What happened in one version alone is judged there.
    private const double MostInOne = 0.6;

    // A backup in a quarter of the versions of which the same happens is one of databases or
    // images.
    private const double HabitQuarter = 0.25;
    private const double SameSize = 0.3;

    public IEnumerable<Alarm> Find(IReadOnlyDictionary<Transition, Alarm> known)
    {
        double[] sums = [.. transitions.Select(seen => (double)SumOf(seen))];
        HashSet<Transition> found = [];
        for (int i = 0; i < sums.Length; i++)
        {
            if (sums[i] < Math.Max(LeastFiles, LeastShare * transitions[i].Steady) || IsHabit(sums, i))
            {
                continue;
            }

            foreach (Transition seen in WindowOf(transitions[i]))
            {
                if (IsPure(seen) && !known.ContainsKey(seen) && found.Add(seen))
                {
                    string reason =
                        $"{seen[Signs.SameGrowth]:N0} files have new content and {seen.Details[Signs.SameGrowth]}, and so have "
                        + $"{sums[i]:N0} within {Together} versions, as with slow encryption";
                    yield return new Alarm(seen, Signs.AnyChange | Signs.Note, [reason]) { Core = Signs.SameGrowth };
                }
            }
        }
    }

    private static bool IsPure(Transition seen) =>
        seen[Signs.SameGrowth] >= LeastInVersion && seen[Signs.SameGrowth] >= Most * seen[Signs.AnyChange];

    private static bool IsHabit(double[] sums, int place)
    {
        double[] others = [.. sums.Where((_, i) => i != place).Order()];
        return others.Length == 0 || others[(int)(others.Length * HabitQuarter)] > sums[place] * SameSize;
    }

    private int SumOf(Transition seen)
    {
        Transition[] window = [.. WindowOf(seen)];
        int same = window.Sum(one => one[Signs.SameGrowth]);
        if (window.Any(one => one[Signs.SameGrowth] > MostInOne * same))
        {
            return 0;
        }

        return same >= Most * window.Sum(one => one[Signs.AnyChange]) ? same : 0;
    }

    private IEnumerable<Transition> WindowOf(Transition seen) =>
        transitions.Where(other =>
            other.OneKind == Signs.None
            && other.Version <= seen.Version
            && other.Version > seen.Version - Together
            && Math.Abs(other.GrowthFrom - seen.GrowthFrom) <= Growth.Window
        );
}
