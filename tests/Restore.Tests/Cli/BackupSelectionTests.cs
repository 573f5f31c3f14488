using System.Text.Json;
using Restore.Cli;
using Restore.Cli.Rendering;
using Restore.Tests.Ends;
using Restore.Tests.Writing;

namespace Restore.Tests.Cli;

/// <summary>
/// Options of Duplicati that decide what a backup takes, and the lists of what it would take.
/// </summary>
public sealed class BackupSelectionTests : IDisposable
{
    /// <summary>Options that these tests cover.</summary>
    public static readonly string[] Options =
    [
        "--ignore-filenames",
        "--exclude-empty-folders",
        "--disable-backup-exclusion-xattr",
        "--exclude-non-local-files",
        "--prevent-empty-source",
        "--allow-missing-source",
        "--abort-if-source-missing",
        "--changed-files",
        "--deleted-files",
        "--disable-autocreate-folder",
        "--quota-size",
        "--quota-warning-threshold",
    ];

    private readonly RoundTrip trip = new();

    public void Dispose() => trip.Dispose();

    [Theory]
    [InlineData("--ignore-filenames=.nobackup", "a cache/CACHEDIR.TAG cache/c empty/")]
    [InlineData("--ignore-filenames=.nobackup:CACHEDIR.TAG", "a empty/")]
    [InlineData("--ignore-filenames=", "a cache/CACHEDIR.TAG cache/c empty/ skip/.nobackup skip/private")]
    [InlineData("--quiet", "a empty/ skip/.nobackup skip/private")]
    [InlineData("--exclude-empty-folders", "a skip/.nobackup skip/private")]
    [InlineData("--exclude-empty-folders --exclude=*/skip/*", "a")]
    public async Task Marked_and_empty_folders_are_left_out_as_asked_for(string options, string taken)
    {
        Write("a", "skip/.nobackup", "skip/private", "cache/CACHEDIR.TAG", "cache/c");
        Directory.CreateDirectory(In("empty"));
        Assert.Equal(taken.Split(' '), await TakenAsync(options.Split(' ')));
    }

    [Fact]
    public async Task Folders_that_have_only_empty_folders_are_empty_and_the_sources_stay()
    {
        Directory.CreateDirectory(In("x/y/z"));
        Write("deep/down/file", "other/only.tmp");
        File.CreateSymbolicLink(In("x/y/link"), "nowhere");
        Directory.CreateDirectory(In("v/w"));
        EntryFilter filter = EntryFilter.Parse([], [new(false, "*.tmp")]);
        BackupWriterReport report = await trip.WriteAsync(
            trip.Options with
            {
                ExcludeEmptyFolders = true,
                Filter = filter,
            }
        );
        Assert.Equal(["deep/down/file", "x/y/link"], await EntriesAsync(folders: false));
        Assert.Equal((5L, 5L), (report.Folders, report.LeftOut));
    }

    [Fact]
    public async Task The_mark_of_a_file_leaves_a_source_in()
    {
        Write(".nobackup", "a");
        Assert.Equal([".nobackup", "a"], await TakenAsync("--ignore-filenames=.nobackup"));
    }

    [Fact]
    public async Task An_attribute_leaves_an_entry_out_unless_it_is_to_be_taken()
    {
        Write("a", "b", "folder/c");
        Assert.SkipUnless(
            OperatingSystem.IsLinux() && TrySetMark(In("b")) && TrySetMark(In("folder")),
            "there are no extended attributes here"
        );
        Assert.Equal(["a"], await TakenAsync("--quiet"));
        Assert.Equal(["a", "b", "folder/c"], await TakenAsync("--disable-backup-exclusion-xattr"));
    }

    [Fact]
    public async Task A_source_that_is_missing_ends_the_backup_unless_that_is_allowed()
    {
        Write("a");
        string gone = Path.Join(trip.Folder, "gone");
        CliRun refused = await RunAsync([gone, trip.Source], "--no-encryption");
        Assert.Equal((ExitCodes.NotFound, false), (refused.ExitCode, Directory.Exists(trip.Destination)));
        CliRun both = await RunAsync(
            [gone, trip.Source],
            "--no-encryption",
            "--allow-missing-source",
            "--abort-if-source-missing"
        );
        Assert.Equal(ExitCodes.NotFound, both.ExitCode);
        Assert.Equal(
            ExitCodes.NotFound,
            (await RunAsync([gone], "--no-encryption", "--allow-missing-source")).ExitCode
        );
        CliRun allowed = await RunAsync([gone, trip.Source], "--no-encryption", "--allow-missing-source");
        Assert.Equal(ExitCodes.Complete, allowed.ExitCode);
        Assert.Contains("The source is not there", allowed.Output, StringComparison.Ordinal);
        Assert.Equal(["a"], await EntriesAsync());
    }

    [Fact]
    public async Task A_source_that_cannot_be_looked_at_does_not_count_as_one_that_is_not_there()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "the links and modes of Unix");
        Write("a", "file");
        Directory.CreateSymbolicLink(Path.Join(trip.Folder, "loop"), "loop");
        string loop = Path.Join(trip.Folder, "loop") + "/";
        List<string> closed = [loop];
        if (!Environment.IsPrivilegedProcess)
        {
            Directory.CreateDirectory(Path.Join(trip.Folder, "closed/sub"));
            Native.SetMode(Path.Join(trip.Folder, "closed"), 0);
            closed.Add(Path.Join(trip.Folder, "closed/sub"));
        }

        foreach (string source in closed)
        {
            CliRun refused = await RunAsync([source, trip.Source], "--no-encryption");
            Assert.Equal((ExitCodes.NotFound, false), (refused.ExitCode, Directory.Exists(trip.Destination)));
            Assert.Contains(
                "The source cannot be looked at, so no version was made",
                refused.Error,
                StringComparison.Ordinal
            );
            CliRun alone = await RunAsync([source], "--no-encryption", "--allow-missing-source");
            Assert.Equal((ExitCodes.NotFound, false), (alone.ExitCode, Directory.Exists(trip.Destination)));
        }

        CliRun allowed = await RunAsync([.. closed, trip.Source], "--no-encryption", "--allow-missing-source");
        Assert.True(allowed.ExitCode == ExitCodes.Incomplete, allowed.Output + allowed.Error);
        Assert.Contains(
            "Its status could not be read, and it is not in the backup",
            allowed.Output,
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("The source is not there", allowed.Output, StringComparison.Ordinal);
        Assert.Equal(["a", "file"], await EntriesAsync());
    }

    [Fact]
    public async Task A_source_below_a_file_is_not_there()
    {
        Write("a");
        CliRun run = await RunAsync([In("a/below"), trip.Source], "--no-encryption", "--allow-missing-source");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.Contains("The source is not there", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_empty_source_ends_the_backup_if_it_may_not_be_empty()
    {
        CliRun run = await RunAsync([trip.Source], "--no-encryption", "--prevent-empty-source");
        Assert.Equal((ExitCodes.NotFound, false), (run.ExitCode, Directory.Exists(trip.Destination)));
        Assert.Contains("The source is an empty folder, so no version was made", run.Error, StringComparison.Ordinal);
        Write("a");
        Assert.Equal(
            ExitCodes.Complete,
            (await RunAsync([trip.Source], "--no-encryption", "--prevent-empty-source")).ExitCode
        );
    }

    [Fact]
    public async Task A_destination_that_is_not_there_is_not_made_if_that_is_asked_for()
    {
        Write("a");
        Assert.Equal(
            ExitCodes.NotFound,
            (await RunAsync([trip.Source], "--no-encryption", "--disable-autocreate-folder")).ExitCode
        );
        Assert.False(Directory.Exists(trip.Destination));
    }

    [Fact]
    public async Task Only_what_changed_is_looked_at_and_the_rest_is_as_it_was()
    {
        Write("same", "changed", "gone", "folder/one", "folder/two", "vanished", "filtered");
        Assert.Equal(
            ["changed", "filtered", "folder/one", "folder/two", "gone", "same", "vanished"],
            await TakenAsync("--changed-files=" + In("changed"))
        );
        await File.WriteAllTextAsync(In("same"), "unnoticed", Token);
        await File.WriteAllTextAsync(In("changed"), "new content", Token);
        await File.WriteAllTextAsync(In("added"), "added", Token);
        File.Delete(In("vanished"));
        string changed = string.Join(
            Path.PathSeparator,
            new[] { "changed", "added", "vanished", "filtered" }.Select(In)
        );
        string deleted = string.Join(Path.PathSeparator, new[] { "gone", "folder" }.Select(In));

        CliRun run = await RunAsync(
            [trip.Source],
            $"--changed-files={changed}",
            $"--deleted-files={deleted}",
            "--exclude=*/filtered",
            "--no-encryption",
            "--skip-assessment"
        );

        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.Equal(["added", "changed", "same"], await EntriesAsync());
        string target = await trip.RestoreAsync();
        Assert.Equal("new content", await File.ReadAllTextAsync(Path.Join(target, "changed"), Token));
        Assert.Equal("same", await File.ReadAllTextAsync(Path.Join(target, "same"), Token));
        Assert.Equal(
            ["changed", "filtered", "folder/one", "folder/two", "gone", "same", "vanished"],
            await EntriesAsync(version: 1)
        );
    }

    [Fact]
    public async Task A_changed_path_in_no_source_is_named_and_one_in_a_folder_that_is_left_out_stays_out()
    {
        Write("a", "left/out");
        await TakenAsync("--exclude=*/left/");
        string paths = string.Join(Path.PathSeparator, "/elsewhere/file", In("left/out"));
        CliRun run = await RunAsync(
            [trip.Source],
            $"--changed-files={paths}",
            "--exclude=*/left/",
            "--no-encryption",
            "--upload-unchanged-backups"
        );
        Assert.Contains("It is in no source, so it was not looked at", run.Output, StringComparison.Ordinal);
        Assert.Equal(["a"], await EntriesAsync());
    }

    [Fact]
    public async Task Everything_is_looked_at_if_blocks_of_the_newest_version_are_lost()
    {
        Write("a", "b");
        await TakenAsync("--quiet");
        foreach (string volume in trip.VolumesOf("dblock"))
        {
            File.Delete(volume);
        }

        CliRun run = await RunAsync(
            [trip.Source],
            $"--changed-files={In("a")}",
            "--no-encryption",
            "--upload-unchanged-backups"
        );
        Assert.Contains("Everything was looked at", run.Output, StringComparison.Ordinal);
        Assert.Equal(
            ["a", "b"],
            Directory
                .GetFiles(await trip.RestoreAsync(warns: true))
                .Select(Path.GetFileName)
                .Order(StringComparer.Ordinal)
        );
    }

    [Fact]
    public async Task A_quota_is_a_warning_if_the_volumes_are_longer_or_nearly_so()
    {
        Write("a");
        CliRun far = await RunAsync([trip.Source], "--no-encryption", "--quota-size=1gb");
        Assert.DoesNotContain("quota", far.Output, StringComparison.Ordinal);
        long stored = Directory.GetFiles(trip.Destination).Sum(file => new FileInfo(file).Length);
        string near = $"--quota-size={stored * 8 / 5}b";
        CliRun warned = await RunAsync(
            [trip.Source],
            near,
            "--quota-warning-threshold=100",
            "--upload-unchanged-backups"
        );
        Assert.Contains("The quota of the backup is nearly reached", warned.Output, StringComparison.Ordinal);
        CliRun over = await RunAsync([trip.Source], "--quota-size=1b", "--upload-unchanged-backups");
        Assert.Contains("The backup is longer than its quota", over.Output, StringComparison.Ordinal);
        Assert.Equal((ExitCodes.Complete, 3), (over.ExitCode, trip.VolumesOf("dlist").Count()));
    }

    [Fact]
    public async Task What_a_backup_takes_is_listed_with_what_decides()
    {
        Write("a", "b~", "skip/.nobackup", "c.tmp", "d.txt");
        string[] filters =
        [
            "--exclude={TemporaryFiles}",
            "--include=*.txt",
            "--exclude=*.tmp",
            "--ignore-filenames=.nobackup",
        ];
        CliRun list = await CliRun.OfAsync(["test-filters", trip.Source, .. filters]);
        Assert.Equal(ExitCodes.Complete, list.ExitCode);
        string[] wanted =
        [
            $"+ {In("a")}  ({Units.Bytes(1)})",
            $"- {In("b~")}  (2 bytes): exclude '{{TemporaryFiles}}'",
            $"- {In("c.tmp")}  (5 bytes): exclude '*.tmp'",
            $"+ {In("d.txt")}  (5 bytes): include '*.txt'",
            $"- {In("skip")}/: a file .nobackup is in it",
        ];
        Assert.All(wanted, line => Assert.Contains(line + "\n", list.Output, StringComparison.Ordinal));
        Assert.Contains("; 3 left out\n", list.Output, StringComparison.Ordinal);
        CliRun dry = await RunAsync([trip.Source], ["--no-encryption", "--dry-run", "--verbose", .. filters]);
        Assert.StartsWith(
            list.Output[..list.Output.LastIndexOf("2 files", StringComparison.Ordinal)],
            dry.Output,
            StringComparison.Ordinal
        );
        Assert.False(Directory.Exists(trip.Destination));
        CliRun json = await RunAsync(
            [trip.Source],
            ["--no-encryption", "--dry-run", "--verbose", "--json", .. filters]
        );
        Assert.Equal(6, JsonDocument.Parse(json.Output).RootElement.GetProperty("entries").GetArrayLength());
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static bool TrySetMark(string path)
    {
        try
        {
            using var process = System.Diagnostics.Process.Start(
                "python3",
                ["-c", $"import os; os.setxattr('{path}', 'user.duplicati.exclude', b'')"]
            );
            process.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }

    private void Write(params string[] files)
    {
        foreach (string file in files)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(In(file))!);
            File.WriteAllText(In(file), Path.GetFileName(file));
        }
    }

    private async Task<List<string>> TakenAsync(params string[] options)
    {
        if (Directory.Exists(trip.Destination))
        {
            Directory.Delete(trip.Destination, recursive: true);
        }

        CliRun run = await RunAsync([trip.Source], ["--no-encryption", .. options]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        return await EntriesAsync();
    }

    /// <summary>
    /// The files and links of a version, and the folders in which there is nothing.
    /// </summary>
    private async Task<List<string>> EntriesAsync(bool folders = true, int version = 0)
    {
        await using Backup backup = await Backup.OpenAsync(trip.Destination, cancellationToken: Token);
        List<string> paths = [];
        await foreach (BackupEntry entry in backup.ListAsync(backup.Versions[version], cancellationToken: Token))
        {
            paths.Add(entry.Path[(trip.Source.Length + 1)..]);
        }

        return
        [
            .. paths
                .Where(path =>
                    path.Length > 0
                    && (
                        !path.EndsWith('/')
                        || (
                            folders
                            && !paths.Any(other => other != path && other.StartsWith(path, StringComparison.Ordinal))
                        )
                    )
                )
                .Order(StringComparer.Ordinal),
        ];
    }

    private string In(string name) => Path.Join(trip.Source, name);

    private Task<CliRun> RunAsync(string[] sources, params string[] options) =>
        CliRun.OfAsync(
            environment => environment with { Clock = TimeProvider.System },
            ["backup", .. sources, trip.Destination, .. options]
        );
}
