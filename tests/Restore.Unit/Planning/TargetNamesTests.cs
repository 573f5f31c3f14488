using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Restore.Format;
using Restore.Planning.Paths;

namespace Restore.Tests.Planning;

[Collection(nameof(Alone))]
public sealed class TargetNamesTests
{
    private readonly TargetNames names = new(TargetRules.Unix);

    [Fact]
    public void Paths_that_differ_are_granted()
    {
        AssertGranted("", EntryKind.Folder);
        AssertGranted("a", EntryKind.Folder);
        AssertGranted("a/b", EntryKind.Folder);
        AssertGranted("a/b/c", EntryKind.File);
        AssertGranted("a/b/C", EntryKind.File);
        AssertGranted("b", EntryKind.File);
        AssertGranted("d/e/f", EntryKind.Symlink);
        AssertGranted("d/e", EntryKind.Folder);
        AssertGranted("d", EntryKind.Folder);
    }

    [Theory]
    [InlineData(EntryKind.File, "A file of the backup has this path already; the first one is kept")]
    [InlineData(EntryKind.Symlink, "A link of the backup has this path already; the first one is kept")]
    [InlineData(EntryKind.Folder, "A folder of the backup has this path already; the first one is kept")]
    internal void The_second_entry_of_a_path_is_refused(EntryKind first, string reason)
    {
        AssertGranted("a/x", first);
        AssertAnswer(reason, "a/x", EntryKind.File);
        AssertAnswer(reason, "a/x", EntryKind.Symlink);
    }

    [Fact]
    public void Two_folders_of_one_path_are_one()
    {
        const string answer = "Two folders of the backup have this path; it gets the attributes of the first";
        AssertGranted("a", EntryKind.Folder);
        AssertAnswer(answer, "a", EntryKind.Folder);
        AssertGranted("", EntryKind.Folder);
        AssertAnswer(answer, "", EntryKind.Folder);
    }

    [Theory]
    [InlineData(EntryKind.File, "The path lies below a file of the backup ('p'); nothing is restored through that")]
    [InlineData(EntryKind.Symlink, "The path lies below a link of the backup ('p'); nothing is restored through that")]
    internal void Nothing_lies_below_a_file_or_a_link(EntryKind parent, string reason)
    {
        AssertGranted("a/p", parent);
        AssertAnswer(reason, "a/p/x", EntryKind.File);
        AssertAnswer(reason, "a/p/x/y", EntryKind.Folder);
        AssertGranted("a/q", EntryKind.File);
    }

    [Fact]
    public void A_file_cannot_be_at_a_path_that_other_entries_need_as_a_folder()
    {
        AssertGranted("a/b/c", EntryKind.File);
        const string answer = "Other entries are restored below this path, so it has to be a folder";
        AssertAnswer(answer, "a/b", EntryKind.File);
        AssertAnswer(answer, "a", EntryKind.Symlink);
    }

    [Fact]
    public void Where_case_makes_no_difference_the_first_spelling_wins()
    {
        var names = new TargetNames(TargetRules.MacOS);
        Assert.Null(names.Claim("Dir/README"u8, EntryKind.File));
        Assert.Equal(
            "A file of the backup has this path already (as 'README'); the first one is kept",
            names.Claim("dir/readme"u8, EntryKind.File)
        );
        Assert.Null(names.Claim("dir"u8, EntryKind.Folder));
        Assert.NotNull(names.Claim("DIR"u8, EntryKind.Folder));
        Assert.Null(names.Claim("dir/É"u8, EntryKind.File));
        Assert.NotNull(names.Claim("DIR/é"u8, EntryKind.File));
        Assert.Null(names.Claim("dir/strasse"u8, EntryKind.File));
        Assert.Null(names.Claim("dir/straße"u8, EntryKind.File));
    }

    [Fact]
    public void A_hundred_thousand_paths_are_all_remembered_in_little_memory()
    {
        long before = GC.GetTotalMemory(forceFullCollection: true);
        for (int i = 0; i < 100_000; i++)
        {
            AssertGranted($"folder-{i / 100}/sub-{i % 3}/file-number-{i}.txt", EntryKind.File);
        }

        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, 0, 16 << 20);
        for (int i = 0; i < 100_000; i++)
        {
            Assert.NotNull(
                names.Claim(Encoding.UTF8.GetBytes($"folder-{i / 100}/sub-{i % 3}/file-number-{i}.txt"), EntryKind.File)
            );
        }
    }

    [Fact]
    public void Whatever_is_granted_fits_together()
    {
        Gen<string> paths = Gen.Elements("a", "A", "b")
            .NonEmptyListOf()
            .Resize(4)
            .Select(names => string.Join('/', names));
        Gen<EntryKind> kinds = Gen.Elements(EntryKind.File, EntryKind.Folder, EntryKind.Symlink);
        Gen<(string Path, EntryKind Kind)> entries = paths.SelectMany(_ => kinds, (path, kind) => (path, kind));
        foreach (TargetRules rules in new[] { TargetRules.Unix, TargetRules.Windows })
        {
            Check.One(
                Config.QuickThrowOnFailure.WithMaxTest(500),
                Prop.ForAll(
                    entries.ListOf().Resize(12).ToArbitrary(),
                    claims => AnswersAreThoseOfALinearSearch(claims, rules)
                )
            );
        }
    }

    private static bool AnswersAreThoseOfALinearSearch(
        IEnumerable<(string Path, EntryKind Kind)> claims,
        TargetRules rules
    )
    {
        StringComparison comparison = rules.CaseSensitive
            ? StringComparison.Ordinal
            : StringComparison.OrdinalIgnoreCase;
        var names = new TargetNames(rules);
        var granted = new List<(string Path, EntryKind Kind)>();
        foreach ((string path, EntryKind kind) in claims)
        {
            bool isBelow = granted.Any(other =>
                other.Kind != EntryKind.Folder && path.StartsWith(other.Path + "/", comparison)
            );
            bool isAbove = granted.Any(other => other.Path.StartsWith(path + "/", comparison));
            bool isThere = granted.Any(other => other.Path.Equals(path, comparison));
            bool mayBe = !isBelow && !isThere && (kind == EntryKind.Folder || !isAbove);
            if (names.Claim(Encoding.UTF8.GetBytes(path), kind) is null != mayBe)
            {
                return false;
            }

            if (mayBe)
            {
                granted.Add((path, kind));
            }
        }

        return true;
    }

    private void AssertGranted(string path, EntryKind kind) => AssertAnswer(null, path, kind);

    private void AssertAnswer(string? expected, string path, EntryKind kind) =>
        Assert.Equal(expected, names.Claim(Encoding.UTF8.GetBytes(path), kind));
}
