using Restore.Assessment;

namespace Restore.Tests.Assessment;

/// <summary>
/// One history of the second generator, and what the assessment says about it; every file of the
/// restore is checked.
/// </summary>
internal sealed record SecondTrial(Harm Harm, double Share, int Seed) : MeasuredTrial(Share, Seed)
{
    private readonly Dictionary<int, Burst> bursts = [];

    public override string Kind => Harm.ToString();

    public static async Task<SecondTrial> RunAsync(Harm harm, double share, int seed)
    {
        SecondTrial trial = new(harm, share, seed);
        await trial.RunAsync().ConfigureAwait(false);
        return trial;
    }

    private async Task RunAsync()
    {
        MadeTree tree = new(Seed);
        Files = new[] { 200, 400, 1000, 3000 }[tree.Chance.Next(4)];
        Versions = tree.Chance.Next(3) == 0 ? tree.Chance.Next(5, 11) : tree.Chance.Next(11, 41);
        Household life = new(tree, Files);
        int start = Harm == Harm.None ? Versions : tree.Chance.Next(2, Versions);
        if (Harm is not Harm.None && tree.Chance.Next(3) == 0)
        {
            start = Versions - 1;
        }

        if (Harm is not Harm.None and not Harm.Weeks && start < Versions - 2 && tree.Chance.Next(3) == 0)
        {
            Cleaned = tree.Chance.Next(start + 2, Versions);
        }

        Harms harms = new(tree, Harm, Share);
        Burst[] kinds = Enum.GetValues<Burst>();
        ListsInOrder lists = new();
        for (int version = 0; version < Versions; version++)
        {
            tree.Day = version;
            if (version > 0)
            {
                life.Day();
                if (version != start && tree.Chance.Next(6) == 0)
                {
                    bursts[version] = kinds[tree.Chance.Next(kinds.Length)];
                    if (version < start)
                    {
                        life.Happen(bursts[version]);
                    }
                }
            }

            if (version == start || (version > start && version < Cleaned && harms.GoesOn))
            {
                harms.Happen();
            }

            if (version == Cleaned)
            {
                harms.CleanUp();
            }

            History.Add(new Dictionary<string, MadeFile>(tree.Files, StringComparer.Ordinal));
            await tree.AddToAsync(lists, version, Versions).ConfigureAwait(false);
        }

        Judge(
            lists,
            start,
            new TrialHarm(harms.Hit, harms.Bad, harms.GoesOn, harms.ToString()),
            version => bursts.TryGetValue(version, out Burst one) ? one.ToString() : "day"
        );
    }
}
