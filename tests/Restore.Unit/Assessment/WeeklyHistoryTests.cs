using Restore.Tests.Assessment;

namespace Restore.Tests.Assessment;

/// <summary>Versions of a week each, as few as ten, with what people do to many files at once.</summary>
public class WeeklyHistoryTests
{
    [Fact]
    public async Task No_week_of_normal_life_is_suspect()
    {
        List<ThirdTrial> trials = [];
        for (int seed = 1; seed <= 25; seed++)
        {
            trials.Add(await ThirdTrial.RunAsync(Attack.None, 0, 950_000 + seed));
        }

        Assert.Equal("", string.Join("; ", trials.Select(trial => trial.Why).Where(why => why.Length > 0)));
    }

    public static TheoryData<string> Attacks() =>
        [.. Enum.GetNames<Attack>().Except([nameof(Attack.None)], StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Attacks))]
    public async Task An_attack_is_seen_at_once_and_no_file_of_it_is_restored(string attack)
    {
        for (int seed = 1; seed <= 4; seed++)
        {
            ThirdTrial trial = await ThirdTrial.RunAsync(Enum.Parse<Attack>(attack), 0.3, 960_000 + seed);
            Assert.True(trial.Delay == 0, $"seed {seed}: seen after {trial.Delay} versions: {trial.Note}");
            Assert.True(trial.RecommendsGood, $"seed {seed}: a version with the attack is recommended");
            Assert.True(trial.WrongFiles == 0, $"seed {seed}: {trial.WrongFiles} of {trial.HitFiles} files are wrong");
        }
    }
}
