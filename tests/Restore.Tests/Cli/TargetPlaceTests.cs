using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>
/// Where a restore must not write, and where it writes only if the user means it.
/// </summary>
public sealed class TargetPlaceTests
{
    [Theory]
    [InlineData("restore")]
    [InlineData("browse")]
    [InlineData("plan")]
    public async Task A_target_in_the_folder_of_the_backup_is_refused(string command)
    {
        using var folder = new TempFolder();
        var backup = Copy("plain-1mb", folder);
        Directory.CreateSymbolicLink(folder.In("link"), backup);
        foreach (var target in new[] { Path.Combine(backup, "out"), folder.In("link/out"), backup })
        {
            string[] more = command == "plan" ? ["--save=" + folder.In("p.rplan")] : [];
            string[] words = command == "restore" ? [] : [command];
            var run = await CliRun.OfAsync([.. words, "file://" + backup, "--restore-path=" + target, .. more]);
            Assert.Equal(ExitCodes.Usage, run.ExitCode);
            Assert.Contains($"{target} is in the folder of the backup ({backup})", run.Error, StringComparison.Ordinal);
            Assert.Empty(Directory.EnumerateDirectories(backup));
        }
    }

    [Theory]
    [InlineData("--report", "verify")]
    [InlineData("--metrics", "verify")]
    [InlineData("--log-file", "versions")]
    [InlineData("--log-file", "backup")]
    [InlineData("--cache-dir", "ls")]
    public async Task A_file_of_a_run_in_the_folder_of_the_backup_is_refused(string option, string command)
    {
        using var folder = new TempFolder();
        var backup = Copy("plain-1mb", folder);
        Directory.CreateSymbolicLink(folder.In("link"), backup);
        var before = Contents(backup);
        var volume = Path.GetFileName(before.Keys.First(path => path.Contains(".dblock", StringComparison.Ordinal)));
        foreach (
            var place in new[]
            {
                Path.Combine(backup, volume),
                folder.In("link/" + volume),
                Path.Combine(backup, "new"),
            }
        )
        {
            string[] words =
                command == "backup"
                    ? ["backup", folder.Path, backup, "--no-encryption"]
                    : [command, "file://" + backup];
            var run = await CliRun.OfAsync([.. words, $"{option}={place}"]);
            Assert.Equal(ExitCodes.Usage, run.ExitCode);
            Assert.StartsWith($"{option}: {place} ", run.Error, StringComparison.Ordinal);
            Assert.Matches($" is in the folder of the backup \\({backup}\\)| has the name of a volume", run.Error);
            Assert.Equal(before, Contents(backup));
        }
    }

    [Fact]
    public async Task The_backup_in_a_target_from_which_the_rest_is_deleted_is_refused()
    {
        using var folder = new TempFolder();
        var backup = Copy("plain-1mb", folder);
        var files = Directory.EnumerateFiles(backup).Count();
        var run = await CliRun.OfAsync(
            "file://" + backup,
            "--restore-path=" + folder.Root,
            "--overwrite",
            "--delete",
            "--yes"
        );
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains($"--delete: the backup ({backup}) is in {folder.Root}", run.Error, StringComparison.Ordinal);
        Assert.Equal(files, Directory.EnumerateFiles(backup).Count());
    }

    /// <summary>
    /// The folder of the backup can be in the target, and the backup can have volumes of a time
    /// when they were files like others.
    /// </summary>
    [Theory]
    [InlineData(null)]
    [InlineData("home")]
    [InlineData("link")]
    public async Task What_would_go_into_the_folder_of_the_backup_is_refused_and_the_rest_is_restored(string? target)
    {
        using var folder = new TempFolder();
        string[] files = ["home/notes.txt", "home/backup/volume", "home/backup/sub/file", "home/backup2/file"];
        foreach (var file in files)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(folder.In(file))!);
            await File.WriteAllTextAsync(folder.In(file), "content");
        }

        Directory.CreateSymbolicLink(folder.In("link"), folder.In("home"));
        var made = await CliRun.OfAsync("backup", folder.In("home"), folder.In("made"), "--no-encryption");
        Assert.True(made.ExitCode == ExitCodes.Complete, made.Error);
        Directory.Delete(folder.In("home"), recursive: true);
        Directory.CreateDirectory(folder.In("home"));
        var backup = folder.In("home/backup");
        Directory.Move(folder.In("made"), backup);
        await File.WriteAllTextAsync(Path.Combine(backup, "volume"), "a live volume");
        var before = Contents(backup);
        string[] place = target is null ? [] : ["--restore-path=" + folder.In(target)];
        var run = await CliRun.OfAsync([backup, "--overwrite", "--yes", .. place]);
        Assert.True(run.ExitCode == ExitCodes.Incomplete, run.Error);
        Assert.Contains($"is in the folder of the backup ({backup})", run.Output + run.Error, StringComparison.Ordinal);
        Assert.Equal(before, Contents(backup));
        Assert.False(Directory.Exists(folder.In("home/backup/sub")));
        Assert.True(File.Exists(folder.In("home/notes.txt")));
        Assert.True(File.Exists(folder.In("home/backup2/file")));

        // A backup without its own volumes, but with their folder, is restored as a whole.
        run = await CliRun.OfAsync([
            backup,
            "--exclude=*/backup/*",
            "--overwrite",
            "--yes",
            .. place,
        ]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);

        // Elsewhere they are files like others.
        run = await CliRun.OfAsync(backup, "--restore-path=" + folder.In("elsewhere"));
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Equal("content", await File.ReadAllTextAsync(folder.In("elsewhere/backup/volume")));
    }

    [Theory]
    [InlineData("y", ExitCodes.Complete)]
    [InlineData("n", ExitCodes.Interrupted)]
    [InlineData("", ExitCodes.Interrupted)]
    public async Task On_a_terminal_the_original_places_are_named_and_confirmed(string answer, int code)
    {
        using var folder = new TempFolder();
        var backup = await BackedUpAsync(folder);
        var run = await CliRun.OfAsync(environment => environment with { Ask = _ => answer }, backup);
        Assert.True(run.ExitCode == code, run.Error);
        var place = folder.In("source");
        Assert.Contains(
            $"No --restore-path: 1 file, 1 folder, 0 links go to their original places, below {place}",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Equal(code == ExitCodes.Complete, File.Exists(folder.In("source/sub/file")));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task With_yes_and_off_a_terminal_nobody_is_asked(bool isTerminal)
    {
        using var folder = new TempFolder();
        var backup = await BackedUpAsync(folder);
        var run = await CliRun.OfAsync(
            environment =>
                environment with
                {
                    Ask = isTerminal ? _ => throw new InvalidOperationException("A question") : null,
                },
            isTerminal ? [backup, "--yes"] : [backup]
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.True(File.Exists(folder.In("source/sub/file")));
    }

    private static SortedDictionary<string, string> Contents(string folder) =>
        new(
            Directory
                .EnumerateFileSystemEntries(folder)
                .ToDictionary(path => path, path => Convert.ToHexString(File.ReadAllBytes(path))),
            StringComparer.Ordinal
        );

    /// <summary>A backup of a folder that is gone since.</summary>
    private static async Task<string> BackedUpAsync(TempFolder folder)
    {
        Directory.CreateDirectory(folder.In("source/sub"));
        await File.WriteAllTextAsync(folder.In("source/sub/file"), "content");
        var made = await CliRun.OfAsync("backup", folder.In("source/sub"), folder.In("backup"), "--no-encryption");
        Assert.True(made.ExitCode == ExitCodes.Complete, made.Error);
        Directory.Delete(folder.In("source/sub"), recursive: true);
        return folder.In("backup");
    }

    private static string Copy(string fixture, TempFolder folder)
    {
        var backup = folder.In("backup");
        Directory.CreateDirectory(backup);
        foreach (var file in Directory.EnumerateFiles(Fixtures.Backup(fixture)))
        {
            File.Copy(file, Path.Combine(backup, Path.GetFileName(file)));
        }

        return backup;
    }
}
