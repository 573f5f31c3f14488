using Restore.Assessment;

namespace Restore.Tests.Assessment;

/// <summary>
/// What the assessment says about one made history of the second or the third generator; every file
/// of the restore is checked.
/// </summary>
internal abstract record MeasuredTrial(double Share, int Seed)
{
    public int Files { get; protected set; }

    public int Versions { get; protected set; }

    public int NormalVersions { get; private set; }

    public int FalseAlarms { get; private set; }

    /// <summary>Null if no version from the accident on is suspect.</summary>
    public int? Delay { get; private set; }

    public bool RecommendsGood { get; private set; }

    /// <summary>Versions with the accident that are called good.</summary>
    public int BadCalledGood { get; private set; }

    /// <summary>Versions after all files were brought back that are not called good.</summary>
    public int CleanNotGood { get; private set; }

    public int HitFiles { get; private set; }

    /// <summary>Files restored as the accident left them, or missing, although a good one exists.</summary>
    public int WrongFiles { get; private set; }

    /// <summary>Files of the newest version that the accident did not make.</summary>
    public int GoodFiles { get; private set; }

    /// <summary>
    /// Of these, files that are restored older than the newest version has them, or not at all.
    /// </summary>
    public int StaleFiles { get; private set; }

    public string Why { get; private set; } = "";

    /// <summary>What the accident was like.</summary>
    public string Note { get; private set; } = "";

    /// <summary>What the accident was.</summary>
    public abstract string Kind { get; }

    /// <summary>The files of each version.</summary>
    protected List<Dictionary<string, MadeFile>> History { get; } = [];

    /// <summary>The version in which all files were brought back.</summary>
    protected int Cleaned { get; set; } = int.MaxValue;

    protected void Judge(ListsInOrder lists, int start, TrialHarm harm, Func<int, string> eventOf)
    {
        AssessedHistory found = HistoryAssessor.Assess(lists);
        VersionAssessment[] byAge = [.. found.Assessment.Versions.Reverse()];
        bool IsSuspect(int version) => byAge[version].Verdict == VersionVerdict.Suspect;
        bool HasDoubts(int version) => byAge[version].Reasons[^1].Contains(" look", StringComparison.Ordinal);
        NormalVersions = start - 1;
        int[] alarms = [.. Enumerable.Range(0, start).Where(IsSuspect)];
        FalseAlarms = alarms.Length;
        if (alarms.Length > 0)
        {
            Why = $"{eventOf(alarms[0])} v{alarms[0]} of {Versions}: {byAge[alarms[0]].Reasons[0]}";
        }

        int dirtyTo = Math.Min(Cleaned, Versions);
        Delay = Enumerable
            .Range(start, Versions - start)
            .Where(IsSuspect)
            .Select(n => (int?)(n - start))
            .FirstOrDefault();
        BadCalledGood = Enumerable.Range(start, dirtyTo - start).Count(n => !IsSuspect(n));
        CleanNotGood = Enumerable.Range(dirtyTo, Versions - dirtyTo).Count(IsSuspect);
        RecommendsGood =
            found.Assessment.Recommended is int index
            && (Versions - 1 - index < start || Versions - 1 - index >= Cleaned);
        Note =
            $"{harm.Text} at v{start}, cleaned v{Cleaned}; {TextOf(lists.Transitions[start == Versions ? 0 : start])}";
        foreach (int doubted in Enumerable.Range(0, start).Where(HasDoubts))
        {
            Note += $" DOUBTS v{doubted}: {byAge[doubted].Reasons[^1]}; {TextOf(lists.Transitions[doubted])}";
        }

        foreach (int dirty in Enumerable.Range(dirtyTo, Versions - dirtyTo).Where(IsSuspect).Take(1))
        {
            Note += $" STILL v{dirty}: {string.Join("; ", byAge[dirty].Reasons)}";
        }

        CheckFiles(found, harm, start);
    }

    private static string TextOf(Transition seen) =>
        $"steady {seen.Steady}; "
        + string.Join(
            ' ',
            Enum.GetValues<Signs>().Where(sign => sign != 0 && seen[sign] > 0).Select(sign => $"{sign}={seen[sign]}")
        )
        + $" groups={seen.KeptGroupsHit} const={seen.GrowthIsConstant} one={seen.OneKind}"
        + $" added={seen.Added} removed={seen.Removed} moved={seen.Moved}";

    private void CheckFiles(AssessedHistory found, TrialHarm harm, int start)
    {
        Dictionary<string, MadeFile> newest = History[^1];
        foreach (string path in harm.Hit.Keys.Union(newest.Keys))
        {
            MadeFile? restored = RestoredOf(found, path);
            bool isThere = newest.TryGetValue(path, out MadeFile now);
            if (isThere && !harm.Bad.Contains(now.Content))
            {
                GoodFiles++;
                StaleFiles += restored?.Content == now.Content ? 0 : 1;
            }
            else if (harm.Hit.ContainsKey(path) && LastGoodOf(path, harm, start) is ulong good)
            {
                HitFiles++;
                WrongFiles += restored?.Content == good ? 0 : 1;
            }
        }
    }

    /// <summary>
    /// The newest content in any version that the accident did not make; null if there is none, or
    /// the file was removed in normal life.
    /// </summary>
    private ulong? LastGoodOf(string path, TrialHarm harm, int start)
    {
        int last = History.FindLastIndex(version => version.ContainsKey(path));
        if (last < 0)
        {
            return null;
        }

        bool isRemovedByHarm =
            harm.Bad.Contains(History[last][path].Content) || last + 1 == start || (last == start && harm.GoesOn);
        if (last < Versions - 1 && !isRemovedByHarm)
        {
            return null;
        }

        for (int version = Versions - 1; version >= 0; version--)
        {
            if (History[version].TryGetValue(path, out MadeFile file) && !harm.Bad.Contains(file.Content))
            {
                return file.Content;
            }
        }

        return null;
    }

    private MadeFile? RestoredOf(AssessedHistory found, string path)
    {
        if (!found.Table.TryFind(System.Text.Encoding.UTF8.GetBytes(path), out int row))
        {
            return null;
        }

        int version =
            found.States.IsSuspect(row) ? found.States.GoodTo(row)
            : found.States.IsPresent(row) ? Versions - 1
            : -1;
        return version >= 0 && History[version].TryGetValue(path, out MadeFile file) ? file : null;
    }
}
