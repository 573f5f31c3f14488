using System.Text.Json;
using Restore.Cli;
using Restore.Tests.Writing;

namespace Restore.Tests.Cli;

public sealed class BackupCommandTests : IDisposable
{
    /// <summary>Options that these tests and those of the writer cover.</summary>
    public static readonly string[] Options =
    [
        "--exclude-files-attributes",
        "--skip-files-larger-than",
        "--symlink-policy",
        "--hardlink-policy",
        "--disable-filetime-check",
        "--no-encryption",
        "--blocksize",
        "--dblock-size",
        "--zip-compression-level",
        "--compression-extension-file",
        "--block-hash-algorithm",
        "--file-hash-algorithm",
        "--upload-unchanged-backups",
        "--concurrency-fileprocessors",
        "--concurrency-block-hashers",
        "--concurrency-compressors",
        "--asynchronous-upload-limit",
        "--break-lock",
        "--encryption-module",
        "--with-restorer",
    ];

    private readonly RoundTrip trip = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose() => trip.Dispose();

    [Fact]
    public async Task A_tree_comes_back_as_it_was()
    {
        SourceTree.Make(trip.Source, seed: 3, blockSizeBytes: 1024);

        var run = await BackUpAsync("--passphrase=p", "--blocksize=1kb", "--dblock-size=100kb", "--verbose");

        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.StartsWith("Made the version 20", run.Output, StringComparison.Ordinal);
        Assert.Contains("Limit     ", run.Output, StringComparison.Ordinal);
        trip.AssertLikeSource(await trip.RestoreAsync(passphrase: "p"));
    }

    [Fact]
    public async Task An_unchanged_tree_is_not_read_again_and_gets_no_version_unless_asked_for()
    {
        SourceTree.Make(trip.Source, seed: 4, blockSizeBytes: 1024);
        MakeOld(trip.Source);
        JsonElement first = await JsonAsync("--no-encryption");
        string[] before = Directory.GetFiles(trip.Destination);

        JsonElement second = await JsonAsync("--no-encryption");
        Assert.True(second.GetProperty("nothingChanged").GetBoolean());
        Assert.Equal(
            (0L, 0L),
            (second.GetProperty("bytesRead").GetInt64(), second.GetProperty("newBlocks").GetInt64())
        );
        Assert.Equal(first.GetProperty("files").GetInt64(), second.GetProperty("unchangedFiles").GetInt64());
        Assert.Equal(
            before.Order(StringComparer.Ordinal),
            Directory.GetFiles(trip.Destination).Order(StringComparer.Ordinal)
        );

        JsonElement third = await JsonAsync("--upload-unchanged-backups", "--disable-filetime-check");
        Assert.Equal(first.GetProperty("bytesRead").GetInt64(), third.GetProperty("bytesRead").GetInt64());
        Assert.Equal(0, third.GetProperty("newBlocks").GetInt64());
        Assert.Equal(before.Length + 1, Directory.GetFiles(trip.Destination).Length);
        trip.AssertLikeSource(await trip.RestoreAsync(version: 0));
        trip.AssertLikeSource(await trip.RestoreAsync(version: 1));
    }

    [Theory]
    [InlineData("--passphrase=x")]
    [InlineData("--passphrase-file=/dev/null")]
    [InlineData("--passphrase-command=echo x")]
    public async Task No_encryption_and_a_passphrase_exclude_each_other_but_for_one_of_a_variable(string given)
    {
        SourceTree.Make(trip.Source, seed: 4, blockSizeBytes: 1024);
        CliRun run = await BackUpAsync("--no-encryption", given);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            $"--no-encryption and {given.Split('=')[0]} exclude each other",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.False(Directory.Exists(trip.Destination) && Directory.EnumerateFiles(trip.Destination).Any());
        run = await CliRun.OfAsync(
            environment => environment with { Variable = name => name == "PASSPHRASE" ? "of others" : null },
            "backup",
            trip.Source,
            trip.Destination,
            "--no-encryption"
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Single(Directory.GetFiles(trip.Destination, "*.dlist.zip"));
    }

    [Theory]
    [InlineData("*.txt", "a/b/text.txt")]
    [InlineData("*/a/", "a/")]
    [InlineData("*", "", "a/", "a/b/", "a/b/text.txt", "c/", "c/text.doc")]
    public async Task With_includes_alone_only_what_they_match_is_taken_from_every_folder(
        string include,
        params string[] taken
    )
    {
        foreach (string file in new[] { "a/b/text.txt", "c/text.doc" })
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.Join(trip.Source, file))!);
            await File.WriteAllTextAsync(Path.Join(trip.Source, file), file, Token);
        }

        Assert.Equal(ExitCodes.Complete, (await BackUpAsync("--no-encryption")).ExitCode);
        bool isFileTaken = taken.Any(path => path.Length > 0 && !path.EndsWith('/'));
        Assert.Equal(
            isFileTaken ? ExitCodes.Complete : ExitCodes.NothingTaken,
            (await BackUpAsync("--no-encryption", $"--include={include}", "--upload-unchanged-backups")).ExitCode
        );
        await using Backup backup = await Backup.OpenAsync(trip.Destination);
        List<string> paths = [];
        await foreach (BackupEntry entry in backup.ListAsync(backup.Versions[0], cancellationToken: Token))
        {
            paths.Add(entry.Path[(trip.Source.Length + 1)..]);
        }

        Assert.Equal(taken, paths.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task A_dry_run_says_what_a_run_does_and_writes_nothing()
    {
        SourceTree.Make(trip.Source, seed: 5, blockSizeBytes: 1024);

        JsonElement dry = await JsonAsync("--no-encryption", "--dry-run");
        Assert.Empty(Directory.Exists(trip.Destination) ? Directory.GetFiles(trip.Destination) : []);
        string text = (await BackUpAsync("--no-encryption", "--dry-run")).Output;
        Assert.EndsWith("  Complete  everything could be read\n", text, StringComparison.Ordinal);
        Assert.DoesNotContain(" of the time", text, StringComparison.Ordinal);
        JsonElement wet = await JsonAsync("--no-encryption");

        Assert.True(dry.GetProperty("dryRun").GetBoolean());
        Assert.Equal(JsonValueKind.Null, dry.GetProperty("fileList").ValueKind);
        foreach (string same in new[] { "files", "bytes", "bytesRead", "newBlocks", "newBlockBytes", "blockVolumes" })
        {
            Assert.Equal(wet.GetProperty(same).GetInt64(), dry.GetProperty(same).GetInt64());
        }
    }

    [Fact]
    public async Task The_stages_add_up()
    {
        SourceTree.Make(trip.Source, seed: 6, blockSizeBytes: 1024);

        JsonElement report = await JsonAsync("--passphrase=p");

        Dictionary<string, JsonElement> stages = report
            .GetProperty("stages")
            .EnumerateArray()
            .ToDictionary(stage => stage.GetProperty("stage").GetString()!);
        long Bytes(string stage) => stages[stage].GetProperty("bytes").GetInt64();
        Assert.Equal(["compress", "encrypt", "hash", "read", "upload"], stages.Keys.Order(StringComparer.Ordinal));
        Assert.Equal(report.GetProperty("bytesRead").GetInt64(), Bytes("read"));
        Assert.True(Bytes("hash") > Bytes("read"), "metadata is hashed too");
        Assert.Equal(report.GetProperty("newBlockBytes").GetInt64(), Bytes("compress"));
        Assert.InRange(Bytes("upload"), Bytes("encrypt"), report.GetProperty("bytesWritten").GetInt64());
        double seconds = report.GetProperty("seconds").GetDouble();
        Assert.All(
            stages.Values,
            stage =>
                Assert.InRange(
                    stage.GetProperty("secondsWorking").GetDouble(),
                    0,
                    (stage.GetProperty("copies").GetInt32() * seconds) + 0.01
                )
        );
        Assert.Contains(" of the time", report.GetProperty("limit").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Filters_attributes_sizes_and_links_decide_what_is_taken()
    {
        Directory.CreateDirectory(In("keep"));
        Directory.CreateDirectory(In("cache"));
        File.WriteAllText(In("keep/a.txt"), "a");
        File.WriteAllText(In("keep/b.tmp"), "b");
        File.WriteAllText(In("keep/.hidden"), "h");
        File.WriteAllText(In("cache/c.txt"), "c");
        File.WriteAllBytes(In("large.bin"), new byte[5000]);
        File.CreateSymbolicLink(In("link"), "keep/a.txt");

        var run = await BackUpAsync(
            "--no-encryption",
            "--exclude=*.tmp",
            $"--exclude={In("cache")}/",
            "--exclude-files-attributes=hidden",
            "--skip-files-larger-than=4kb",
            "--symlink-policy=follow"
        );

        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        string restored = await trip.RestoreAsync();
        Assert.Equal(
            ["keep", "keep/a.txt", "link"],
            Directory
                .EnumerateFileSystemEntries(restored, "*", SearchOption.AllDirectories)
                .Select(path => Path.GetRelativePath(restored, path))
                .Order(StringComparer.Ordinal)
        );
        Assert.Null(new FileInfo(Path.Combine(restored, "link")).LinkTarget);

        Directory.Delete(trip.Destination, recursive: true);
        Assert.Equal(
            ExitCodes.Complete,
            (await BackUpAsync("--no-encryption", "--include=*.txt", "--symlink-policy=ignore")).ExitCode
        );
        restored = await trip.RestoreAsync();
        Assert.Equal(
            ["cache/c.txt", "keep/a.txt"],
            Directory
                .EnumerateFiles(restored, "*", SearchOption.AllDirectories)
                .Select(path => Path.GetRelativePath(restored, path))
                .Order(StringComparer.Ordinal)
        );
    }

    [Fact]
    public async Task Links_to_nothing_are_left_out_if_links_are_followed_and_a_source_may_be_too_long()
    {
        File.WriteAllText(In("kept"), "kept");
        File.CreateSymbolicLink(In("nowhere"), "not there");
        File.WriteAllBytes(In("long.bin"), new byte[5000]);
        BackupWriterReport report = await trip.WriteAsync(
            trip.Options with
            {
                Sources = [In("kept"), In("nowhere"), In("long.bin")],
                Symlinks = SymlinkPolicy.Follow,
                MaxFileSizeBytes = 4096,
            }
        );
        Assert.Equal(1, report.Files);
        Assert.Equal(In("nowhere"), Assert.Single(report.Issues).Path);
        Assert.Equal(
            "kept",
            Path.GetFileName(
                Assert.Single(Directory.GetFiles(await trip.RestoreAsync(), "*", SearchOption.AllDirectories))
            )
        );
    }

    [Fact]
    public async Task A_job_says_where_the_backup_is_and_what_opens_it()
    {
        File.WriteAllText(In("kept"), "kept");
        string job = Path.Join(trip.Folder, "job.json");
        await File.WriteAllTextAsync(
            job,
            $$$"""{"Backup":{"Name":"Home","TargetURL":"file://{{{trip.Destination}}}","Settings":[{"Name":"passphrase","Value":"secret"}]}}""",
            Token
        );
        CliRun run = await CliRun.OfAsync(
            environment => environment with { Clock = TimeProvider.System },
            ["backup", trip.Source, $"--from-config={job}"]
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.All(
            Directory.GetFiles(trip.Destination),
            file => Assert.EndsWith(".aes", file, StringComparison.Ordinal)
        );
        await trip.RestoreAsync(passphrase: "secret");
    }

    [Fact]
    public async Task The_backup_itself_is_left_out_whatever_its_folder_is_called()
    {
        Directory.CreateDirectory(In("volumes"));
        File.WriteAllText(In("kept"), "kept");
        string link = Path.Join(trip.Folder, "link");
        File.CreateSymbolicLink(link, In("volumes"));
        for (int i = 0; i < 2; i++)
        {
            BackupWriterReport report = await trip.WriteAsync(trip.Options with { Destination = link });
            Assert.Equal(1, report.Files);
            Assert.Equal(In("volumes"), Assert.Single(report.Issues).Path);
        }
    }

    [Fact]
    public async Task Every_option_of_speed_gives_the_same_backup()
    {
        SourceTree.Make(trip.Source, seed: 7, blockSizeBytes: 1024);
        string types = Path.Combine(trip.Folder, "types");
        await File.WriteAllTextAsync(types, "# none\n.bin  binary\n", Token);

        var run = await BackUpAsync(
            "--passphrase=p",
            "--zip-compression-level=1",
            "--compression-extension-file=" + types,
            "--file-hash-algorithm=sha512",
            "--block-hash-algorithm=sha1",
            "--concurrency-fileprocessors=3",
            "--concurrency-block-hashers=4",
            "--concurrency-compressors=1",
            "--asynchronous-upload-limit=2",
            "--hardlink-policy=all",
            "--dblock-size=3mb",
            "--verbose"
        );

        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.Contains("; 4 copies, working", run.Output, StringComparison.Ordinal);
        trip.AssertLikeSource(await trip.RestoreAsync(passphrase: "p"));
    }

    [Theory]
    [InlineData("--symlink-policy=sometimes", "give one of store, follow, ignore")]
    [InlineData("--exclude-files-attributes=blue", "'blue' is no attribute")]
    [InlineData("--blocksize=1tb", "give a size from 1kb to 512mb")]
    [InlineData("--block-hash-algorithm=crc", "The hash \"CRC\" is not known")]
    [InlineData("--exclude={Photos}", "The filter group '{Photos}' is not known")]
    [InlineData("--ignore-filenames=a/b", "'a/b' is no name of a file in a folder")]
    [InlineData("--deleted-files=/a", "counts only with --changed-files")]
    [InlineData("--encryption-module=gpg", "those of GnuPG are read, and not written")]
    public async Task What_cannot_be_used_is_a_usage_error(string option, string reason)
    {
        var run = await BackUpAsync("--no-encryption", option);

        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains(reason, run.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(trip.Destination));
    }

    [Fact]
    public async Task A_new_backup_needs_a_passphrase_or_the_word_that_it_has_none()
    {
        File.WriteAllText(In("a"), "a");

        var run = await BackUpAsync();

        Assert.Equal(ExitCodes.WrongPassphrase, run.ExitCode);
        Assert.Contains("--no-encryption", run.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(trip.Destination));

        Assert.Equal(ExitCodes.Complete, (await BackUpAsync("--passphrase=right")).ExitCode);
        run = await BackUpAsync("--passphrase=wrong");
        Assert.Equal(ExitCodes.WrongPassphrase, run.ExitCode);
        Assert.Contains("does not open the backup that is in the destination", run.Error, StringComparison.Ordinal);
        Assert.Equal(ExitCodes.WrongPassphrase, (await BackUpAsync()).ExitCode);
        Assert.Single(trip.VolumesOf("dlist"));
        Assert.Equal(3, Directory.GetFiles(trip.Destination).Length);
    }

    [Fact]
    public async Task Duplicatis_options_for_old_versions_name_the_command_that_deletes_them()
    {
        File.WriteAllText(In("a"), "a");
        var run = await BackUpAsync("--no-encryption", "--keep-versions=2");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Contains(
            "Old versions stay: 'restore delete' with --keep-versions removes them after the backup\n",
            run.Error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_new_passphrase_is_typed_twice_and_one_of_a_backup_once()
    {
        File.WriteAllText(In("a"), "a");
        var typed = new Queue<string?>(["right", "rihgt", "right", "right"]);

        var run = await CliRun.OfAsync(
            environment => environment with { AskSecret = _ => typed.Dequeue() },
            "backup",
            trip.Source,
            trip.Destination
        );

        Assert.Equal((ExitCodes.Complete, "They are not the same\n"), (run.ExitCode, run.Error));
        typed.Enqueue("right");
        run = await CliRun.OfAsync(
            environment => environment with { AskSecret = _ => typed.Dequeue() },
            "ls",
            trip.Destination
        );
        Assert.Equal((ExitCodes.Complete, ""), (run.ExitCode, run.Error));
        Assert.Empty(typed);
    }

    [Fact]
    public async Task Sources_and_backup_in_Duplicatis_order_are_distinguished()
    {
        File.WriteAllText(In("a"), "a");
        Assert.Equal(ExitCodes.Complete, (await BackUpAsync("--no-encryption")).ExitCode);

        var folders = await CliRun.OfAsync("backup", trip.Destination, trip.Source, "--no-encryption");
        var url = await CliRun.OfAsync("backup", "file://" + trip.Destination, trip.Source, "--no-encryption");

        Assert.Equal((ExitCodes.Usage, ExitCodes.Usage), (folders.ExitCode, url.ExitCode));
        Assert.Contains(
            "the sources come first, the place of the backup last",
            folders.Error,
            StringComparison.Ordinal
        );
        Assert.Contains("the sources come first, the place of the backup last", url.Error, StringComparison.Ordinal);
        Assert.Equal([In("a")], Directory.GetFiles(trip.Source));
    }

    [Fact]
    public async Task A_place_with_several_backups_asks_for_the_prefix()
    {
        File.WriteAllText(In("a"), "a");
        Assert.Equal(ExitCodes.Complete, (await BackUpAsync("--no-encryption", "--prefix=one")).ExitCode);
        Assert.Equal(ExitCodes.Complete, (await BackUpAsync("--upload-unchanged-backups")).ExitCode);
        Assert.Equal(2, Directory.GetFiles(trip.Destination, "one-*.dlist.zip").Length);
        Assert.Equal(ExitCodes.Complete, (await BackUpAsync("--no-encryption", "--prefix=two")).ExitCode);

        var run = await BackUpAsync();

        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.Contains("The folder holds 2 backups: one, two", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Another_writer_is_waited_for_and_one_that_is_gone_can_be_removed()
    {
        File.WriteAllText(In("a"), "a");
        Directory.CreateDirectory(trip.Destination);
        string forgotten = Path.Combine(trip.Destination, "restore-lock.duplicati.20261123T031000Z.0123.attic");
        await File.WriteAllTextAsync(forgotten, "Host attic", Token);
        string part = Path.Combine(trip.Destination, "incomplete_duplicati=b0123.dblock.zip");
        await File.WriteAllTextAsync(part, "half", Token);
        await File.WriteAllTextAsync(
            Path.Combine(trip.Destination, "incomplete_restore=lock.duplicati.20261123T031000Z.0123.attic"),
            "",
            Token
        );

        var run = await BackUpAsync("--no-encryption");
        Assert.Equal(ExitCodes.TargetNotWritable, run.ExitCode);
        Assert.Contains("attic since 20261123T031000Z", run.Error, StringComparison.Ordinal);
        Assert.Contains("--break-lock", run.Error, StringComparison.Ordinal);
        Assert.True(File.Exists(forgotten) && File.Exists(part));

        Assert.Equal(ExitCodes.Complete, (await BackUpAsync("--no-encryption", "--break-lock")).ExitCode);
        Assert.All(
            Directory.GetFiles(trip.Destination),
            path => Assert.StartsWith("duplicati-", Path.GetFileName(path), StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task A_source_that_is_not_there_is_an_error_and_no_version()
    {
        var run = await CliRun.OfAsync(
            "backup",
            Path.Combine(trip.Folder, "absent"),
            trip.Destination,
            "--no-encryption"
        );

        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.Contains("There is nothing to back up", run.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(trip.Destination));
    }

    [Theory]
    [InlineData("")]
    [InlineData("sub")]
    public async Task The_place_of_the_backup_as_its_only_source_is_nothing_to_back_up(string below)
    {
        File.WriteAllText(In("a"), "a");
        Assert.Equal(ExitCodes.Complete, (await BackUpAsync("--no-encryption")).ExitCode);
        Directory.CreateDirectory(Path.Join(trip.Destination, "sub"));
        Directory.CreateSymbolicLink(Path.Join(trip.Folder, "link"), trip.Destination);

        string source = Path.Join(trip.Folder, "link", below);
        var run = await CliRun.OfAsync("backup", source, "file://" + trip.Destination, "--no-encryption");

        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.Equal($"There is nothing to back up: {source} is where the backup itself goes\n", run.Error);
        Assert.Single(trip.VolumesOf("dlist"));
    }

    private static void MakeOld(string folder)
    {
        foreach (
            string path in Directory
                .EnumerateFiles(folder, "*", SearchOption.AllDirectories)
                .Where(path => new FileInfo(path).LinkTarget is null)
        )
        {
            File.SetLastWriteTimeUtc(path, new DateTime(2020, 1, 2, 3, 4, 5, DateTimeKind.Utc));
        }
    }

    private string In(string name) => Path.Combine(trip.Source, name);

    private Task<CliRun> BackUpAsync(params string[] options) =>
        CliRun.OfAsync(
            environment => environment with { Clock = TimeProvider.System },
            ["backup", trip.Source, trip.Destination, .. options]
        );

    private async Task<JsonElement> JsonAsync(params string[] options)
    {
        var run = await BackUpAsync([.. options, "--json"]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        return JsonDocument.Parse(run.Output).RootElement;
    }
}
