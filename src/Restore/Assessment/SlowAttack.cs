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

    // Edits make files longer by anything. So many times as many as beside it are no chance.
    private const int LeastInPeak = 12;
    private const double LeastPeak = 8;

    // Edits add a few bytes more often.
    private const int FewBytes = 128;
    private const int LeastOfFewBytes = 24;

    // A version with less of a peak had edits that fit into it.
    private const double LeastOfPeak = 0.1;
    private const int Beside = 512;
    private const int LeastTypes = 3;
    private const double MostOfType = 0.8;

    /// <summary>All that is found, one alarm for each version.</summary>
    public IEnumerable<Alarm> Find(IReadOnlyDictionary<Transition, Alarm> known) =>
        FindSame(known).Concat(FindPeaks(known)).DistinctBy(alarm => alarm.Transition);

    /// <summary>
    /// Files of several types that became longer by the same bytes, among edits of any number.
    /// </summary>
    private IEnumerable<Alarm> FindPeaks(IReadOnlyDictionary<Transition, Alarm> known)
    {
        for (int i = 0; i < transitions.Count; i++)
        {
            Transition[] window =
            [
                .. transitions.Where(other =>
                    other.OneKind == Signs.None
                    && other.Version <= transitions[i].Version
                    && other.Version > transitions[i].Version - Together
                    && !known.ContainsKey(other)
                ),
            ];
            (int from, int count) = PeakOf([.. window.SelectMany(one => one.Growths)]);
            if (count == 0 || IsUsual(from, window))
            {
                continue;
            }

            foreach (Transition seen in window)
            {
                int files = CountOf(seen, from);
                if (files >= Math.Max(LeastInVersion - 1, LeastOfPeak * count))
                {
                    string reason =
                        $"{files:N0} files have new content and {from:N0} to {from + Growth.Window:N0} bytes more, and so have "
                        + $"{count:N0} of several types within {Together} versions, as with slow encryption";
                    yield return new Alarm(seen, Signs.AnyChange | Signs.Note, [reason])
                    {
                        Core = Signs.SameGrowth | Signs.SmallGrowth,
                        GrowthFrom = from,
                    };
                }
            }
        }
    }

    private static int CountOf(Transition seen, int from) => seen.Growths.Count(one => Growth.IsIn(one.Bytes, from));

    /// <summary>Whether the other versions have as many such files.</summary>
    private bool IsUsual(int from, Transition[] window)
    {
        int first = window.Min(one => one.Version);
        double[] others = [.. transitions.Where(one => one.Version < first).Select(one => (double)CountOf(one, from))];
        double most = window.Max(one => CountOf(one, from));
        return others.Length > 0 && Usual.Of(others).Most >= most;
    }

    /// <returns>Where the peak begins, and how many files are in it; 0 if there is none.</returns>
    private static (int From, int Count) PeakOf((int Bytes, int Type, int Row)[] growths)
    {
        (int Bytes, int Type, int Row)[] longer = [.. growths.Where(one => one.Bytes > 0)];
        (long begin, int most) = Growth.BestWindow([.. longer.Select(one => (long)one.Bytes)]);
        int from = (int)begin;
        int near =
            growths.Count(one => one.Bytes >= from - Beside && one.Bytes <= from + Growth.Window + Beside) - most;

        // Edits that make files a little longer are a wide hill.
        int next = Math.Max(
            growths.Count(one => Growth.IsIn(one.Bytes, from - Growth.Window - 1)),
            growths.Count(one => Growth.IsIn(one.Bytes, from + Growth.Window + 1))
        );
        int[] types =
        [
            .. longer.Where(one => Growth.IsIn(one.Bytes, from)).CountBy(one => one.Type).Select(one => one.Value),
        ];
        double expected = Math.Max(1, Math.Max(next, near * (double)Growth.Window / (2 * Beside)));
        return
            most >= (from < FewBytes ? LeastOfFewBytes : LeastInPeak)
            && most >= LeastPeak * expected
            && types.Length >= LeastTypes
            && types.Max() <= MostOfType * most
            ? (from, most)
            : (0, 0);
    }

    private IEnumerable<Alarm> FindSame(IReadOnlyDictionary<Transition, Alarm> known)
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
