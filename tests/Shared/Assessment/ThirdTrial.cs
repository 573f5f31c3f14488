using Restore.Assessment;

namespace Restore.Tests.Assessment;

/// <summary>
/// One history of the third generator, and what the assessment says about it; every file of the
/// restore is checked.
/// </summary>
internal sealed record ThirdTrial(Attack Attack, double Share, int Seed)
{
    private readonly List<Dictionary<string, MadeFile>> versions = [];
    private readonly Dictionary<int, Event> events = [];
    private int cleaned = int.MaxValue;

    public int Files { get; private set; }

    public int Versions { get; private set; }

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

    /// <summary>Files that were not hit and are restored older than the newest version has them.</summary>
    public int StaleFiles { get; private set; }

    public string First { get; private set; } = "";

    public string Why { get; private set; } = "";

    /// <summary>What the accident was like.</summary>
    public string Note { get; private set; } = "";

    public static async Task<ThirdTrial> RunAsync(Attack attack, double share, int seed)
    {
        ThirdTrial trial = new(attack, share, seed);
        await trial.RunAsync().ConfigureAwait(false);
        return trial;
    }

    private async Task RunAsync()
    {
        MadeTree tree = new(Seed);
        Files = new[] { 300, 800, 2500 }[tree.Chance.Next(3)];
        Versions = tree.Chance.Next(4) == 0 ? tree.Chance.Next(14, 31) : tree.Chance.Next(6, 12);
        bool beginsSmall = tree.Chance.Next(4) == 0;
        WeeklyLife life = new(tree, beginsSmall ? Files / 4 : Files);
        int start =
            Attack == Attack.None ? Versions
            : tree.Chance.Next(3) == 0 ? tree.Chance.Next(beginsSmall ? 2 : 1, 4)
            : tree.Chance.Next(3, Versions);
        if (Attack is not Attack.None && start < Versions - 2 && tree.Chance.Next(3) == 0)
        {
            cleaned = tree.Chance.Next(start + 2, Versions);
        }

        WeeklyAttack harms = new(tree, Attack, Share);
        Event[] kinds = Enum.GetValues<Event>();
        ListsInOrder lists = new();
        for (int version = 0; version < Versions; version++)
        {
            tree.Day = version * 7;
            if (version > 0)
            {
                life.Week();
                if (version == 1 && beginsSmall)
                {
                    life.Grow(Files);
                }
                else if (version < start && tree.Chance.Next(4) == 0)
                {
                    events[version] = kinds[tree.Chance.Next(kinds.Length)];
                    life.Happen(events[version]);
                }
            }

            if (version == start || (version == start + 1 && version < cleaned && harms.IsTwice))
            {
                harms.Happen(isSecond: version > start);
            }

            if (version == cleaned)
            {
                harms.CleanUp();
            }

            versions.Add(new Dictionary<string, MadeFile>(tree.Files, StringComparer.Ordinal));
            await tree.AddToAsync(lists, version, Versions).ConfigureAwait(false);
        }

        Judge(HistoryAssessor.Assess(lists), lists, start, harms);
    }

    private void Judge(AssessedHistory found, ListsInOrder lists, int start, WeeklyAttack harms)
    {
        VersionAssessment[] byAge = [.. found.Assessment.Versions.Reverse()];
        bool IsSuspect(int version) => byAge[version].Verdict == VersionVerdict.Suspect;
        NormalVersions = start - 1;
        int[] alarms = [.. Enumerable.Range(0, start).Where(IsSuspect)];
        FalseAlarms = alarms.Length;
        if (alarms.Length > 0)
        {
            string what = events.TryGetValue(alarms[0], out Event one) ? one.ToString() : "week";
            First = string.Join(
                ' ',
                Enum.GetValues<Signs>()
                    .Where(sign => sign != 0 && lists.Transitions[alarms[0]][sign] > 0)
                    .Select(sign => $"{sign}={lists.Transitions[alarms[0]][sign]}")
            );
            Why = $"{what} v{alarms[0]} of {Versions}: {byAge[alarms[0]].Reasons[0]}";
        }

        int dirtyTo = Math.Min(cleaned, Versions);
        Delay = Enumerable
            .Range(start, Versions - start)
            .Where(IsSuspect)
            .Select(n => (int?)(n - start))
            .FirstOrDefault();
        BadCalledGood = Enumerable.Range(start, dirtyTo - start).Count(n => !IsSuspect(n));
        CleanNotGood = Enumerable.Range(dirtyTo, Versions - dirtyTo).Count(IsSuspect);
        RecommendsGood =
            found.Assessment.Recommended is int index
            && (Versions - 1 - index < start || Versions - 1 - index >= cleaned);
        Transition first = lists.Transitions[start == Versions ? 0 : start];
        Note =
            $"{harms} at v{start}, cleaned v{cleaned}; steady {first.Steady}; "
            + string.Join(
                ' ',
                Enum.GetValues<Signs>()
                    .Where(sign => sign != 0 && first[sign] > 0)
                    .Select(sign => $"{sign}={first[sign]}")
            )
            + $" groups={first.KeptGroupsHit} const={first.GrowthIsConstant} added={first.Added} removed={first.Removed} moved={first.Moved}";
        foreach (int dirty in Enumerable.Range(dirtyTo, Versions - dirtyTo).Where(IsSuspect).Take(1))
        {
            Note += $" STILL v{dirty}: {string.Join("; ", byAge[dirty].Reasons)}";
        }

        CheckFiles(found, harms, start);
    }

    private void CheckFiles(AssessedHistory found, WeeklyAttack harms, int start)
    {
        Dictionary<string, MadeFile> newest = versions[^1];
        foreach (string path in harms.Hit.Keys.Union(newest.Keys))
        {
            MadeFile? restored = RestoredOf(found, path);
            bool isThere = newest.TryGetValue(path, out MadeFile now);
            if (isThere && !harms.Bad.Contains(now.Content))
            {
                StaleFiles += restored?.Content == now.Content ? 0 : 1;
            }
            else if (harms.Hit.ContainsKey(path) && LastGoodOf(path, harms, start) is ulong good)
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
    private ulong? LastGoodOf(string path, WeeklyAttack harms, int start)
    {
        int last = versions.FindLastIndex(version => version.ContainsKey(path));
        if (last < 0)
        {
            return null;
        }

        bool isRemovedByHarm =
            harms.Bad.Contains(versions[last][path].Content) || last + 1 == start || (last == start && harms.IsTwice);
        if (last < Versions - 1 && !isRemovedByHarm)
        {
            return null;
        }

        for (int version = Versions - 1; version >= 0; version--)
        {
            if (versions[version].TryGetValue(path, out MadeFile file) && !harms.Bad.Contains(file.Content))
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
        return version >= 0 && versions[version].TryGetValue(path, out MadeFile file) ? file : null;
    }
}
