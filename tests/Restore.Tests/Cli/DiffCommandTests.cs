using System.IO.Compression;
using System.Runtime.Versioning;
using System.Text.Json;
using Restore.Cli;
using Restore.Tests.Trust;

namespace Restore.Tests.Cli;

/// <summary>Versions compared with each other, and with a folder.</summary>
public sealed class DiffCommandTests : IDisposable
{
    public static readonly string[] Options = ["--exit-code"];

    private static readonly DateTime Time = DateTime.UnixEpoch.AddYears(40);

    private readonly TempFolder folder = new();
    private readonly SourceFolder source;

    public DiffCommandTests() => source = new SourceFolder(folder);

    private string Store => source.Store;

    [Fact]
    public async Task It_lists_what_was_added_removed_changed_and_touched()
    {
        await WriteTwoVersionsAsync();
        var run = await CliRun.OfAsync("diff", Store, "1", "0");
        Assert.Equal((ExitCodes.Complete, ""), (run.ExitCode, run.Error));
        var lines = run.Output.TrimEnd('\n').Split('\n');
        AssertLine("+ 3 bytes ", "/source/new.txt");
        AssertLine("- 4 bytes ", "/source/gone.txt");
        AssertLine("* 5 bytes -> 7 bytes ", "/b/changed.txt");
        AssertLine("m 4 bytes ", "/source/touched.txt");
        Assert.DoesNotContain("same.txt", run.Output, StringComparison.Ordinal);
        Assert.StartsWith("1 added, 1 removed, 1 changed, ", lines[^1], StringComparison.Ordinal);
        Assert.EndsWith("; 10 bytes new, 9 bytes gone", lines[^1], StringComparison.Ordinal);

        var back = await DiffAsync("0", "1");
        var gone = back.Single(line =>
            line.GetProperty("path").GetString()!.EndsWith("new.txt", StringComparison.Ordinal)
        );
        Assert.Equal("removed", gone.GetProperty("change").GetString());

        void AssertLine(string start, string end) =>
            Assert.Contains(
                lines,
                line => line.StartsWith(start, StringComparison.Ordinal) && line.EndsWith(end, StringComparison.Ordinal)
            );
    }

    [Fact]
    public async Task Claimed_sizes_that_no_number_can_sum_up_stay_at_the_largest_one()
    {
        using var backup = new MadeBackup(MadeBackup.HugeBlockBytes);
        backup.WriteList("20260101T000000Z", "[{\"type\":\"Folder\",\"path\":\"/data/\"}]"u8.ToArray());
        backup.Huge("/data/a");
        backup.Huge("/data/b");
        backup.WriteList("20260102T000000Z");
        var run = await CliRun.OfAsync("diff", backup.Source, "1", "0");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.EndsWith("; 8.0 EiB new, 0 bytes gone\n", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Entries_whose_paths_fill_the_memory_are_left_out_and_reported()
    {
        var deep = string.Concat(Enumerable.Repeat("a/", 40_000));
        var entries = Enumerable
            .Range(0, 60)
            .Select(number => $$"""{"type":"Folder","path":"/data/{{number}}/{{deep}}"}""");
        using var backup = new MadeBackup();
        backup.WriteList("20260101T000000Z", "[{\"type\":\"Folder\",\"path\":\"/data/\"}]"u8.ToArray());
        backup.WriteList("20260102T000000Z", System.Text.Encoding.UTF8.GetBytes($"[{string.Join(',', entries)}]"));
        foreach (
            var versions in (string[][])
                [
                    ["1", "0"],
                    ["0", "1"],
                ]
        )
        {
            var run = await CliRun.OfAsync(["diff", backup.Source, .. versions]);
            Assert.Contains(
                "The paths of the list take more memory than so many entries need",
                run.Error,
                StringComparison.Ordinal
            );
        }
    }

    [Fact]
    public async Task Paths_come_in_order_and_a_folder_can_be_chosen()
    {
        await WriteTwoVersionsAsync();
        var all = await DiffAsync("1", "0");
        var paths = all.Select(line => line.GetProperty("path").GetString()!).ToList();
        Assert.Equal(paths.Order(StringComparer.Ordinal), paths);
        var some = await DiffAsync("1", "0", Path.Combine(source.Path, "b"));
        Assert.NotEmpty(some);
        Assert.All(
            some,
            line => Assert.Contains("/source/b/", line.GetProperty("path").GetString(), StringComparison.Ordinal)
        );
        var changed = some.Single(line => line.GetProperty("change").GetString() == "changed");
        Assert.Equal(
            (5, 7),
            (
                changed.GetProperty("older").GetProperty("bytes").GetInt64(),
                changed.GetProperty("newer").GetProperty("bytes").GetInt64()
            )
        );
        Assert.Equal(64, changed.GetProperty("newer").GetProperty("hash").GetString()!.Length);
    }

    [Fact]
    public async Task The_exit_code_shows_differences_if_asked()
    {
        await WriteTwoVersionsAsync();
        Assert.Equal(ExitCodes.Different, (await CliRun.OfAsync("diff", Store, "1", "0", "--exit-code")).ExitCode);
        var same = await CliRun.OfAsync("diff", Store, "0", "0", "--exit-code");
        Assert.Equal(
            (ExitCodes.Complete, "0 added, 0 removed, 0 changed, 0 with other metadata; 0 bytes new, 0 bytes gone\n"),
            (same.ExitCode, same.Output)
        );
    }

    [Fact]
    public async Task A_folder_is_compared_as_a_restore_would_fill_it()
    {
        await WriteTwoVersionsAsync();
        await CliRun.OfAsync(Store, "--restore-path", folder.Root, "--no-sync");
        Assert.Equal(
            ExitCodes.Complete,
            (await CliRun.OfAsync("diff", Store, "0", "--target", folder.Root, "--exit-code")).ExitCode
        );

        File.WriteAllText(folder.In("b/changed.txt"), "changeD");
        File.Delete(folder.In("same.txt"));
        File.SetLastWriteTimeUtc(folder.In("touched.txt"), Time);
        Directory.CreateDirectory(folder.In("more"));
        File.WriteAllText(folder.In("more/extra.txt"), "12345678");
        var outside = Directory.CreateDirectory(Path.Combine(folder.Path, "outside")).FullName;
        File.WriteAllText(Path.Combine(outside, "not-entered.txt"), "");
        File.CreateSymbolicLink(folder.In("link"), outside);
        var differences = await DiffAsync("0", "--target", folder.Root);
        Assert.Equal(
            [
                "changed b/changed.txt",
                "removed same.txt",
                "metadata touched.txt",
                "added link",
                "added more",
                "added more/extra.txt",
            ],
            differences.Select(line =>
                $"{line.GetProperty("change").GetString()} {Relative(line.GetProperty("path").GetString()!)}"
            )
        );
        Assert.Equal(
            ExitCodes.NotFound,
            (await CliRun.OfAsync("diff", Store, "0", "--target", Path.Combine(folder.Path, "none"))).ExitCode
        );
    }

    [Theory]
    [InlineData("Name two versions by their numbers, or one and a folder with --target", "1")]
    [InlineData("Name two versions by their numbers, or one and a folder with --target")]
    [InlineData("A version is named by its number: 'a' is not a version number", "a", "b")]
    public async Task Without_two_versions_or_a_folder_it_cannot_be_used(string error, params string[] versions)
    {
        await WriteTwoVersionsAsync();
        var run = await CliRun.OfAsync(["diff", Store, .. versions]);
        Assert.Equal((ExitCodes.Usage, ""), (run.ExitCode, run.Output));
        Assert.StartsWith(error, run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_version_that_is_not_there_is_named()
    {
        await WriteTwoVersionsAsync();
        var run = await CliRun.OfAsync("diff", Store, "0", "9");
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.Contains("There is no version 9", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("inner")]
    [InlineData("")]
    [UnsupportedOSPlatform("windows")]
    public async Task A_folder_that_cannot_be_listed_is_named_and_the_exit_code_says_that_not_all_was_compared(
        string closed
    )
    {
        Assert.SkipWhen(
            OperatingSystem.IsWindows() || Environment.IsPrivilegedProcess,
            "Nothing is closed to this user"
        );
        Directory.CreateDirectory(Path.Join(source.Path, "inner"));
        source.Write("inner/a.txt", "a", Time);
        await source.BackUpAsync(0);
        source.Write("inner/extra.txt", "extra", Time);
        File.SetUnixFileMode(Path.Join(source.Path, closed), UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        var run = await CliRun.OfAsync("diff", Store, "0", "--target", source.Path);
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Contains(
            run.Output.Split('\n'),
            line => line.StartsWith("? ", StringComparison.Ordinal) && line.EndsWith(closed.Length == 0 ? "." : closed)
        );
        Assert.Contains("1 not known", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_list_that_is_incomplete_is_said_after_the_differences()
    {
        await WriteTwoVersionsAsync();
        var list = Directory.GetFiles(Store, "*.dlist.zip").Order(StringComparer.Ordinal).Last();
        using (var archive = ZipFile.Open(list, ZipArchiveMode.Update))
        {
            string json;
            using (var reader = new StreamReader(archive.GetEntry("filelist.json")!.Open()))
            {
                json = reader.ReadToEnd();
            }

            archive.GetEntry("filelist.json")!.Delete();
            using var writer = new StreamWriter(archive.CreateEntry("filelist.json").Open());
            writer.Write(json[..^30]);
        }

        var run = await CliRun.OfAsync("diff", Store, "1", "0");
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Contains("incomplete", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_folder_that_vanishes_while_it_is_compared_is_not_there()
    {
        await WriteTwoVersionsAsync();
        await CliRun.OfAsync(Store, "--restore-path", folder.Root, "--no-sync");
        foreach (var name in new[] { "x", "y", "z" })
        {
            Directory.CreateDirectory(folder.In(name));
            File.WriteAllText(folder.In($"{name}/extra.txt"), "");
        }

        await using var backup = await Backup.OpenAsync(Store);
        List<string> added = [];
        await foreach (
            var difference in backup.CompareFolderAsync(backup.Versions[0], new RestoreOptions { Target = folder.Root })
        )
        {
            if (added.Count == 0)
            {
                Directory.Delete(folder.In("y"), recursive: true);
                Directory.Delete(folder.In("z"), recursive: true);
            }

            added.Add(difference.Path);
        }

        Assert.Contains("x/extra.txt", added);
        Assert.DoesNotContain(added, path => path is "y/extra.txt" or "z/extra.txt");
    }

    public void Dispose() => folder.Dispose();

    private string Relative(string path) =>
        path.StartsWith(source.Path, StringComparison.Ordinal) ? Path.GetRelativePath(source.Path, path) : path;

    /// <summary>The differences as JSON, without the totals.</summary>
    private async Task<List<JsonElement>> DiffAsync(params string[] arguments)
    {
        var run = await CliRun.OfAsync(["diff", Store, .. arguments, "--json"]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        List<JsonElement> lines =
        [
            .. run.Output.TrimEnd('\n').Split('\n').Select(line => JsonDocument.Parse(line).RootElement.Clone()),
        ];
        Assert.True(lines[^1].TryGetProperty("totals", out _));
        return lines[..^1];
    }

    private async Task WriteTwoVersionsAsync()
    {
        Directory.CreateDirectory(Path.Combine(source.Path, "b"));
        source.Write("same.txt", "same", Time);
        source.Write("gone.txt", "gone", Time);
        source.Write("touched.txt", "same", Time);
        source.Write("b/changed.txt", "first", Time);
        await source.BackUpAsync(1);
        File.Delete(Path.Combine(source.Path, "gone.txt"));
        source.Write("new.txt", "new", Time);
        source.Write("touched.txt", "same", Time.AddDays(1));
        source.Write("b/changed.txt", "changed", Time.AddDays(1));
        await source.BackUpAsync(2);
    }
}
