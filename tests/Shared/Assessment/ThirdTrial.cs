using Restore.Assessment;

namespace Restore.Tests.Assessment;

/// <summary>
/// One history of the third generator, and what the assessment says about it; every file of the
/// restore is checked.
/// </summary>
internal sealed record ThirdTrial(Attack Attack, double Share, int Seed) : MeasuredTrial(Share, Seed)
{
    private readonly Dictionary<int, Event> events = [];

    public override string Kind => Attack.ToString();

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
            Cleaned = tree.Chance.Next(start + 2, Versions);
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

            if (version == start || (version == start + 1 && version < Cleaned && harms.IsTwice))
            {
                harms.Happen(isSecond: version > start);
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
            new TrialHarm(harms.Hit, harms.Bad, harms.IsTwice, harms.ToString()),
            version => events.TryGetValue(version, out Event one) ? one.ToString() : "week"
        );
    }
}
