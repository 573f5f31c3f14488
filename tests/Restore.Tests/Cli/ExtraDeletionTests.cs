using System.Globalization;
using System.Text.Json;
using Restore.Cli;
using Restore.Tests.Ends;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Cli;

/// <summary>A restore that makes the target equal to the backup.</summary>
public sealed class ExtraDeletionTests
{
    [Fact]
    public async Task What_the_backup_does_not_have_goes_and_everything_else_stays()
    {
        using var tree = await TreeBackup.WriteAsync(files: 8, largeFiles: 0);
        using var folder = TempFolder.WithVictim();
        await RestoreAsync(tree, folder);
        var before = Names(folder.Root);
        MakeExtra(folder);

        var run = await CliRun.OfAsync(tree.Location, "-t", folder.Root, "--overwrite", "--delete", "--yes");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Contains(
            "Removed what the backup does not have: 4 files and links, 2 folders, 7 bytes\n",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Equal(before, Names(folder.Root));
        folder.AssertOutsideUntouched();

        // A removal changes the time of its folder, which is restored.
        Assert.Equal(DateTime.UnixEpoch.AddDays(900), Directory.GetLastWriteTimeUtc(folder.In("empty")));
        Assert.Equal(Directory.GetLastWriteTimeUtc(tree.Source), Directory.GetLastWriteTimeUtc(folder.Root));
    }

    [Fact]
    public async Task What_is_beside_several_sources_was_never_in_the_backup_and_stays()
    {
        using TempFolder folder = new();
        foreach (string file in (string[])["docs/a", "pics/b"])
        {
            Write(file);
        }

        string backup = folder.In("backup");
        CliRun made = await CliRun.OfAsync(
            "backup",
            folder.In("home/docs"),
            folder.In("home/pics"),
            backup,
            "--no-encryption"
        );
        Assert.True(made.ExitCode == ExitCodes.Complete, made.Error);
        foreach (string file in (string[])["docs/extra", "Downloads/precious", "keep"])
        {
            Write(file);
        }

        CliRun run = await CliRun.OfAsync(backup, "-t", folder.In("home"), "--overwrite", "--delete", "--yes");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Equal(
            ["Downloads/precious", "docs/a", "keep", "pics/b"],
            Directory
                .GetFiles(folder.In("home"), "*", SearchOption.AllDirectories)
                .Select(path => Path.GetRelativePath(folder.In("home"), path))
                .Order(StringComparer.Ordinal)
        );

        void Write(string file)
        {
            string path = folder.In($"home/{file}");
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, file);
        }
    }

    [Fact]
    [NeedsLinux]
    public async Task Another_file_system_in_the_target_is_left_alone_and_named()
    {
        using var tree = await TreeBackup.WriteAsync(files: 8, largeFiles: 0);
        using var folder = new TempFolder();
        await RestoreAsync(tree, folder);
        Directory.CreateDirectory(folder.In("disk"));
        if (!Native.Mount(folder.In("disk"), "size=1m"))
        {
            Assert.Skip("This user cannot mount a file system.");
        }

        try
        {
            File.WriteAllText(folder.In("disk/file"), "x");
            File.WriteAllText(folder.In("extra"), "x");
            var run = await CliRun.OfAsync(tree.Location, "-t", folder.Root, "--overwrite", "--delete", "--yes");
            Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
            Assert.Contains(
                "Removed what the backup does not have: 1 file or link, 0 folders, 1 byte, but 1 stay\n",
                run.Error,
                StringComparison.Ordinal
            );
            Assert.Contains("Another file system or folder is mounted here", run.Output, StringComparison.Ordinal);
            Assert.True(File.Exists(folder.In("disk/file")));
            Assert.False(File.Exists(folder.In("extra")));
        }
        finally
        {
            Native.Unmount(folder.In("disk"));
        }
    }

    [Theory]
    [InlineData("{0}/folder 1/", "--dont-compress-restore-paths", "{0}/folder 1")]
    [InlineData("@{0}/folder 1/", "", "folder 1")]
    [InlineData("{0}/folder 1/", "", "")]
    [InlineData("", "--dont-compress-restore-paths", "{0}")]
    public async Task Nothing_goes_outside_of_the_folders_that_the_selection_maps_to(
        string selection,
        string option,
        string place
    )
    {
        using var tree = await TreeBackup.WriteAsync(files: 8, largeFiles: 0);
        using var folder = TempFolder.WithVictim();
        string[] arguments =
        [
            .. new[]
            {
                tree.Location,
                string.Format(CultureInfo.InvariantCulture, selection, tree.Source),
                option,
            }.Where(argument => argument.Length > 0),
            "-t",
            folder.Root,
            "--overwrite",
        ];
        Assert.Equal(ExitCodes.Complete, (await CliRun.OfAsync(arguments)).ExitCode);
        var inside = folder.In(string.Format(CultureInfo.InvariantCulture, place, tree.Source[1..]));
        var restored = Names(folder.Root);
        File.WriteAllText(Path.Join(inside, "extra"), "x");
        var isRoot = inside.TrimEnd('/') == folder.Root;
        string[] own = isRoot
            ? []
            : [folder.In("mine/file"), folder.In("own"), Path.Join(Path.GetDirectoryName(inside), "sibling")];
        foreach (var file in own)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            File.WriteAllText(file, "x");
        }

        var run = await CliRun.OfAsync([.. arguments, "--delete", "--yes"]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Contains(
            "Removed what the backup does not have: 1 file or link, 0 folders, 1 byte\n",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.All(own, file => Assert.True(File.Exists(file)));
        Assert.Empty(restored.Except(Names(folder.Root)));
        folder.AssertOutsideUntouched();
    }

    [Fact]
    public async Task A_saved_plan_of_one_folder_finds_nothing_outside_of_it()
    {
        using var tree = await TreeBackup.WriteAsync(files: 8, largeFiles: 0);
        using var folder = new TempFolder();
        File.WriteAllText(Path.Join(folder.Path, "own"), "x");
        await using var backup = await Backup.OpenAsync(tree.Location);
        var options = new RestoreOptions
        {
            Target = folder.Path,
            Overwrite = true,
            Filter = EntryFilter.Parse([$"@{tree.Source}/folder 1/"], []),
        };
        using var saved = new MemoryStream();
        (await backup.PlanAsync(backup.Versions[0], options)).Save(saved);
        saved.Position = 0;
        var extra = await backup.FindExtraAsync(RestorePlan.Load(saved));
        Assert.Empty(extra.Files);
        Assert.Empty(extra.Folders);
    }

    [Fact]
    public async Task A_whole_file_system_is_no_folder_to_delete_from()
    {
        using var tree = await TreeBackup.WriteAsync(files: 3, largeFiles: 0);
        await using var backup = await Backup.OpenAsync(tree.Location);
        using var folder = new TempFolder();
        Directory.CreateSymbolicLink(Path.Join(folder.Path, "link"), "/");
        foreach (var target in new[] { "/", Path.Join(folder.Path, "link") })
        {
            // Overwrites nothing: it is planned only.
            var plan = await backup.PlanAsync(
                backup.Versions[0],
                new RestoreOptions { Target = target, Overwrite = true }
            );
            var refusal = await Assert.ThrowsAsync<RestoreException>(() => backup.FindExtraAsync(plan));
            Assert.Equal(RestoreErrorCode.TargetUnusable, refusal.Code);
        }
    }

    [Fact]
    public async Task A_dry_run_counts_it_and_removes_nothing()
    {
        using var tree = await TreeBackup.WriteAsync(files: 8, largeFiles: 0);
        using var folder = TempFolder.WithVictim();
        await RestoreAsync(tree, folder);
        MakeExtra(folder);
        var before = Names(folder.Root);

        var run = await CliRun.OfAsync(tree.Location, "-t", folder.Root, "--overwrite", "--delete", "--dry-run");
        Assert.Contains(
            "  To remove 4 files and links, 2 folders, 7 bytes that the backup does not have\n",
            run.Output,
            StringComparison.Ordinal
        );
        Assert.Contains("            mine/deep/file\n", run.Output, StringComparison.Ordinal);
        Assert.Contains("            mine/deep/\n", run.Output, StringComparison.Ordinal);
        Assert.Equal(before, Names(folder.Root));

        var json = await CliRun.OfAsync(
            tree.Location,
            "-t",
            folder.Root,
            "--overwrite",
            "--delete",
            "--dry-run",
            "--json"
        );
        var plan = JsonDocument.Parse(json.Output).RootElement;
        string[] paths = [.. plan.GetProperty("pathsToRemove").EnumerateArray().Select(path => path.GetString()!)];
        Assert.Equal(
            plan.GetProperty("filesToRemove").GetInt32() + plan.GetProperty("foldersToRemove").GetInt32(),
            paths.Length
        );
        Assert.Contains("mine/deep/file", paths);
        Assert.Contains("mine/deep/", paths);
        Assert.Equal(before, Names(folder.Root));
    }

    [Theory]
    [InlineData("y", true)]
    [InlineData("YES", true)]
    [InlineData("n", false)]
    [InlineData("", false)]
    [InlineData(null, false)]
    public async Task It_is_asked_first_and_any_other_answer_than_yes_changes_nothing(string? answer, bool isRemoved)
    {
        using var tree = await TreeBackup.WriteAsync(files: 3, largeFiles: 0);
        using var folder = TempFolder.WithVictim();
        Directory.CreateDirectory(folder.Root);
        File.WriteAllText(folder.In("mine"), "x");
        var asked = "";
        var run = await CliRun.OfAsync(
            environment =>
                environment with
                {
                    Ask = prompt =>
                    {
                        asked += prompt;
                        return answer;
                    },
                },
            tree.Location,
            "-t",
            folder.Root,
            "--overwrite",
            "--delete"
        );
        Assert.Equal("Restore, and remove them? [y/N] ", asked);
        Assert.Contains("1 file or link, 0 folders, 1 byte\n  mine\n", run.Error, StringComparison.Ordinal);
        Assert.Equal(isRemoved ? ExitCodes.Complete : ExitCodes.Interrupted, run.ExitCode);
        Assert.Equal(!isRemoved, File.Exists(folder.In("mine")));
        Assert.Equal(isRemoved, Names(folder.Root).Length > 1);
    }

    [Fact]
    public async Task Without_anybody_to_ask_it_is_a_usage_error()
    {
        using var tree = await TreeBackup.WriteAsync(files: 3, largeFiles: 0);
        using var folder = TempFolder.WithVictim();
        Directory.CreateDirectory(folder.Root);
        File.WriteAllText(folder.In("mine"), "x");
        var run = await CliRun.OfAsync(tree.Location, "-t", folder.Root, "--overwrite", "--delete");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            "--delete would remove 1 file or link, 0 folders, 1 byte from ",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Equal(["mine"], Names(folder.Root));
    }

    [Fact]
    public async Task Nothing_goes_when_something_is_lost()
    {
        using var tree = await TreeBackup.WriteAsync(files: 8, largeFiles: 0);
        using var folder = TempFolder.WithVictim();
        foreach (var volume in Directory.EnumerateFiles(tree.Location, "*.dblock*"))
        {
            File.Delete(volume);
        }

        Directory.CreateDirectory(folder.Root);
        File.WriteAllText(folder.In("mine"), "x");
        var run = await CliRun.OfAsync(tree.Location, "-t", folder.Root, "--overwrite", "--delete", "--yes");
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Contains("Not everything is restored, so nothing was removed", run.Error, StringComparison.Ordinal);
        Assert.True(File.Exists(folder.In("mine")));
    }

    [Fact]
    public async Task A_target_that_holds_the_backup_is_refused_whatever_it_is_called()
    {
        using var tree = await TreeBackup.WriteAsync(files: 3, largeFiles: 0);
        var above = Path.GetDirectoryName(tree.Location)!;
        var run = await CliRun.OfAsync(tree.Location, "-t", above, "--overwrite", "--delete", "--yes");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            $"--delete: {tree.Location} is in {above}, and would be removed\n",
            run.Error,
            StringComparison.Ordinal
        );

        using var folder = new TempFolder();
        var link = Path.Combine(folder.Path, "link");
        Directory.CreateSymbolicLink(link, above);
        run = await CliRun.OfAsync(tree.Location, "-t", link, "--overwrite", "--delete", "--yes");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            $"--delete: {tree.Location} is in {link}, and would be removed\n",
            run.Error,
            StringComparison.Ordinal
        );

        await using var backup = await Backup.OpenAsync(tree.Location);
        var plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = link, Overwrite = true });
        var refusal = await Assert.ThrowsAsync<RestoreException>(() => backup.FindExtraAsync(plan));
        Assert.StartsWith(
            "The target has volumes of the backup itself, such as ",
            refusal.Message,
            StringComparison.Ordinal
        );
        Assert.NotEmpty(Directory.EnumerateFiles(tree.Location));
    }

    [Theory]
    [InlineData("--delete needs --restore-path", "--overwrite")]
    [InlineData("--delete needs --overwrite", "-t", "/out")]
    [InlineData("--delete and --skip-metadata exclude each other", "-t", "/out", "--overwrite", "--skip-metadata")]
    [InlineData("--delete takes the whole backup or one folder of it", "-t", "/out", "--overwrite", "*.jpg")]
    [InlineData("--delete takes the whole backup or one folder of it", "-t", "/out", "--overwrite", "--exclude=*.tmp")]
    [InlineData("--delete takes the whole backup or one folder of it", "-t", "/out", "--overwrite", "/a/", "/b/")]
    [InlineData(
        "--delete: /out/cache is in /out, and would be removed",
        "-t",
        "/out",
        "--overwrite",
        "--cache-dir=/out/cache"
    )]
    [InlineData(
        "--delete: /out/report is in /out, and would be removed",
        "-t",
        "/out",
        "--overwrite",
        "--report=/out/report"
    )]
    public async Task A_deletion_that_could_take_more_is_refused(string sentence, params string[] options)
    {
        var run = await CliRun.OfAsync([.. options, "/backup", "--delete", "--yes", "--dry-run"]);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(sentence, run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--passphrase-file={0}")]
    [InlineData("--parameters-file={0}")]
    [InlineData("--job-key-file={0}")]
    [InlineData("--ssh-keyfile={0}")]
    [InlineData("--gpg-program-path={0}")]
    public async Task What_an_option_names_is_not_deleted(string option)
    {
        using var tree = await TreeBackup.WriteAsync(files: 3, largeFiles: 0);
        using var folder = TempFolder.WithVictim();
        Directory.CreateDirectory(folder.Root);
        var mine = folder.In("mine");
        File.WriteAllText(mine, "# text");
        var run = await CliRun.OfAsync(
            tree.Location,
            "-t",
            folder.Root,
            "--overwrite",
            "--delete",
            "--yes",
            string.Format(CultureInfo.InvariantCulture, option, mine)
        );
        Assert.Contains($" is in {folder.Root}, and would be removed\n", run.Error, StringComparison.Ordinal);
        Assert.Equal(["mine"], Names(folder.Root));
    }

    private static async Task RestoreAsync(TreeBackup tree, TempFolder folder) =>
        Assert.Equal(ExitCodes.Complete, (await CliRun.OfAsync(tree.Location, "-t", folder.Root)).ExitCode);

    /// <summary>
    /// Two files, a link out of the target and one inside of it, and two folders.
    /// </summary>
    private static void MakeExtra(TempFolder folder)
    {
        Directory.CreateDirectory(folder.In("mine/deep"));
        File.WriteAllText(folder.In("mine/deep/file"), "four");
        File.WriteAllText(folder.In("empty/file"), "two");
        Directory.CreateSymbolicLink(folder.In("mine/out"), folder.Outside);
        File.CreateSymbolicLink(folder.In("out"), folder.Victim);
        File.SetLastWriteTimeUtc(folder.In("empty/file"), DateTime.Parse("2026-01-01", CultureInfo.InvariantCulture));
    }

    private static string[] Names(string root) =>
        [
            .. Directory
                .EnumerateFileSystemEntries(
                    root,
                    "*",
                    new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.None }
                )
                .Select(path => Path.GetRelativePath(root, path))
                .Order(StringComparer.Ordinal),
        ];
}
