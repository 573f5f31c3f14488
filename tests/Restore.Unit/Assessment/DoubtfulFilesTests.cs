using System.Text;
using Restore.Assessment;

namespace Restore.Tests.Assessment;

/// <summary>
/// Files that an attack hit although too few others were hit for their version to be suspect.
/// </summary>
public class DoubtfulFilesTests
{
    private const int Versions = 8;

    private static readonly string[] Types = ["odt", "pdf", "jpg", "docx"];

    [Fact]
    public async Task A_file_that_is_empty_now_is_taken_from_the_version_before()
    {
        (AssessedHistory found, _) = await AssessAsync(tree =>
            tree.Files[PathOf(7)] = tree.Files[PathOf(7)] with { SizeBytes = 0, Content = 0 }
        );
        AssertIsTakenFromBefore(found, PathOf(7));
        Assert.Contains(
            "1 file looks",
            string.Join("; ", found.Assessment.Versions[0].Reasons),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Files_of_several_types_that_are_longer_by_the_same_bytes_are_taken_from_the_version_before()
    {
        int[] hit = [3, 14, 25, 36];
        (AssessedHistory found, _) = await AssessAsync(tree => Encrypt(tree, hit, 532));
        Assert.All(hit, n => AssertIsTakenFromBefore(found, PathOf(n)));
        Assert.Equal(hit.Length, Doubtful(found).Count);
    }

    [Fact]
    public async Task Files_that_edits_made_longer_are_taken_from_the_newest_version()
    {
        (AssessedHistory found, _) = await AssessAsync(tree =>
        {
            foreach (int n in (int[])[3, 14, 25, 36])
            {
                tree.Change(PathOf(n), tree.Files[PathOf(n)].SizeBytes + 20 + (n * 61));
            }
        });
        Assert.Empty(Doubtful(found));
    }

    [Fact]
    public async Task Files_with_a_new_extension_come_back_under_their_names_and_the_others_are_left_out()
    {
        int[] hit = [3, 14, 25];
        (AssessedHistory found, _) = await AssessAsync(tree => Rename(tree, hit, path => path + ".locked"));
        Assert.All(hit, n => AssertIsTakenFromBefore(found, PathOf(n)));
        Assert.All(hit, n => Assert.Equal(-1, found.States.GoodTo(RowOf(found, PathOf(n) + ".locked"))));
    }

    [Fact]
    public async Task Files_with_new_names_of_one_new_type_come_back_under_their_names()
    {
        int[] hit = [0, 4, 8, 12];
        (AssessedHistory found, _) = await AssessAsync(tree =>
            Rename(tree, hit, path => $"{path[..(path.LastIndexOf('/') + 1)]}{tree.Word(12)}.qzx")
        );
        Assert.All(hit, n => AssertIsTakenFromBefore(found, PathOf(n)));
    }

    [Fact]
    public async Task Two_files_that_a_person_encrypted_are_taken_as_they_are()
    {
        (AssessedHistory found, _) = await AssessAsync(tree => Rename(tree, [3, 14], path => path + ".gpg"));
        Assert.False(found.States.IsSuspect(RowOf(found, PathOf(3) + ".gpg")));
        Assert.False(
            found.States.IsPresent(RowOf(found, PathOf(3))) && found.States.IsSuspect(RowOf(found, PathOf(3)))
        );
    }

    [Fact]
    public async Task Files_that_an_attack_hit_a_day_later_are_doubtful_too()
    {
        (AssessedHistory found, _) = await AssessAsync(
            tree => Encrypt(tree, [.. Enumerable.Range(0, 40)], 1_000),
            tree => Encrypt(tree, [100], 1_000)
        );
        Assert.True(found.States.IsSuspect(RowOf(found, PathOf(100))));
        Assert.Equal(Versions - 2, found.States.GoodTo(RowOf(found, PathOf(100))));
    }

    [Fact]
    public async Task A_doubtful_file_that_is_edited_again_is_good()
    {
        (AssessedHistory found, _) = await AssessAsync(
            tree => tree.Files[PathOf(7)] = tree.Files[PathOf(7)] with { SizeBytes = 0, Content = 0 },
            tree => tree.Change(PathOf(7), 5_000)
        );
        Assert.False(found.States.IsSuspect(RowOf(found, PathOf(7))));
    }

    [Fact]
    public async Task Names_that_got_the_same_beginning_make_the_version_suspect()
    {
        (AssessedHistory found, _) = await AssessAsync(tree =>
            Rename(tree, [.. Enumerable.Range(0, 30)], path => path.Insert(path.LastIndexOf('/') + 1, "LOCKED-"))
        );
        Assert.Equal(VersionVerdict.Suspect, found.Assessment.Versions[0].Verdict);
        Assert.Contains(
            "with LOCKED- before its name",
            found.Assessment.Versions[0].Reasons[0],
            StringComparison.Ordinal
        );
        AssertIsTaken(found, PathOf(5));
    }

    private static string PathOf(int n) => $"/home/ann/d{n % 4}/f{n:000}.{Types[(n / 4) % Types.Length]}";

    private static void Encrypt(MadeTree tree, int[] files, int added)
    {
        foreach (int n in files)
        {
            tree.Change(PathOf(n), tree.Files[PathOf(n)].SizeBytes + added);
        }
    }

    private static void Rename(MadeTree tree, int[] files, Func<string, string> name)
    {
        foreach (int n in files)
        {
            tree.Files.Remove(PathOf(n), out MadeFile file);
            tree.Add(name(PathOf(n)), file.SizeBytes + 56);
        }
    }

    /// <summary>A history of quiet days, the last of which something happens on.</summary>
    private static async Task<(AssessedHistory Found, MadeTree Tree)> AssessAsync(params Action<MadeTree>[] happens)
    {
        MadeTree tree = new(5);
        for (int n = 0; n < 400; n++)
        {
            tree.Add(PathOf(n), 9_000 + (n * 977));
        }

        ListsInOrder lists = new();
        for (int version = 0; version < Versions; version++)
        {
            tree.Day = version;
            tree.Change("/home/ann/diary.odt", 20_000 + (version * 700));
            int step = version - (Versions - happens.Length);
            if (step >= 0)
            {
                happens[step](tree);
            }

            await tree.AddToAsync(lists, version, Versions);
        }

        return (HistoryAssessor.Assess(lists), tree);
    }

    private static int RowOf(AssessedHistory found, string path)
    {
        Assert.True(found.Table.TryFind(Encoding.UTF8.GetBytes(path), out int row), path);
        return row;
    }

    private static List<int> Doubtful(AssessedHistory found) =>
        [.. Enumerable.Range(0, found.Table.Count).Where(found.States.IsSuspect)];

    private static void AssertIsTakenFromBefore(AssessedHistory found, string path)
    {
        Assert.Equal(VersionVerdict.Good, found.Assessment.Versions[0].Verdict);
        AssertIsTaken(found, path);
    }

    private static void AssertIsTaken(AssessedHistory found, string path)
    {
        int row = RowOf(found, path);
        Assert.True(found.States.IsSuspect(row), path);
        Assert.Equal(Versions - 2, found.States.GoodTo(row));
    }
}
