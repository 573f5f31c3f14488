using Restore.Tests.FixtureTests;
using Restore.Tests.Writing;

namespace Restore.Tests.Streams;

/// <summary>Entries into a folder that only takes asynchronous calls.</summary>
public sealed class FolderSinkTests : IDisposable
{
    private readonly RoundTrip trip = new();

    public void Dispose() => trip.Dispose();

    [Fact]
    public async Task Files_go_where_a_restore_puts_them_and_those_that_are_equal_stay()
    {
        Write("a/one.txt", "one");
        Write("a/b/two.txt", "two");
        await trip.WriteAsync();
        MemoryFolder folder = new();

        ExportReport first = await ExportAsync(folder);
        Assert.Equal(["a/b/two.txt", "a/one.txt"], folder.Files.Keys.Order(StringComparer.Ordinal));
        Assert.Equal(["a", "a/b"], folder.Folders);
        Assert.Equal((2, 0, 6L), ((int)first.Files, (int)first.FilesUnchanged, first.Bytes));

        ExportReport second = await ExportAsync(folder);
        Assert.Equal((2, 2, 6L), ((int)second.Files, (int)second.FilesUnchanged, second.BytesUnchanged));
        Assert.Empty(second.Issues);
        Assert.Equal(2, folder.Files.Count);

        await ExportAsync(folder, new FolderExportOptions { FullPaths = true });
        Assert.Contains($"{trip.Source.TrimStart('/')}/a/one.txt", folder.Files.Keys);
    }

    [Fact]
    public async Task A_file_that_differs_stays_and_the_new_one_gets_a_name_with_the_date_unless_it_may_be_replaced()
    {
        Write("one.txt", "one");
        Write("two.txt", "two");
        await trip.WriteAsync();
        MemoryFolder folder = new() { Files = { ["one.txt"] = "mine"u8.ToArray(), ["two.txt"] = [] } };

        ExportReport report = await ExportAsync(folder);
        string dated = Assert.Single(folder.Files.Keys, name => name is not ("one.txt" or "two.txt"));
        Assert.Matches(@"^one\.\d{4}-\d\d-\d\d\.txt$", dated);
        Assert.Equal(("mine", "one", "two"), (Text(folder, "one.txt"), Text(folder, dated), Text(folder, "two.txt")));
        Assert.Equal(IssueCode.Renamed, Assert.Single(report.Issues).Code);

        folder.Files[dated] = [];
        await ExportAsync(folder);
        Assert.Equal("one", Text(folder, dated));

        Assert.Equal(2, (await ExportAsync(folder)).FilesUnchanged);
        Assert.Equal(3, folder.Files.Count);

        ExportReport replacing = await ExportAsync(folder, new FolderExportOptions { Overwrite = true });
        Assert.Equal("one", Text(folder, "one.txt"));
        RestoreIssue replaced = Assert.Single(replacing.Issues);
        Assert.Equal(
            ("one.txt", "It has replaced another file of its name at the target"),
            (Path.GetFileName(replaced.Path), replaced.Reason)
        );
    }

    [Fact]
    public async Task Names_that_Windows_does_not_take_are_mapped_and_of_two_that_are_one_there_the_first_is_kept()
    {
        Write("what?.txt", "1");
        Write("aux.c", "2");
        Write("Name", "3");
        Write("name", "4");
        await trip.WriteAsync();
        MemoryFolder folder = new();

        ExportReport report = await ExportAsync(
            folder,
            new FolderExportOptions { WindowsNames = true, IgnoresCase = true }
        );
        Assert.Equal(["%61ux.c", "Name", "what%3F.txt"], folder.Files.Keys.Order(StringComparer.Ordinal));
        Assert.Equal(3, report.Files);
        Assert.Equal(2, report.Issues.Count(issue => issue.Code == IssueCode.Renamed));
        Assert.EndsWith(
            "/name",
            Assert.Single(report.Issues, issue => issue.Kind == IssueKind.Refused).Path,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_file_with_lost_bytes_has_zeros_there_and_replaces_none()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 8, bytesEach: 400_000);
        made.Store.Remove(
            made.Store.Names.Where(name => name.Contains(".dblock.", StringComparison.Ordinal))
                .MaxBy(name => made.Store[name].Length)!
        );
        await using Backup opened = await Backup.OpenAsync(made.Store);
        MemoryFolder folder = new();
        FolderExportOptions options = new() { Overwrite = true };
        ExportReport report = await opened.ExportFolderAsync(opened.Versions[0], folder, options);
        IEnumerable<RestoreIssue> damaged = report.Issues.Where(issue => issue.Kind == IssueKind.Damaged);
        string lost = damaged.Select(issue => Path.GetFileName(issue.Path)).First(folder.Files.ContainsKey);
        Assert.Equal(400_000, folder.Files[lost].Length);

        folder.Files[lost] = [1];
        await opened.ExportFolderAsync(opened.Versions[0], folder, options);
        Assert.Equal([1], folder.Files[lost]);
        Assert.Equal(0, opened.Pool.OutstandingBuffers);
    }

    [Fact]
    public async Task A_file_of_which_everything_is_lost_is_not_written_and_has_one_line_in_the_report()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("damaged/dblock-missing-plain").Single();
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        MemoryFolder folder = new();
        ExportReport report = await backup.ExportFolderAsync(backup.Versions[0], folder);
        RestoreIssue[] lost = [.. report.Issues.Where(issue => issue.Kind == IssueKind.Missing)];
        RestoreIssue[] gone =
        [
            .. lost.Where(issue =>
                issue.LostRanges is [{ From: 0 }] && folder.Files.Keys.All(path => !issue.Path.EndsWith('/' + path))
            ),
        ];
        Assert.NotEmpty(gone);
        Assert.DoesNotContain(folder.Files.Values, content => content.Length > 0 && content.All(value => value == 0));
        string[] named = [.. report.Issues.Where(issue => issue.IsLoss).Select(issue => issue.Path)];
        Assert.Equal(named.Distinct(), named);
        Assert.DoesNotContain(report.Issues, issue => issue.Kind == IssueKind.Metadata);

        ExportReport second = await backup.ExportFolderAsync(backup.Versions[0], folder);
        Assert.Equal((report.Files, report.Files), (second.Files, second.FilesUnchanged));
    }

    [Fact]
    public async Task What_the_folder_does_not_take_is_left_out_with_the_reason_and_so_are_links()
    {
        Write("one.lnk", "one");
        Write("two.txt", "two");
        File.CreateSymbolicLink(Path.Join(trip.Source, "link"), "two.txt");
        await trip.WriteAsync();
        MemoryFolder folder = new() { Refuses = "one.lnk" };

        ExportReport report = await ExportAsync(folder);
        Assert.Equal(["two.txt"], folder.Files.Keys);
        Assert.Equal((1, 0, 3L), ((int)report.Files, (int)report.Symlinks, report.Bytes));
        Assert.Equal(
            [
                ("link", IssueKind.LeftOut, "The target holds no links"),
                ("one.lnk", IssueKind.Refused, "The name is not allowed"),
            ],
            report.Issues.Select(issue => (Path.GetFileName(issue.Path), issue.Kind, issue.Reason)).Order()
        );
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_plan_says_what_then_happens_to_the_files_that_are_there(bool overwrite)
    {
        string[] names = ["absent", "below/deep", "cleared", "equal", "longer", "other", "what?"];
        Array.ForEach(names, name => Write(name, name));
        Write("none", "");
        File.CreateSymbolicLink(Path.Join(trip.Source, "link"), "equal");
        await trip.WriteAsync();
        MemoryFolder folder = new()
        {
            Files =
            {
                ["cleared"] = [],
                ["equal"] = "equal"u8.ToArray(),
                ["longer"] = "longer than it"u8.ToArray(),
                ["none"] = [],
                ["other"] = "rehto"u8.ToArray(),
                ["what%3F"] = "what?"u8.ToArray(),
            },
            Folders = { "below/deep" },
        };
        Dictionary<string, byte[]> before = new(folder.Files);
        FolderExportOptions options = new() { Overwrite = overwrite, WindowsNames = true };
        await using Backup backup = await Backup.OpenAsync(trip.Destination);
        RestorePlan plan = await backup.PlanFolderAsync(backup.Versions[0], folder, options);
        Assert.Equal(before, folder.Files);
        Assert.Equal((7, 3, overwrite ? 2 : 0), (plan.Files, plan.FilesUnchanged, plan.FilesReplaced));
        Assert.Equal(
            overwrite ? [] : (string[])["longer", "other"],
            plan.Issues.Where(IsRenamed).Select(issue => Path.GetFileName(issue.Path))
        );

        ExportReport report = await backup.ExportFolderAsync(backup.Versions[0], folder, options);
        RestoreIssue[] replaced = [.. report.Issues.Where(IsReplaced)];
        Assert.Equal(
            (plan.Files, plan.FilesUnchanged, plan.FilesReplaced),
            (report.Files, report.FilesUnchanged, replaced.Length)
        );
        Assert.Equal(plan.BytesToWrite, report.Bytes - report.BytesUnchanged);
        Assert.Equal(Sorted(plan.Issues), Sorted(report.Issues.Except(replaced)));

        RestoreReport drill = await backup.ExecuteAsync(plan);
        Assert.Equal((true, 7), (drill.VerifyOnly, drill.FilesRestored));
    }

    /// <summary>Those whose losses are known before their volumes are read.</summary>
    public static TheoryData<string> Fixtures() =>
        [
            "damaged/dblock-missing-plain",
            .. FixtureCatalog.Names.Where(name =>
                !name.StartsWith("damaged/", StringComparison.Ordinal)
                && name != "hostile/lying-block"
                && FixtureCatalog.BackupsOf(name).Any(fixture => Directory.Exists(fixture.Location))
            ),
        ];

    [Theory]
    [MemberData(nameof(Fixtures))]
    public async Task A_plan_of_a_fixture_says_which_files_stay_and_which_are_replaced(string name)
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf(name).First();
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        MemoryFolder restored = new();
        await backup.ExportFolderAsync(backup.Versions[0], restored);
        foreach (bool overwrite in (bool[])[false, true])
        {
            MemoryFolder folder = new();
            foreach (
                (int number, KeyValuePair<string, byte[]> file) in restored
                    .Files.Where(file => file.Value.Length > 0)
                    .Index()
            )
            {
                _ = number % 3 == 0 || folder.Files.TryAdd(file.Key, number % 3 == 1 ? file.Value : "mine"u8.ToArray());
            }

            Dictionary<string, byte[]> before = new(folder.Files);
            FolderExportOptions options = new() { Overwrite = overwrite };
            RestorePlan plan = await backup.PlanFolderAsync(backup.Versions[0], folder, options);
            await backup.ExportFolderAsync(backup.Versions[0], folder, options);
            ExportReport report = await backup.ExportFolderAsync(backup.Versions[0], folder, options);
            Assert.Equal(before.Count(file => !file.Value.SequenceEqual(folder.Files[file.Key])), plan.FilesReplaced);
            Assert.Equal(before.Count(file => file.Value.SequenceEqual(restored.Files[file.Key])), plan.FilesUnchanged);
            Assert.Equal(Sorted(report.Issues.Where(IsRenamed)), Sorted(plan.Issues.Where(IsRenamed)));
        }
    }

    private static bool IsRenamed(RestoreIssue issue) =>
        issue.Reason.StartsWith("Something else", StringComparison.Ordinal);

    private static bool IsReplaced(RestoreIssue issue) =>
        issue.Reason.StartsWith("It has replaced", StringComparison.Ordinal);

    private static IEnumerable<string> Sorted(IEnumerable<RestoreIssue> issues) =>
        issues.Select(issue => $"{issue.Kind} {issue.Path}: {issue.Reason}").Order(StringComparer.Ordinal);

    private static string Text(MemoryFolder folder, string path) =>
        System.Text.Encoding.UTF8.GetString(folder.Files[path]);

    private void Write(string path, string text)
    {
        string file = Path.Join(trip.Source, path);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllText(file, text);
    }

    private async Task<ExportReport> ExportAsync(MemoryFolder folder, FolderExportOptions? options = null)
    {
        await using Backup backup = await Backup.OpenAsync(trip.Destination);
        return await backup.ExportFolderAsync(backup.Versions[0], folder, options);
    }
}
