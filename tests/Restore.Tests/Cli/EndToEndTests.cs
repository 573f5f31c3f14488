using System.Security.Cryptography;
using System.Text.Json;
using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>The whole program on real backups.</summary>
public sealed class EndToEndTests
{
    private const string Root = "/tmp/fx/src/plain-1mb/data/";

    [Fact]
    public async Task A_backup_is_restored_and_a_second_run_finds_everything_right()
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync(Fixtures.Backup("plain-1mb"), "--restore-path", folder.Root);
        Assert.Equal(ExitCodes.LeftOut, run.ExitCode);
        Assert.Empty(run.Error);
        var summary =
            $"Restored 86 files, 59 folders, 10 links of version 0 of 2026-11-21 13:30:33 +00:00 to {folder.Root}\n";
        Assert.StartsWith(summary, run.Output, StringComparison.Ordinal);
        Assert.Contains(
            "  Complete  nothing is lost\n  Left out  2 links that point out of the target folder:\n",
            run.Output,
            StringComparison.Ordinal
        );
        Assert.Contains("The link points outside", run.Output, StringComparison.Ordinal);
        AssertFilesAreThoseOf("plain-1mb", 0, folder.Root);

        var second = await CliRun.OfAsync(
            Fixtures.Backup("plain-1mb"),
            "--restore-path",
            folder.Root,
            "--allow-restore-outside-target-directory"
        );
        Assert.Contains("  Complete  nothing is lost\n", second.Output, StringComparison.Ordinal);
        Assert.Equal(ExitCodes.Complete, second.ExitCode);
        Assert.Contains("; 86 files were right already\n", second.Output, StringComparison.Ordinal);
        Assert.Contains("  Written   0 bytes\n", second.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--version=1", 1)]
    [InlineData("--time=2026-11-21T13:30:30Z", 1)]
    [InlineData("--version=2", 2)]
    public async Task An_older_version_is_restored(string option, int version)
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync(
            Fixtures.Backup("plain-1mb"),
            "--target",
            folder.Root,
            option,
            "--allow-restore-outside-target-directory"
        );
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        AssertFilesAreThoseOf("plain-1mb", version, folder.Root);
    }

    [Fact]
    public async Task Filters_select_what_is_restored()
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync(Fixtures.Backup("plain-1mb"), Root + "docs/", "-t", folder.Root, "--json");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        using var report = JsonDocument.Parse(run.Output);
        Assert.True(report.RootElement.GetProperty("complete").GetBoolean());
        Assert.Equal(
            Directory.GetFiles(folder.Root, "*", SearchOption.AllDirectories).Length,
            report.RootElement.GetProperty("files").GetInt32()
        );
        Assert.True(File.Exists(folder.In("readme.txt")));
    }

    [Fact]
    public async Task A_literal_folder_keeps_its_name()
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync(Fixtures.Backup("plain-1mb"), "@" + Root + "docs/", "-t", folder.Root);
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.True(File.Exists(folder.In("docs/readme.txt")));
    }

    [Fact]
    public async Task A_dry_run_prints_the_plan_and_touches_nothing()
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync(Fixtures.Backup("plain-1mb"), "--target", folder.Root, "--dry-run");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Matches(
            @"^Would restore version 0 of .*\n  Selected  86 files, 59 folders, 12 links, 35\.1 MiB\n"
                + @"  Left out  links that point out of the folder; .*\n  To write  35\.1 MiB\n"
                + @"  From      .*\n  To fetch  .* of 3 volumes of .*, in 3 requests\n  Time ",
            run.Output
        );
        Assert.False(Directory.Exists(folder.Root));
    }

    [Fact]
    public async Task The_volumes_to_thaw_are_listed_and_nothing_else()
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync(Fixtures.Backup("plain-1mb"), "--target", folder.Root, "--list-volumes");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        var names = run.Output.TrimEnd('\n').Split('\n');
        Assert.Equal(3, names.Length);
        Assert.All(names, name => Assert.Contains(".dblock.", name, StringComparison.Ordinal));
        Assert.All(names, name => Assert.True(File.Exists(Path.Combine(Fixtures.Backup("plain-1mb"), name))));
        Assert.False(Directory.Exists(folder.Root));
    }

    [Fact]
    public async Task With_a_cache_a_backup_is_listed_without_its_file_lists_and_an_unusable_cache_is_reported()
    {
        using var folder = new TempFolder();
        var (copy, cache) = (
            Directory.CreateDirectory(Path.Combine(folder.Path, "copy")).FullName,
            Path.Combine(folder.Path, "cache")
        );
        foreach (var volume in Directory.GetFiles(Fixtures.Backup("plain-1mb")))
        {
            File.Copy(volume, Path.Combine(copy, Path.GetFileName(volume)));
        }

        var first = await CliRun.OfAsync("ls", copy, "--cache-dir", cache);
        foreach (var list in Directory.GetFiles(copy, "*.dlist*"))
        {
            // The header stays, by which the cached list is known to be the same one.
            var bytes = File.ReadAllBytes(list);
            bytes.AsSpan(512).Clear();
            File.WriteAllBytes(list, bytes);
        }

        Assert.Equal(ExitCodes.Incomplete, (await CliRun.OfAsync("ls", copy)).ExitCode);
        Assert.Equal(first, await CliRun.OfAsync("ls", copy, "--cache-dir", cache));

        var file = Path.Combine(folder.Path, "file");
        File.WriteAllText(file, "");
        var without = await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), "--cache-dir", file);
        Assert.Equal(ExitCodes.Complete, without.ExitCode);
        Assert.Contains("The cache cannot be used and is disabled: ", without.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_drill_reads_everything_and_writes_nothing()
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), "--target", folder.Root);
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Matches(@"^Verified 86 files, 59 folders, \d+ links of version 0 .*; nothing was written\n", run.Output);
        Assert.False(Directory.Exists(folder.Root));
    }

    [Fact]
    public async Task Versions_are_listed_newest_first_and_need_no_passphrase()
    {
        var run = await CliRun.OfAsync("versions", Fixtures.Backup("aes-100kb"));
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        string[] expected = ["   0  2026-11-21 13:19:39", "   1  2026-11-21 13:19:36", "   2  2026-11-21 13:19:33"];
        Assert.Equal(expected, run.Output.TrimEnd().Split('\n').Select(line => line[..25]));
    }

    [Fact]
    public async Task Ls_lists_a_version_or_what_is_in_a_folder()
    {
        var all = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), "-R");
        Assert.Equal(ExitCodes.Complete, all.ExitCode);
        Assert.Equal(86 + 59 + 12, all.Output.TrimEnd().Split('\n').Length);
        Assert.Contains(
            "-            3,000 2023-11-17 01:01:25 +00:00  /tmp/fx/src/plain-1mb/data/docs/readme.txt\n",
            all.Output,
            StringComparison.Ordinal
        );

        var docs = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), Root + "docs");
        Assert.Equal((await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), Root + "docs/")).Output, docs.Output);
        Assert.All(
            docs.Output.TrimEnd().Split('\n'),
            line => Assert.Contains("  " + Root + "docs/", line, StringComparison.Ordinal)
        );

        var one = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), Root + "docs/readme.txt", "--json");
        Assert.Equal(
            Root + "docs/readme.txt",
            JsonDocument.Parse(one.Output).RootElement.GetProperty("path").GetString()
        );
    }

    [Fact]
    public async Task Ls_lists_one_level_and_begins_where_the_data_does()
    {
        var all = (await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), "-R"))
            .Output.TrimEnd()
            .Split('\n')
            .Select(line => line[46..].Trim());
        var top = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"));
        Assert.Equal(
            all.Where(path => path.StartsWith(Root, StringComparison.Ordinal) && path.Length > Root.Length)
                .Select(path =>
                    Root
                    + path[Root.Length..].Split('/')[0]
                    + (path[Root.Length..].Contains('/', StringComparison.Ordinal) ? "/" : "")
                )
                .Distinct()
                .Order(StringComparer.Ordinal),
            top.Output.TrimEnd().Split('\n').Select(line => line[46..].Trim())
        );

        string[] docs = [Root + "docs/empty", Root + "docs/notes.md", Root + "docs/readme.txt"];
        foreach (var folder in (string[])[Root + "docs", Root + "docs/", "docs", "docs/"])
        {
            var listed = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), folder);
            Assert.Equal(docs, listed.Output.TrimEnd().Split('\n').Select(line => line[46..].Trim()));
        }

        var empty = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), "empty-dir");
        Assert.EndsWith($"  {Root}empty-dir/\n", empty.Output, StringComparison.Ordinal);
        var both = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), "docs", "empty-dir");
        Assert.Equal(
            [.. docs, Root + "empty-dir/"],
            both.Output.TrimEnd().Split('\n').Select(line => line[46..].Trim())
        );
        var missing = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), "dosc");
        Assert.StartsWith("Nothing in version 0 matches 'dosc'", missing.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Ls_shows_modes_owners_exact_times_and_targets_of_links()
    {
        var run = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), "links", "-l");
        Assert.Contains("lrwxrwxrwx root:root  ", run.Output, StringComparison.Ordinal);
        Assert.Contains($"{Root}links/newline-in-target -> a\\u000Ab\n", run.Output, StringComparison.Ordinal);
        var json = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), "links", "-l", "--json");
        var first = JsonDocument.Parse(json.Output.Split('\n')[0]).RootElement;
        Assert.Equal(("777", "root", "/etc/hostname"), (Text("mode"), Text("owner"), Text("linkTarget")));

        string? Text(string name) => first.GetProperty(name).GetString();
    }

    [Fact]
    public async Task Ls_draws_a_tree_with_sizes()
    {
        var run = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), "docs", "--tree");
        const string Files = "    19 bytes  ├── empty\n     0 bytes  ├── notes.md\n     2.9 KiB  └── readme.txt\n";
        Assert.Equal("     2.9 KiB  " + Root + "docs/\n" + Files, run.Output);
    }

    [Fact]
    public async Task Versions_show_files_bytes_and_changes_where_that_is_cheap_or_asked_for()
    {
        var plain = await CliRun.OfAsync("versions", Fixtures.Backup("plain-1mb"));
        Assert.Equal(
            "   0  2026-11-21 13:30:33 +00:00        86 files     35.1 MiB  3 added, 1 changed, 4 removed\n"
                + "   1  2026-11-21 13:30:30 +00:00        87 files     32.1 MiB  4 added, 5 changed, 5 removed\n"
                + "   2  2026-11-21 13:30:26 +00:00        88 files     32.1 MiB\n",
            plain.Output
        );
        Assert.Contains(
            "dlist.zip.aes",
            (await CliRun.OfAsync("versions", Fixtures.Backup("aes-100kb"))).Output,
            StringComparison.Ordinal
        );
        var asked = await CliRun.OfAsync(
            "versions",
            Fixtures.Backup("aes-100kb"),
            "-l",
            "--json",
            "--passphrase=correct horse"
        );
        var newest = JsonDocument.Parse(asked.Output).RootElement.GetProperty("versions")[0];
        Assert.Equal(
            (88, 3, 1, 4),
            (Number("files"), Number("filesAdded"), Number("filesChanged"), Number("filesRemoved"))
        );

        int Number(string name) => newest.GetProperty(name).GetInt32();
    }

    [Fact]
    public async Task Versions_say_which_list_cannot_be_read()
    {
        using var folder = new TempFolder();
        foreach (
            var list in Directory.GetFiles(Fixtures.Backup("plain-1mb"), "*.dlist.*").Order(StringComparer.Ordinal)
        )
        {
            File.Copy(list, Path.Combine(folder.Path, Path.GetFileName(list)));
        }

        var middle = Directory.GetFiles(folder.Path).Order(StringComparer.Ordinal).ElementAt(1);
        File.WriteAllText(middle, "no zip");
        var run = await CliRun.OfAsync("versions", folder.Path);
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Matches(
            @"^   0  .*        86 files     35\.1 MiB\n   1  .*  its list cannot be read: .*\n   2  .*        88 files     32\.1 MiB\n$",
            run.Output
        );
    }

    [Theory]
    [InlineData("^$")]
    [InlineData("^\\{\"messageType\":\"error\".*\\}\n$", "--json")]
    public async Task Versions_end_with_a_wrong_passphrase_if_one_is_given(string output, params string[] options)
    {
        var run = await CliRun.OfAsync(["versions", Fixtures.Backup("aes-100kb"), "--passphrase=wrong", .. options]);
        Assert.Equal(ExitCodes.WrongPassphrase, run.ExitCode);
        Assert.Matches(output, run.Output);
    }

    [Fact]
    public async Task Find_finds_a_folder_by_its_name()
    {
        var run = await CliRun.OfAsync("find", Fixtures.Backup("plain-1mb"), "docs");
        Assert.StartsWith(Root + "docs/\n    versions 0 to 2 of ", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Find_lists_which_versions_have_a_file()
    {
        var run = await CliRun.OfAsync("find", Fixtures.Backup("plain-1mb"), "readme.txt", "*/becomes-dir/child");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        var lines = run.Output.Split('\n');
        Assert.Equal(Root + "becomes-dir/child", lines[0]);
        Assert.StartsWith("    version", lines[1], StringComparison.Ordinal);
        Assert.Contains(Root + "docs/readme.txt", lines);
    }

    [Theory]
    [InlineData("ls", "no-such-file")]
    [InlineData("find", "no-such-file")]
    [InlineData("verify", "no-such-file")]
    [InlineData("ls", "--version=7")]
    [InlineData("ls", "--time=2001-01-01")]
    public async Task What_is_not_in_the_backup_is_code_5(string command, string argument)
    {
        var run = await CliRun.OfAsync(command, Fixtures.Backup("plain-1mb"), argument);
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.Empty(run.Output);
        Assert.Equal(2, run.Error.TrimEnd().Split('\n').Length);
    }

    [Fact]
    public async Task A_folder_without_a_backup_is_code_5()
    {
        using var folder = TempFolder.WithVictim();
        var empty = Directory.CreateDirectory(Path.Combine(folder.Path, "empty")).FullName;
        foreach (var storage in new[] { empty, folder.Outside, Path.Combine(folder.Path, "not", "there") })
        {
            var run = await CliRun.OfAsync(storage, "-t", folder.Root);
            Assert.Equal(ExitCodes.NotFound, run.ExitCode);
            Assert.Contains(storage, run.Error, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("--passphrase=wrong horse")]
    [InlineData]
    public async Task A_wrong_passphrase_or_none_is_code_4(params string[] options)
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync([Fixtures.Backup("aes-100kb"), "-t", folder.Root, .. options]);
        Assert.Equal(ExitCodes.WrongPassphrase, run.ExitCode);
        Assert.DoesNotContain("wrong horse", run.Error, StringComparison.Ordinal);
        Assert.Empty(run.Output);
        Assert.False(Directory.Exists(folder.Root));
    }

    [Fact]
    public async Task The_prompt_for_the_passphrase_appears_only_when_it_is_needed()
    {
        using var folder = new TempFolder();
        var passphrase = Fixtures.Info("aes-100kb").GetProperty("passphrase").GetString();
        var typed = new Queue<string?>(["wrong", passphrase]);
        var run = await CliRun.OfAsync(
            environment => environment with { AskSecret = _ => typed.Dequeue() },
            Fixtures.Backup("aes-100kb"),
            "-t",
            folder.Root,
            "--allow-restore-outside-target-directory"
        );
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Equal("The passphrase does not open the backup\n", run.Error);
        AssertFilesAreThoseOf("aes-100kb", 0, folder.Root);

        var plain = await CliRun.OfAsync(
            environment => environment with { AskSecret = _ => throw new InvalidOperationException() },
            "ls",
            Fixtures.Backup("plain-1mb")
        );
        Assert.Equal(ExitCodes.Complete, plain.ExitCode);
    }

    [Fact]
    public async Task The_log_file_describes_the_run_without_the_passphrase()
    {
        using var folder = new TempFolder();
        var log = Path.Combine(folder.Path, "restore.log");
        var run = await CliRun.OfAsync(
            environment => environment with { Variable = _ => "correct horse" },
            Fixtures.Backup("aes-100kb"),
            "-t",
            folder.Root,
            "--log-file",
            log,
            "-q"
        );
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Empty(run.Error);
        var lines = await File.ReadAllLinesAsync(log);
        Assert.Contains(lines, line => line.Contains("[Information] Planned version 0: ", StringComparison.Ordinal));
        Assert.EndsWith("[Debug] Ended with exit code 0", lines[^1], StringComparison.Ordinal);
        Assert.DoesNotContain(lines, line => line.Contains("correct horse", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Lost_data_is_code_2_and_every_loss_is_listed()
    {
        using var folder = new TempFolder();
        var damaged = Directory.CreateDirectory(Path.Combine(folder.Path, "damaged")).FullName;
        var volumes = Directory.GetFiles(Fixtures.Backup("damaged/base-plain"));
        foreach (var volume in volumes.Where(volume => !volume.Contains("-b5e3488b", StringComparison.Ordinal)))
        {
            File.Copy(volume, Path.Combine(damaged, Path.GetFileName(volume)));
        }

        var run = await CliRun.OfAsync(damaged, "-t", folder.Root);
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Matches(
            @"\n  Lost      \d+ entries are damaged, missing or refused:\n  (damaged|missing)   /",
            run.Output
        );
        Assert.Contains("Lost: bytes 0 to ", run.Output, StringComparison.Ordinal);
        Assert.Contains($"At: {folder.Root}", run.Output, StringComparison.Ordinal);

        Assert.DoesNotContain("At: ", (await CliRun.OfAsync("verify", damaged)).Output, StringComparison.Ordinal);
        var drill = await CliRun.OfAsync("verify", damaged, "--json");
        Assert.Equal(ExitCodes.Incomplete, drill.ExitCode);
        using var report = JsonDocument.Parse(drill.Output);
        Assert.False(report.RootElement.GetProperty("complete").GetBoolean());
    }

    [Fact]
    public async Task A_target_that_cannot_be_is_code_6()
    {
        using var folder = TempFolder.WithVictim();
        var run = await CliRun.OfAsync(Fixtures.Backup("plain-1mb"), "-t", Path.Combine(folder.Victim, "below-a-file"));
        Assert.Equal(ExitCodes.TargetNotWritable, run.ExitCode);
        folder.AssertOutsideUntouched();
    }

    [Fact]
    public async Task An_interrupted_run_is_code_130()
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync(
            environment => environment with { StopToken = new CancellationToken(canceled: true) },
            Fixtures.Backup("plain-1mb"),
            "-t",
            folder.Root
        );
        Assert.Equal(ExitCodes.Interrupted, run.ExitCode);
        Assert.Equal("Interrupted\n", run.Error);
    }

    [Fact]
    public async Task The_profile_is_printed_after_the_summary()
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync(Fixtures.Backup("plain-1mb"), "-t", folder.Root, "--internal-profiling");
        Assert.Contains(
            "\nProcess              Copies     Messages        MiB  Reading  Working  Writing\n",
            run.Output,
            StringComparison.Ordinal
        );
        Assert.Matches(@"\nPeak memory +\d+\.\d [MG]iB\n", run.Output);
    }

    private static void AssertFilesAreThoseOf(string fixture, int version, string root)
    {
        using var expected = JsonDocument.Parse(
            File.ReadAllBytes(Path.Combine(Fixtures.Folder(fixture), $"expected-{version}.json"))
        );
        var files = expected
            .RootElement.GetProperty("entries")
            .EnumerateArray()
            .Where(entry => entry.GetProperty("type").GetString() == "file")
            .ToList();
        Assert.NotEmpty(files);
        foreach (var file in files)
        {
            var content = File.ReadAllBytes(Path.Combine(root, file.GetProperty("path").GetString()!));
            Assert.Equal(file.GetProperty("sha256").GetString(), Convert.ToHexStringLower(SHA256.HashData(content)));
        }
    }
}
