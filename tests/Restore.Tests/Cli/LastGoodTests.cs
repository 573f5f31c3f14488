using System.Text.Json;
using Restore.Cli;
using Restore.Tests.Support;
using Restore.Tests.Trust;

namespace Restore.Tests.Cli;

/// <summary>
/// Recovery from an attack: which version is good, and the last good content of each file.
/// </summary>
public sealed class LastGoodTests : IDisposable
{
    private readonly AttackedBackup backup = new();

    private string Source => backup.Source;

    private string Store => backup.Store;

    private string Target => backup.Target;

    public static IReadOnlyList<string> Options =>
        [
            "--last-good",
            "--with-suspect",
            "--as-of-before",
            "--exclude-version",
            "--allow-removal-of-last-good",
            "--skip-assessment",
        ];

    [Fact]
    public async Task The_newest_version_before_an_attack_is_recommended()
    {
        await backup.LiveAndEncryptAsync();
        var run = await CliRun.OfAsync("assess", Store, "--json");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        var found = JsonDocument.Parse(run.Output).RootElement;
        Assert.Equal(2, found.GetProperty("recommended").GetInt32());
        Assert.Equal(
            ["suspect", "suspect", "good", "good", "unknown"],
            found.GetProperty("versions").EnumerateArray().Select(version => version.GetProperty("verdict").GetString())
        );
        var attacked = found.GetProperty("versions")[1];
        Assert.Equal(1, attacked.GetProperty("index").GetInt32());
        Assert.Contains(".locked", attacked.GetProperty("reasons")[0].GetString(), StringComparison.Ordinal);
        var text = await CliRun.OfAsync("assess", Store);
        Assert.Contains("good        22 files  (recommended)", text.Output, StringComparison.Ordinal);
        Assert.Contains("this is no virus scanner", text.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Versions_that_have_only_folders_are_assessed()
    {
        using MadeBackup made = new();
        made.Folder("/a/");
        made.Write();
        made.WriteList("20260103T030405Z");
        var run = await CliRun.OfAsync("assess", made.Source, "--json");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Equal(2, JsonDocument.Parse(run.Output).RootElement.GetProperty("versions").GetArrayLength());
    }

    [Fact]
    public async Task Each_file_is_restored_from_the_newest_version_in_which_it_is_good()
    {
        var good = await backup.LiveAndEncryptAsync();
        var plan = await CliRun.OfAsync(Store, "--last-good", "-t", Target, "--dry-run", "--json");
        var sources = JsonDocument.Parse(plan.Output).RootElement.GetProperty("sources");
        Assert.Equal([0, 2], sources.EnumerateArray().Select(source => source.GetProperty("index").GetInt32()));
        Assert.Equal(22, sources[1].GetProperty("paths").GetArrayLength());

        var run = await CliRun.OfAsync(Store, "--last-good", "-t", Target);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Contains("Taken     22 files", run.Output, StringComparison.Ordinal);
        Assert.Contains("Only suspect versions have the file", run.Output, StringComparison.Ordinal);
        good["after.txt"] = AttackedBackup.Hash(Path.Combine(Source, "after.txt"));
        Assert.Equal(good, AttackedBackup.Hashes(Target));
    }

    [Fact]
    public async Task A_saved_plan_takes_the_same_files_and_says_from_which_version()
    {
        var good = await backup.LiveAndEncryptAsync();
        var file = Path.Combine(backup.Folder, "plan");
        var saved = await CliRun.OfAsync("plan", Store, "--last-good", "-t", Target, $"--save={file}", "--shards=2");
        Assert.True(saved.ExitCode == ExitCodes.Complete, saved.Error);
        Assert.DoesNotContain("no effect", saved.Error, StringComparison.Ordinal);
        Assert.Contains("Taken     22 files", saved.Output, StringComparison.Ordinal);
        var shown = await CliRun.OfAsync("plan", "--show", file);
        Assert.Contains("Taken     22 files", shown.Output, StringComparison.Ordinal);

        await using (var stream = File.OpenRead(file))
        {
            var plan = RestorePlan.Load(stream);
            Assert.Equal([0, 2], plan.Sources!.Select(source => source.Index));
            Assert.Equal(22, plan.Sources![1].Paths.Count);
        }

        foreach (var shard in (string[])["1/2", "2/2"])
        {
            var run = await CliRun.OfAsync("run", file, $"--shard={shard}");
            Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        }

        var report = Path.Combine(backup.Folder, "report.json");
        await CliRun.OfAsync("finish", file, $"--report={report}");
        var sources = JsonDocument.Parse(File.ReadAllText(report)).RootElement.GetProperty("sources");
        Assert.Equal([0, 2], sources.EnumerateArray().Select(source => source.GetProperty("index").GetInt32()));
        good["after.txt"] = AttackedBackup.Hash(Path.Combine(Source, "after.txt"));
        Assert.Equal(good, AttackedBackup.Hashes(Target));
    }

    [Theory]
    [InlineData("verify", "--last-good")]
    [InlineData("verify", "--with-suspect")]
    [InlineData("cat", "--last-good")]
    public async Task A_command_that_takes_no_last_good_file_is_refused(string command, string option)
    {
        var run = await CliRun.OfAsync(command, Fixtures.Backup("plain-1mb"), "file", option);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains($"{option} cannot be used: restore {command} takes", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Suspect_files_come_beside_and_versions_can_be_left_out()
    {
        await backup.LiveAndEncryptAsync();
        await CliRun.OfAsync(Store, "--last-good", "--with-suspect", "-t", Target);
        Assert.True(File.Exists(Path.Combine(Target, "docs", "f0.odt")));
        Assert.True(File.Exists(Path.Combine(Target, "docs", "f0.odt.locked.suspect")));

        var run = await CliRun.OfAsync("assess", Store, "--exclude-version=2", "--json");
        Assert.Equal(3, JsonDocument.Parse(run.Output).RootElement.GetProperty("recommended").GetInt32());
        run = await CliRun.OfAsync("assess", Store, "--exclude-version=2-2147483647", "--json");
        Assert.True(run.ExitCode is ExitCodes.Complete or ExitCodes.Incomplete, run.Error);
        Assert.Equal(ExitCodes.Usage, (await CliRun.OfAsync(Store, "--exclude-version=2", "-t", Target)).ExitCode);
        Assert.Equal(
            ExitCodes.Usage,
            (await CliRun.OfAsync(Store, "--last-good", "--version=2", "-t", Target)).ExitCode
        );
        Assert.Equal(ExitCodes.NotFound, (await CliRun.OfAsync("assess", Store, "--as-of-before=1999-01-01")).ExitCode);
    }

    [Fact]
    public async Task What_is_not_selected_is_not_missing()
    {
        await backup.LiveAndEncryptAsync();
        var run = await CliRun.OfAsync(Store, "*.odt", "--last-good", "-t", Target);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.DoesNotContain("No file list that can be read", run.Output + run.Error, StringComparison.Ordinal);
        Assert.All(AttackedBackup.Hashes(Target).Keys, name => Assert.EndsWith(".odt", name, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Retention_keeps_the_last_good_version_while_newer_ones_are_suspect()
    {
        await backup.LiveAndEncryptAsync();
        var run = await CliRun.OfAsync("delete", Store, "--keep-versions=1", "--dry-run");
        Assert.Contains("   2  ", run.Output, StringComparison.Ordinal);
        Assert.Matches(@"\n   2  .*  stays  it is the newest good version", run.Output);
        Assert.Matches(@"\n   1  .*  goes ", run.Output);
        var allowed = await CliRun.OfAsync(
            "delete",
            Store,
            "--keep-versions=1",
            "--allow-removal-of-last-good",
            "--dry-run"
        );
        Assert.Matches(@"\n   2  .*  goes ", allowed.Output);
    }

    [Fact]
    public async Task Lists_archives_and_histories_show_what_is_good()
    {
        var good = await backup.LiveAndEncryptAsync();
        var list = await CliRun.OfAsync("ls", Store, "--last-good", "--json");
        var files = list
            .Output.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => JsonDocument.Parse(line).RootElement)
            .Where(entry => entry.GetProperty("kind").GetString() == "file")
            .ToList();
        Assert.Equal(good.Count + 1, files.Count);
        Assert.Equal(
            0,
            files
                .Single(file => file.GetProperty("path").GetString()!.EndsWith("after.txt", StringComparison.Ordinal))
                .GetProperty("version")
                .GetInt32()
        );
        Assert.Equal(good.Count, files.Count(file => file.GetProperty("version").GetInt32() == 2));
        var details = await CliRun.OfAsync("ls", Store, "--last-good", "-l");
        Assert.True(details.ExitCode == ExitCodes.Complete, details.Error);
        Assert.Matches(@"-rw-\S+ \S+:\S+ .*f0\.odt  \(version 2\)", details.Output);
        var drawn = await CliRun.OfAsync("ls", Store, "--last-good", "--tree");
        Assert.Contains("after.txt", drawn.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("(version ", drawn.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(Source + "/docs/f0.odt", drawn.Output, StringComparison.Ordinal);

        var zip = Path.Combine(backup.Folder, "good.zip");
        var export = await CliRun.OfAsync("export", Store, "--last-good", $"--output={zip}");
        Assert.True(export.ExitCode == ExitCodes.Complete, export.Error);
        using (var archive = System.IO.Compression.ZipFile.OpenRead(zip))
        {
            Assert.Equal(good.Count + 2, archive.Entries.Count(entry => !entry.FullName.EndsWith('/')));
            Assert.DoesNotContain(
                archive.Entries,
                entry => entry.FullName.EndsWith(".locked", StringComparison.Ordinal)
            );
        }

        var versions = await CliRun.OfAsync("versions", Store, "--json");
        Assert.Equal(
            ["suspect", "suspect", "good", "good", "unknown"],
            JsonDocument
                .Parse(versions.Output)
                .RootElement.GetProperty("versions")
                .EnumerateArray()
                .Select(version => version.GetProperty("verdict").GetString())
        );
        var text = await CliRun.OfAsync("versions", Store);
        Assert.Contains("(suspect)", text.Output, StringComparison.Ordinal);
        Assert.Contains("(newest good)", text.Output, StringComparison.Ordinal);

        var history = await CliRun.OfAsync("history", Store, Path.Combine(Source, "docs", "f0.odt.locked"));
        Assert.Equal(2, history.Output.Split("(suspect)").Length - 1);
    }

    [Fact]
    public async Task A_mount_has_a_folder_with_the_last_good_version_of_each_file()
    {
        var good = await backup.LiveAndEncryptAsync();
        await using var opened = await Backup.OpenAsync(Store, new BackupOptions());
        var memory = new BlockMemory(1 << 20);
        await using var tree = await opened.OpenLastGoodTreeAsync(memory);
        List<string> files = [];
        Collect(BackupTree.Root);
        Assert.Equal(good.Count + 1, files.Count);
        Assert.DoesNotContain(files, file => file.EndsWith(".locked", StringComparison.Ordinal));

        void Collect(TreeId folder)
        {
            foreach (var child in tree.ChildrenOf(folder))
            {
                if (tree[child].Kind == BackupEntryKind.File)
                {
                    files.Add(tree.PathOf(child));
                }
                else
                {
                    Collect(child);
                }
            }
        }
    }

    public void Dispose() => backup.Dispose();
}
