using System.Text;
using Restore.Assessment;

namespace Restore.Tests.Assessment;

/// <summary>
/// What the assessment says about made histories; benchmarks measure it with many more.
/// </summary>
public sealed class AssessmentTests
{
    private const int Files = 400;

    public static TheoryData<string> Lives() => [.. Enum.GetNames<Life>()];

    public static TheoryData<string> Accidents() =>
        [.. Enum.GetNames<Accident>().Where(name => name is not nameof(Accident.None) and not nameof(Accident.Slow))];

    [Theory]
    [MemberData(nameof(Lives))]
    public async Task No_version_of_a_normal_life_is_suspect(string life)
    {
        for (int seed = 1; seed <= 3; seed++)
        {
            Trial trial = await Trial.RunAsync(Enum.Parse<Life>(life), Accident.None, 0, Files, 15, seed);
            Assert.True(trial.FalseAlarms == 0, $"seed {seed}: {trial.Why}");
        }
    }

    [Theory]
    [MemberData(nameof(Accidents))]
    public async Task An_accident_is_seen_in_the_version_that_has_it_and_each_file_is_restored_as_it_was(
        string accident
    )
    {
        foreach (Life life in new[] { Life.Office, Life.Photos, Life.Source, Life.Mail, Life.YearArchive })
        {
            Trial trial = await Trial.RunAsync(life, Enum.Parse<Accident>(accident), 0.2, Files, 15, seed: 5);
            Assert.True(trial.Delay == 0, $"{life}: seen after {trial.Delay?.ToString() ?? "no"} versions");
            Assert.True(trial.RecommendsGood, $"{life}: a version with the accident is recommended");
            Assert.True(trial.WrongFiles == 0, $"{life}: {trial.WrongFiles} of {trial.HitFiles} files are wrong");
        }
    }

    [Fact]
    public async Task No_version_with_a_burst_of_normal_life_is_suspect()
    {
        List<SecondTrial> trials = [];
        for (int seed = 1; seed <= 25; seed++)
        {
            trials.Add(await SecondTrial.RunAsync(Harm.None, 0, 910_000 + seed));
        }

        Assert.Equal("", string.Join("; ", trials.Select(trial => trial.Why).Where(why => why.Length > 0)));
    }

    public static TheoryData<string> Harms() =>
        [.. Enum.GetNames<Harm>().Except([nameof(Harm.None), nameof(Harm.Weeks)], StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Harms))]
    public async Task An_accident_of_the_second_generator_is_seen_and_no_file_of_it_is_restored(string harm)
    {
        for (int seed = 1; seed <= 4; seed++)
        {
            SecondTrial trial = await SecondTrial.RunAsync(Enum.Parse<Harm>(harm), 0.3, 930_000 + seed);
            Assert.True(trial.Delay == 0, $"seed {seed}: seen after {trial.Delay} versions: {trial.Note}");
            Assert.True(trial.RecommendsGood, $"seed {seed}: a version with the accident is recommended");
            Assert.True(trial.BadCalledGood == 0, $"seed {seed}: {trial.BadCalledGood} bad versions are good");
            Assert.True(trial.CleanNotGood == 0, $"seed {seed}: {trial.Note}");
            Assert.True(trial.WrongFiles == 0, $"seed {seed}: {trial.WrongFiles} of {trial.HitFiles} files are wrong");
        }
    }

    [Fact]
    public async Task A_list_that_is_not_whole_is_incomplete_and_its_missing_files_count_as_they_were()
    {
        ListsInOrder lists = new();
        await AddAsync(lists, 2, Paths(50), defect: null);
        await AddAsync(lists, 1, Paths(5), "It is partial");
        await AddAsync(lists, 0, Paths(50), defect: null);
        BackupAssessment found = HistoryAssessor.Assess(lists).Assessment;
        Assert.Equal(
            [VersionVerdict.Good, VersionVerdict.Incomplete, VersionVerdict.Unknown],
            found.Versions.Select(one => one.Verdict)
        );
        Assert.Equal(0, found.Versions[0].FilesAdded);
        Assert.Equal(0, found.Recommended);
    }

    [Fact]
    public async Task A_version_without_files_is_suspect_and_one_that_has_them_again_is_good()
    {
        ListsInOrder lists = new();
        await AddAsync(lists, 2, Paths(3), defect: null);
        await AddAsync(lists, 1, [], defect: null);
        await AddAsync(lists, 0, Paths(3), defect: null);
        BackupAssessment found = HistoryAssessor.Assess(lists).Assessment;
        Assert.Equal(
            [VersionVerdict.Good, VersionVerdict.Suspect, VersionVerdict.Unknown],
            found.Versions.Select(one => one.Verdict)
        );
        Assert.Contains("has no files", found.Versions[1].Reasons[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Entries_in_another_order_are_the_same_entries()
    {
        ListsInOrder lists = new();
        await AddAsync(lists, 1, Paths(200), defect: null);
        await AddAsync(lists, 0, Paths(200).Reverse(), defect: null);
        VersionAssessment newest = HistoryAssessor.Assess(lists).Assessment.Versions[0];
        Assert.Equal((0, 0, 0, 200), (newest.FilesChanged, newest.FilesAdded, newest.FilesRemoved, newest.Files));
    }

    private static IEnumerable<string> Paths(int count) =>
        Enumerable.Range(0, count).Select(n => $"/home/ann/d{n % 4}/f{n}.odt");

    private static Task AddAsync(ListsInOrder lists, int index, IEnumerable<string> paths, string? defect) =>
        lists.AddAsync(
            new BackupVersion(index, DateTimeOffset.UnixEpoch.AddDays(100 - index), $"v{index}"),
            receive =>
            {
                foreach (string path in paths)
                {
                    byte[] hash = System.Security.Cryptography.SHA256.HashData(Encoding.UTF8.GetBytes(path));
                    receive(
                        new EntryInList(
                            Encoding.UTF8.GetBytes(path),
                            Restore.Format.EntryKind.File,
                            100 + path.Length,
                            638_000_000_000_000_000,
                            hash,
                            []
                        )
                    );
                }

                return Task.FromResult(defect);
            }
        );
}
