using System.IO.Compression;
using System.Text.Json;
using Restore.Cli;
using Restore.Tests.Support;

namespace Restore.Tests.Cli;

/// <summary>All commands read paths with one grammar.</summary>
public sealed class PathGrammarTests : IDisposable
{
    private const string Empty = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

    private readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Theory]
    [InlineData("/h/ann@example.com", "/h/ann@example.com/x")]
    [InlineData("disc [1]", "/h/disc [1]/x")]
    [InlineData("[2019] taxes.pdf", "/h/[2019] taxes.pdf")]
    [InlineData("{1b2c-3d4e}", "/h/{1b2c-3d4e}/x")]
    [InlineData("what?.txt", "/h/what?.txt")]
    [InlineData("@/h/what?.txt", "/h/what?.txt")]
    [InlineData("/h/disc*", "/h/disc*/x")]
    [InlineData("@types", "/h/@types/x")]
    [InlineData("by\\x2d.swap", "/h/by\\x2d.swap")]
    [InlineData("R\u00e9sum\u00e9", "/h/Re\u0301sume\u0301")]
    [InlineData("d:/b", "\\\\?\\D:\\b\\x")]
    [InlineData("//server/share", "\\\\?\\UNC\\server\\share\\x")]
    public async Task An_argument_that_names_an_entry_means_it_in_every_command(string argument, string path)
    {
        var backup = Backup(path, "/h/whats.txt", "/h/disc 2/x", "/h/types/x", "/h/other", @"C:\other");
        await AssertTakesAsync(path, "ls", backup, argument, "-R", "--json");
        await AssertTakesAsync(path, "export", backup, argument, "--tar");
        var found = await CliRun.OfAsync("find", backup, argument, "--json");
        Assert.True(found.ExitCode == ExitCodes.Complete, found.Error);
        var history = await CliRun.OfAsync("history", backup, argument);
        Assert.True(history.ExitCode == ExitCodes.Complete, history.Error);
        var compared = await CliRun.OfAsync("diff", backup, "0", "0", argument);
        Assert.True(compared.ExitCode == ExitCodes.Complete, compared.Error);
        var cat = await CliRun.OfAsync(
            environment => environment with { OpenOutput = () => new MemoryStream() },
            "cat",
            backup,
            argument
        );
        Assert.True(cat.ExitCode == (path.EndsWith('x') ? ExitCodes.NotFound : ExitCodes.Complete), cat.Error);
        var restored = await CliRun.OfAsync(
            "restore",
            backup,
            argument,
            $"--restore-path={folder.In("out")}",
            "--no-local-db"
        );
        Assert.True(restored.ExitCode == ExitCodes.Complete, restored.Error);
        Assert.Single(Directory.GetFiles(folder.In("out"), "*", SearchOption.AllDirectories));
    }

    [Fact]
    public async Task A_pattern_that_is_the_name_of_an_entry_is_a_pattern_as_an_include()
    {
        var backup = Backup("/h/what?.txt", "/h/whats.txt");
        var named = await CliRun.OfAsync("ls", backup, "what?.txt");
        Assert.Contains(
            "Note: 'what?.txt' is the name of an entry, and no pattern here",
            named.Error,
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("whats.txt", named.Output, StringComparison.Ordinal);
        var pattern = await CliRun.OfAsync("ls", backup, "--include=*/what?.txt");
        Assert.Contains("whats.txt", pattern.Output, StringComparison.Ordinal);
        var other = await CliRun.OfAsync("ls", Backup("/h/whats.txt"), "what?.txt");
        Assert.Contains("whats.txt", other.Output, StringComparison.Ordinal);
        Assert.Empty(other.Error);
    }

    [Fact]
    public async Task A_file_with_the_name_of_a_pattern_that_begins_with_an_asterisk_takes_nothing_away()
    {
        var all = await CliRun.OfAsync("ls", Backup("/h/*", "/h/*.txt", "/h/a.txt"), "*.txt");
        Assert.Contains("a.txt", all.Output, StringComparison.Ordinal);
        Assert.Contains("*.txt", all.Output, StringComparison.Ordinal);
        Assert.Empty(all.Error);
    }

    [Fact]
    public async Task A_name_with_a_backslash_is_listed_as_the_file_that_it_is()
    {
        var backup = Backup(@"/etc/dev-disk-by\x2dlabel.swap", "/etc/other");
        foreach (
            var arguments in (string[][])
                [
                    ["ls", backup],
                    ["ls", backup, "--tree"],
                    ["find", backup, @"dev-disk-by\x2dlabel.swap"],
                ]
        )
        {
            var run = await CliRun.OfAsync(arguments);
            Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
            Assert.DoesNotContain(
                run.Output.Split('\n'),
                line => line.StartsWith('d') && line.Contains(@"by\", StringComparison.Ordinal)
            );
            Assert.Contains(run.Output.Split('\n'), line => line.EndsWith("label.swap", StringComparison.Ordinal));
        }
    }

    [Theory]
    [InlineData(@"\\?\D:\", @"\\?\D:\b.txt", @"C:\c.txt", @"\\server\share\a.txt")]
    [InlineData(@"\\server\", @"C:\c.txt", @"\\server\share\a.txt", @"\\other\share\a.txt")]
    public async Task Drives_and_servers_are_the_first_level_of_a_list(string expected, params string[] paths)
    {
        var run = await CliRun.OfAsync("ls", Backup(paths), "--json");
        Assert.Contains(expected, run.Output.TrimEnd('\n').Split('\n').Select(PathIn));
        Assert.Equal(paths.Length, run.Output.TrimEnd('\n').Split('\n').Length);
    }

    [Theory]
    [InlineData("-x", "--", "-x")]
    [InlineData("~", "~")]
    [InlineData("!a", "!a")]
    [InlineData("#b", "#b")]
    [InlineData("line\nfeed", "line\nfeed")]
    [InlineData("end. ", "end. ")]
    [InlineData("@file", "@file")]
    public async Task A_name_of_any_sign_is_a_name(string name, params string[] arguments)
    {
        var backup = Backup($"/h/{name}", "/h/other");
        var run = await CliRun.OfAsync([
            "restore",
            backup,
            $"--restore-path={folder.In("out")}",
            "--no-local-db",
            .. arguments,
        ]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Equal([name], Directory.GetFiles(folder.In("out")).Select(Path.GetFileName));
    }

    [Theory]
    [InlineData("UTC")]
    [InlineData("Asia/Kolkata")]
    public async Task What_is_printed_as_the_time_of_a_version_names_it(string zone)
    {
        var backup = Backup("/h/a");
        var clock = new FakeClock { Zone = TimeZoneInfo.FindSystemTimeZoneById(zone) };
        var shown = (
            await CliRun.OfAsync(environment => environment with { Clock = clock }, "versions", backup)
        ).Output;
        var time = string.Join(' ', shown.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1..4]);
        var run = await CliRun.OfAsync(
            environment => environment with { Clock = clock },
            "ls",
            backup,
            $"--time={time}"
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, time + run.Error);
    }

    private static async Task AssertTakesAsync(string path, params string[] arguments)
    {
        using var output = new MemoryStream();
        var run = await CliRun.OfAsync(environment => environment with { OpenOutput = () => output }, arguments);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        if (arguments[0] == "ls")
        {
            Assert.Equal(
                [path],
                run.Output.TrimEnd('\n')
                    .Split('\n')
                    .Select(PathIn)
                    .Where(found => !found!.EndsWith('/') && !found.EndsWith('\\'))
            );
        }
        else
        {
            Assert.Contains("Exported 1 file,", run.Error, StringComparison.Ordinal);
        }
    }

    private static string? PathIn(string line) => (string?)System.Text.Json.Nodes.JsonNode.Parse(line)!["path"];

    /// <summary>A backup of empty files, which is a list alone.</summary>
    private string Backup(params string[] paths)
    {
        var location = Directory.CreateDirectory(folder.In($"backup-{Guid.NewGuid():N}")).FullName;
        using var zip = new ZipArchive(
            File.Create(Path.Combine(location, "duplicati-20260101T000000Z.dlist.zip")),
            ZipArchiveMode.Create
        );
        Write(
            "manifest",
            new
            {
                Version = 2,
                Created = "20260101T000000Z",
                Encoding = "utf8",
                Blocksize = 1024,
                BlockHash = "SHA256",
                FileHash = "SHA256",
                AppVersion = "2.1",
            }
        );
        Write(
            "filelist.json",
            paths
                .SelectMany(path => path is [.., '/' or '\\', 'x'] ? new[] { path[..^1], path } : [path])
                .Select(path => new
                {
                    type = path[^1] is '/' or '\\' ? "Folder" : "File",
                    path,
                    hash = Empty,
                    size = 0,
                    time = "20260101T000000Z",
                })
        );
        return location;

        void Write(string name, object content)
        {
            using var stream = zip.CreateEntry(name).Open();
            JsonSerializer.Serialize(stream, content);
        }
    }
}
