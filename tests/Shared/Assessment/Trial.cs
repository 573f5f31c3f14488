using Restore.Assessment;

namespace Restore.Tests.Assessment;

/// <summary>One made history and what the assessment says about it.</summary>
internal sealed record Trial(Life Life, Accident Accident, double Share, int Files, int Versions, int Seed)
{
    /// <summary>
    /// Versions before the accident that have a predecessor: none of them may be suspect.
    /// </summary>
    public int NormalVersions { get; private set; }

    public int FalseAlarms { get; private set; }

    /// <summary>
    /// How many versions after the first with the accident is the first suspect one; null if no
    /// version is.
    /// </summary>
    public int? Delay { get; private set; }

    /// <summary>
    /// Files that were hit and are restored with the content that the accident made, or not at all.
    /// </summary>
    public int WrongFiles { get; private set; }

    public int HitFiles { get; private set; }

    public bool RecommendsGood { get; private set; }

    public string Why { get; private set; } = "";

    public static async Task<Trial> RunAsync(
        Life life,
        Accident accident,
        double share,
        int files,
        int versions,
        int seed
    )
    {
        Trial trial = new(life, accident, share, files, versions, seed);
        await trial.RunAsync().ConfigureAwait(false);
        return trial;
    }

    private async Task RunAsync()
    {
        MadeTree tree = new(Seed);
        Lives lives = new(tree, Life, Files, Versions);
        Accidents accidents = new(tree, Accident, Share);
        int day = Accident == Accident.None ? Versions : (Versions / 2) + tree.Chance.Next(Versions - (Versions / 2));
        ListsInOrder lists = new();
        lives.Begin();
        for (int version = 0; version < Versions; version++)
        {
            if (version > 0)
            {
                accidents.BackedUp.Clear();
                accidents.BackedUp.UnionWith(tree.Files.Keys);
                lives.Pass(version);
            }

            if (version == day || (version > day && accidents.IsSlow))
            {
                accidents.Happen();
            }

            await tree.AddToAsync(lists, version, Versions).ConfigureAwait(false);
        }

        Judge(HistoryAssessor.Assess(lists), day, tree, accidents);
    }

    private void Judge(AssessedHistory found, int day, MadeTree tree, Accidents accidents)
    {
        VersionAssessment[] byAge = [.. found.Assessment.Versions.Reverse()];
        NormalVersions = day - 1;
        FalseAlarms = byAge.Take(day).Count(one => one.Verdict == VersionVerdict.Suspect);
        int first = Array.FindIndex(byAge, day, one => one.Verdict == VersionVerdict.Suspect);
        Delay = first < 0 ? null : first - day;
        HitFiles = accidents.Hit.Count;
        RecommendsGood = found.Assessment.Recommended is int index && Versions - 1 - index < day;
        Why = string.Join(
            "; ",
            byAge.Take(day).Where(one => one.Verdict == VersionVerdict.Suspect).Take(1).SelectMany(one => one.Reasons)
        );
        foreach ((string path, MadeFile good) in accidents.Hit)
        {
            if (found.Table.TryFind(System.Text.Encoding.UTF8.GetBytes(path), out int row))
            {
                bool isBadNow = tree.Files.TryGetValue(path, out MadeFile now) && accidents.Bad.Contains(now.Content);
                bool isGone = !tree.Files.ContainsKey(path) && accidents.Removes;
                WrongFiles +=
                    (isBadNow || isGone) && !(found.States.IsSuspect(row) && found.States.GoodTo(row) >= 0) ? 1 : 0;
            }
        }
    }
}
