namespace Restore.Assessment;

/// <summary>The files of one version that are looked into.</summary>
internal sealed record InsideSample(Transition Transition, IReadOnlyList<SampledFile> Files)
{
    // So few are encrypted by chance never, and by malware always.
    private const int LeastBad = 2;
    private const double LeastShare = 0.1;

    private const int MostFiles = 24;

    /// <summary>How many files could be compared, and what was found.</summary>
    public int Compared { get; set; }

    public int OtherBeginning { get; set; }

    public int Random { get; set; }

    /// <summary>
    /// Chooses changed files of a version: at first those that changed as encrypted files do, and
    /// of these from all folders.
    /// </summary>
    public static InsideSample Of(ListsInOrder lists, Transition transition)
    {
        const Signs Likely = Signs.SameGrowth | Signs.SmallGrowth | Signs.KeptType | Signs.Shrunk;
        List<FileEvent> changed = [];
        for (int i = transition.EventsFrom; i < transition.EventsTo; i++)
        {
            FileEvent happened = lists.Log[i];
            if (happened.Kind == EventKind.Changed && happened.Signs.HasFlag(Signs.AnyChange) && happened.Content != 0)
            {
                changed.Add(happened);
            }
        }

        FileEvent[] likely = [.. changed.Where(happened => (happened.Signs & Likely) != 0)];
        FileEvent[] others = [.. changed.Where(happened => (happened.Signs & Likely) == 0)];
        int ofLikely = Math.Min(likely.Length, Math.Max(MostFiles * 3 / 4, MostFiles - others.Length));
        return new InsideSample(
            transition,
            [
                .. Spread(likely, ofLikely)
                    .Concat(Spread(others, MostFiles - ofLikely))
                    .Select(happened => new SampledFile(
                        lists.Table.PathText(happened.Row),
                        lists.Table[happened.Row].SizeBytes
                    )),
            ]
        );
    }

    public void Count(InsideSign sign)
    {
        Compared++;
        OtherBeginning += sign == InsideSign.OtherBeginning ? 1 : 0;
        Random += sign == InsideSign.Random ? 1 : 0;
    }

    /// <summary>Null if nothing is typical of encryption.</summary>
    public Alarm? ToAlarm()
    {
        int bad = OtherBeginning + Random;
        if (bad < LeastBad || bad < LeastShare * Compared)
        {
            return null;
        }

        string reason =
            $"{bad:N0} of {Compared:N0} changed files that were looked into are encrypted: {OtherBeginning:N0} do not begin "
            + $"as their types do any more, {Random:N0} have random bytes where others were";
        return new Alarm(Transition, Signs.AnyChange | Signs.Note, [reason]) { Core = Signs.AnyChange };
    }

    private static IEnumerable<FileEvent> Spread(FileEvent[] from, int count)
    {
        for (int n = 0; n < count && n < from.Length; n++)
        {
            yield return from[(int)((long)n * from.Length / Math.Min(count, from.Length))];
        }
    }
}
