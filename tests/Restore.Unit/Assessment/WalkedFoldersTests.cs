using Restore.Assessment;

namespace Restore.Tests.Assessment;

/// <summary>New content of one kind of files: the work of a program, or of what walks through folders.</summary>
public class WalkedFoldersTests
{
    [Fact]
    public async Task New_content_of_all_pictures_of_some_folders_is_suspect()
    {
        VersionAssessment newest = await AssessAsync((folder, _) => folder < 7);
        Assert.Equal(VersionVerdict.Suspect, newest.Verdict);
    }

    [Fact]
    public async Task New_content_of_all_pictures_is_the_work_of_a_program() =>
        Assert.Equal(VersionVerdict.Good, (await AssessAsync((_, _) => true)).Verdict);

    [Fact]
    public async Task New_content_of_nearly_all_pictures_is_the_work_of_a_program() =>
        Assert.Equal(VersionVerdict.Good, (await AssessAsync((_, n) => n % 9 != 4)).Verdict);

    [Fact]
    public async Task New_content_of_pictures_in_some_folders_with_others_between_is_the_work_of_a_program() =>
        Assert.Equal(VersionVerdict.Good, (await AssessAsync((folder, n) => folder < 8 && n % 7 != 4)).Verdict);

    private static async Task<VersionAssessment> AssessAsync(Func<int, int, bool> isHit)
    {
        const int Versions = 8;
        MadeTree tree = new(6);
        for (int folder = 0; folder < 10; folder++)
        {
            for (int n = 0; n < 20; n++)
            {
                tree.Add($"/home/ann/photos/{folder}/p{n:00}.jpg", 2_000_000 + (folder * 9_973) + (n * 7_919));
                tree.Add($"/home/ann/office/{folder}/t{n:00}.odt", 30_000 + (folder * 997) + (n * 1_009));
            }
        }

        ListsInOrder lists = new();
        for (int version = 0; version < Versions; version++)
        {
            tree.Day = version;
            if (version == Versions - 1)
            {
                foreach (string path in tree.Pick(1, path => path.EndsWith(".jpg", StringComparison.Ordinal)))
                {
                    string[] parts = path.Split('/');
                    int folder = int.Parse(parts[4], System.Globalization.CultureInfo.InvariantCulture);
                    int n = int.Parse(parts[5][1..3], System.Globalization.CultureInfo.InvariantCulture);
                    if (isHit(folder, n))
                    {
                        tree.Change(path, tree.Files[path].SizeBytes);
                    }
                }
            }

            await tree.AddToAsync(lists, version, Versions);
        }

        return HistoryAssessor.Assess(lists).Assessment.Versions[0];
    }
}
