using System.Globalization;
using Restore.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Reported;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Mount;

/// <summary>Real mounts by the real program, read by the programs of the system.</summary>
[Trait("Suite", "mount")]
public sealed class MountProgramTests
{
    /// <summary>The options that are tested here.</summary>
    public static readonly string[] Options = ["--allow-other", "--block-cache", "--daemon"];

    private const string Passphrase = "--passphrase=correct horse";

    [Theory]
    [InlineData("aes-100kb")]
    [InlineData("plain-1mb")]
    [InlineData("blocklists-1kb")]
    public async Task A_fixture_is_mounted_as_its_source_was_and_copied_with_cp(string fixture)
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).Single();
        using ProgramMount mount = await ProgramMount.StartAsync(
            backup.Location,
            $"--passphrase={backup.Options().Passphrase ?? "none"}"
        );
        RestoredTree.AssertEqual(
            backup.Versions[0].ExpectedFile!,
            mount.Latest + backup.SourceRoot,
            backup.Checks,
            backup.Skipped.Contains
        );

        using TempFolder folder = new();
        ShellRun copy = await ShellRun.OfAsync("cp", ["-a", mount.Latest + backup.SourceRoot, folder.Root]);
        Assert.Equal((0, ""), (copy.ExitCode, copy.Text));
        RestoredTree.AssertEqual(backup.Versions[0].ExpectedFile!, folder.Root, backup.Checks, backup.Skipped.Contains);
        Assert.Equal(ExitCodes.Complete, await mount.EndAsync());
        Assert.Empty(Directory.EnumerateFileSystemEntries(mount.Folder));
    }

    [Fact]
    public async Task Programs_search_list_and_read_many_files_at_the_same_time()
    {
        using TreeBackup tree = await TreeBackup.WriteAsync(files: 200);
        using ProgramMount mount = await ProgramMount.StartAsync(tree.Location, "--block-cache=1mb");
        string mounted = mount.Latest + tree.Source;
        tree.AssertRestored(mounted);

        string[] searches =
        [
            $"grep -rc . {mounted} | wc -l",
            $"find {mounted} -type f | wc -l",
            $"diff -r {tree.Source} {mounted} && echo same",
        ];
        ShellRun[] runs = await Task.WhenAll(
            searches.Concat(searches).Select(search => ShellRun.OfAsync("/bin/bash", ["-c", search]))
        );
        Assert.Equal(["204", "204", "same", "204", "204", "same"], runs.Select(run => run.Text.Trim()));
        ShellRun write = await ShellRun.OfAsync(
            "/bin/bash",
            ["-c", $"touch {mounted}/new; rm {mounted}/'folder 1/0'/*"]
        );
        Assert.NotEqual(0, write.ExitCode);
        Assert.Contains("Read-only file system", write.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("error", mount.Text, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    [NeedsPrograms(".ci/install-packages", "rsync")]
    public async Task Rsync_copies_a_version_and_finds_nothing_to_do_the_second_time()
    {
        using TreeBackup tree = await TreeBackup.WriteAsync(files: 30);
        using ProgramMount mount = await ProgramMount.StartAsync(tree.Location);
        using TempFolder folder = new();
        string[] arguments = ["-aXi", $"{mount.Latest}{tree.Source}/", folder.Root + "/"];
        Assert.Equal(0, (await ShellRun.OfAsync("rsync", arguments)).ExitCode);
        tree.AssertRestored(folder.Root);
        Assert.Equal("", (await ShellRun.OfAsync("rsync", arguments)).Text);
    }

    [Fact]
    public async Task A_lost_volume_costs_its_ranges_and_nothing_else()
    {
        using TreeBackup tree = await TreeBackup.WriteAsync(files: 5, largeFiles: 2);
        string lost = Directory
            .EnumerateFiles(tree.Location, "*dblock*")
            .OrderByDescending(file => new FileInfo(file).Length)
            .First();
        File.Delete(lost);
        using ProgramMount mount = await ProgramMount.StartAsync(tree.Location);
        byte[] page = new byte[4096];
        (int right, int gone) = (0, 0);
        foreach (string file in tree.Files)
        {
            byte[] content = tree.ContentOf(file);
            await using FileStream stream = new(
                Path.Join(mount.Latest + tree.Source, file),
                FileMode.Open,
                FileAccess.Read,
                FileShare.Read,
                bufferSize: 0
            );
            Assert.Equal(content.Length, stream.Length);
            for (int at = 0; at < content.Length; at += page.Length)
            {
                try
                {
                    stream.Position = at;
                    int read = await stream.ReadAtLeastAsync(page, page.Length, throwOnEndOfStream: false);
                    Assert.Equal(content.AsSpan(at, Math.Min(page.Length, content.Length - at)), page.AsSpan(0, read));
                    right++;
                }
                catch (IOException)
                {
                    gone++;
                }
            }
        }

        // A volume is 1 MiB of blocks that do not shrink much.
        Assert.InRange(gone, 1, 350);
        Assert.InRange(right, 300, int.MaxValue);
        Assert.Equal(ExitCodes.Complete, await mount.EndAsync());
        string line = Assert.Single(mount.Text.Split('\n'), line => line.Contains("dblock", StringComparison.Ordinal));
        Assert.StartsWith($"{Path.GetFileName(lost)} is missing or damaged", line, StringComparison.Ordinal);
        Assert.DoesNotContain("in no volume that can be read", mount.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_mount_ends_although_a_program_has_a_file_of_it_open()
    {
        using TreeBackup tree = await TreeBackup.WriteAsync(files: 5, largeFiles: 1);
        using ProgramMount mount = await ProgramMount.StartAsync(tree.Location);
        string largest = tree.Files.MaxBy(file => tree.ContentOf(file).Length)!;
        await using FileStream open = new(
            Path.Join(mount.Latest + tree.Source, largest),
            FileMode.Open,
            FileAccess.Read,
            FileShare.Read,
            bufferSize: 0
        );
        Assert.Equal(100, await open.ReadAtLeastAsync(new byte[100], 100));
        Assert.Equal(ExitCodes.Complete, await mount.EndAsync());
        Assert.Empty(Directory.EnumerateFileSystemEntries(mount.Folder));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Another_user_sees_the_mount_only_if_that_is_asked_for(bool isAllowed)
    {
        using TreeBackup tree = await TreeBackup.WriteAsync(files: 5, largeFiles: 0);
        using ProgramMount mount = await ProgramMount.StartAsync(
            isAllowed ? [tree.Location, "--allow-other"] : [tree.Location]
        );
        ShellRun run = await ShellRun.OfAsync(
            "setpriv",
            ["--reuid=65534", "--regid=65534", "--clear-groups", "ls", mount.Latest + tree.Source]
        );
        Assert.Equal(isAllowed, run.ExitCode == 0);
        Assert.Contains(isAllowed ? "folder 1" : "Permission denied", run.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_cannot_be_mounted_is_said_in_one_sentence_with_a_code_of_its_own()
    {
        using TempFolder folder = new();
        string backup = FixtureCatalog.BackupsOf("aes-100kb").Single().Location;
        string full = Directory.CreateDirectory(folder.In("full")).FullName;
        string file = Path.Join(full, "a file");
        await File.WriteAllTextAsync(file, "");
        (string[] Arguments, int Code, string Says)[] cases =
        [
            ([backup, full, Passphrase], ExitCodes.Usage, $"The folder {full} is not empty"),
            ([backup, file, Passphrase], ExitCodes.Usage, "is a file"),
            ([backup, folder.In("missing"), Passphrase], ExitCodes.NotFound, "does not exist"),
            ([backup, Passphrase], ExitCodes.Usage, "Name the backup and one folder"),
            (
                [backup, folder.In("empty"), "/no/such/folder", Passphrase],
                ExitCodes.NotFound,
                "There is no folder /no/such/folder in the version of "
            ),
            (
                [folder.In("no backup"), Directory.CreateDirectory(folder.In("empty")).FullName],
                ExitCodes.NotFound,
                "no backup"
            ),
            ([backup, folder.In("empty"), "--passphrase=wrong"], ExitCodes.WrongPassphrase, "The passphrase"),
        ];
        foreach ((string[] arguments, int code, string says) in cases)
        {
            var run = await Cli.CliRun.OfAsync(["mount", .. arguments]);
            Assert.Equal((code, ""), (run.ExitCode, run.Output));
            Assert.Contains(says, run.Error, StringComparison.Ordinal);
            Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task One_version_or_one_folder_of_it_can_be_the_root_of_a_mount()
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf("plain-1mb").Single();
        int oldest = backup.Versions.Count - 1;
        using ProgramMount version = await ProgramMount.StartAsync(backup.Location, $"--version={oldest}");
        RestoredTree.AssertEqual(
            backup.Versions[oldest].ExpectedFile!,
            version.Folder + backup.SourceRoot,
            backup.Checks,
            backup.Skipped.Contains
        );
        using ProgramMount part = await ProgramMount.StartAsync(backup.Location, backup.SourceRoot + "/");
        RestoredTree.AssertEqual(backup.Versions[0].ExpectedFile!, part.Folder, backup.Checks, backup.Skipped.Contains);
        ShellRun listed = await ShellRun.OfAsync("stat", ["-c", "%F %A", part.Folder]);
        Assert.StartsWith("directory dr", listed.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_daemon_is_mounted_when_the_command_ends_and_ends_with_umount()
    {
        Assert.SkipUnless(
            Environment.IsPrivilegedProcess && File.Exists("/dev/fuse"),
            "A backup can only be mounted by the root user of a system with FUSE."
        );
        using TempFolder folder = new();
        Directory.CreateDirectory(folder.Root);
        FixtureBackup backup = FixtureCatalog.BackupsOf("aes-100kb").Single();
        string[] command =
        [
            .. ShellRun.Program,
            "mount",
            backup.Location,
            folder.Root,
            "--daemon",
            "--log-file=" + Path.Join(folder.Path, "log"),
        ];
        ShellRun wrong = await ShellRun.OfAsync(command[0], [.. command[1..], "--passphrase=wrong"]);
        Assert.True(wrong.ExitCode == ExitCodes.WrongPassphrase, wrong.Text);
        ShellRun run = await ShellRun.OfAsync(
            command[0],
            [.. command[1..], "--passphrase-command=echo 'correct horse'"]
        );
        try
        {
            Assert.True(run.ExitCode == ExitCodes.Complete, run.Text);
            Assert.StartsWith($"Mounted on {folder.Root} by process ", run.Text, StringComparison.Ordinal);
            RestoredTree.AssertEqual(
                backup.Versions[0].ExpectedFile!,
                folder.In("latest") + backup.SourceRoot,
                backup.Checks,
                backup.Skipped.Contains
            );
            int process = int.Parse(run.Text.Split(' ', ';')[5], CultureInfo.InvariantCulture);
            Assert.Equal(0, (await ShellRun.OfAsync("umount", [folder.Root])).ExitCode);
            while (Directory.Exists($"/proc/{process}"))
            {
                await Task.Delay(20);
            }

            Assert.Contains(
                "Ended with exit code 0",
                await File.ReadAllTextAsync(Path.Join(folder.Path, "log")),
                StringComparison.Ordinal
            );
        }
        finally
        {
            _ = Ends.Native.TryUnmount(folder.Root);
        }
    }

    [Fact]
    public async Task A_user_who_may_not_mount_gets_the_reason()
    {
        Assert.SkipUnless(
            Environment.IsPrivilegedProcess && File.Exists("/dev/fuse"),
            "Only the root user can give up the right to mount."
        );
        using TempFolder folder = new();
        Directory.CreateDirectory(folder.Root);
        string backup = FixtureCatalog.BackupsOf("aes-100kb").Single().Location;
        string[] command = [.. ShellRun.Program, "mount", backup, folder.Root, Passphrase];
        ShellRun run = await ShellRun.OfAsync(
            "setpriv",
            ["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", .. command]
        );
        Assert.Equal(ExitCodes.TargetNotWritable, run.ExitCode);
        Assert.Contains("The system did not mount on", run.Text, StringComparison.Ordinal);
    }
}
