using System.Diagnostics;
using System.Globalization;
using Restore.Cli;
using Restore.Tests.Maintenance.Keeping;

namespace Restore.Tests.Cli;

/// <summary>
/// Every other command that writes, killed at random moments and run again, while the user edits,
/// moves in and makes files where it writes: it completes, nothing of its own stays left over, no
/// version is lost, and the user's files stay. RESTORE_KILLS and RESTORE_KILL_SEED choose how many
/// kills of each command, and which.
/// </summary>
[Trait("Suite", "kill")]
public sealed class KilledCommandsTests
{
    // Several kills of one command in a row, before one run goes to its end.
    private const int KillsInARow = 5;

    private static readonly Dictionary<string, string> Variables = new()
    {
        ["PASSPHRASE"] = "secret",
        ["TMPDIR"] = Path.GetTempPath(),
        ["DOTNET_TieredPGO"] = "0",
    };

    private readonly Random random = new(Number("RESTORE_KILL_SEED", 1));
    private readonly Dictionary<string, byte[]> users = [];
    private string[] locks = [];

    private static int Kills => Number("RESTORE_KILLS", 5);

    [Fact]
    public async Task A_repair_that_is_killed_again_and_again_completes_and_costs_no_version()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(2, versions: 3, "secret", size: 6);
        await RepeatAsync(
            () => Array.ForEach(Directory.GetFiles(kept.Location, "*.dindex*"), File.Delete),
            ["repair", kept.Location, "--break-lock"],
            () => UseFolder(kept.Location),
            async () =>
            {
                await RunAsync("check", kept.Location);
                await kept.AssertRestorableAsync(kept.Times);
                AssertUsersFiles();
                AssertNothingElse(kept.Location, "duplicati-");
            }
        );
    }

    [Fact]
    public async Task A_purge_that_is_killed_again_and_again_completes_and_leaves_sound_versions()
    {
        int seed = 0;
        KeptBackup? kept = null;
        try
        {
            await RepeatAsync(
                async () =>
                {
                    kept?.Dispose();
                    kept = await KeptBackup.WriteAsync(seed++, versions: 3, "secret", size: 3);
                    users.Clear();

                    // Without an older one, a version can lose all its files, and then stays.
                    File.Delete(Directory.GetFiles(kept.Location, "*.dblock*").MaxBy(File.GetLastWriteTimeUtc)!);
                },
                () => ["repair", kept!.Location, "--purge-broken-files", "--yes", "--break-lock"],
                () => UseFolder(kept!.Location),
                async () =>
                {
                    await RunAsync("check", kept!.Location);
                    await RunAsync("verify", kept.Location, "--all-versions");
                    AssertUsersFiles();
                    AssertNothingElse(kept.Location, "duplicati-");
                }
            );
        }
        finally
        {
            kept?.Dispose();
        }
    }

    [Fact]
    public async Task Deletions_and_compacts_that_are_killed_leave_the_files_of_the_user()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(4, versions: 4, "secret", size: 3);
        await RepeatAsync(
            async () => await kept.BackupAsync(),
            () =>
                random.Next(2) == 0
                    ? ["delete", kept.Location, "--keep-versions=3", "--yes", "--break-lock"]
                    :
                    [
                        "compact",
                        kept.Location,
                        "--threshold=5",
                        "--small-file-max-count=2",
                        "--dblock-size=100kb",
                        "--yes",
                        "--break-lock",
                    ],
            () => UseFolder(kept.Location),
            async () =>
            {
                await kept.AssertRestorableAsync(kept.Times.TakeLast(3));
                AssertUsersFiles();

                // A command without anything to do takes no lock, so the lock of a killed run stays
                // until one that writes breaks it.
                await kept.BackupAsync();
                AssertNothingElse(kept.Location, "duplicati-");
            }
        );
    }

    [Fact]
    public async Task A_database_that_is_killed_again_and_again_is_made_whole_and_replaces_nothing()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(3, versions: 3, "secret", size: 6);
        using TempFolder folder = new();
        string output = Path.Join(Directory.CreateDirectory(folder.Root).FullName, "made.sqlite");
        await RepeatAsync(
            () => File.Delete(output),
            ["database", kept.Location, $"--output={output}"],
            () => UseFolder(folder.Root),
            async () =>
            {
                await RunAsync("verify", kept.Location, $"--dbpath={output}");
                AssertUsersFiles();

                // What a killed run left is removed by a run an hour later: until then it could be
                // one that goes on.
                Array.ForEach(
                    Directory.GetFiles(folder.Root, ".restore-made.sqlite-*"),
                    file => File.SetLastWriteTimeUtc(file, DateTime.UnixEpoch)
                );
                File.Delete(output);
                await RunAsync("database", kept.Location, $"--output={output}");
                AssertNothingElse(folder.Root, "made.sqlite");
            },
            output
        );
    }

    [Theory]
    [InlineData("--tar")]
    [InlineData("--zip")]
    public async Task An_export_that_is_killed_again_and_again_is_whole_or_not_there(string format)
    {
        using TreeBackup tree = await TreeBackup.WriteAsync(files: 40, largeFiles: 3);
        using TempFolder folder = new();
        string output = Path.Join(Directory.CreateDirectory(folder.Root).FullName, "archive");
        string[] arguments = ["export", tree.Location, format, $"--output={output}", "--quiet"];
        await RunAsync(arguments);
        byte[] whole = await File.ReadAllBytesAsync(output);
        await RepeatAsync(
            () => File.Delete(output),
            arguments,
            () => UseFolder(folder.Root),
            () =>
            {
                Assert.True(whole.AsSpan().SequenceEqual(File.ReadAllBytes(output)), "The archive has other bytes");
                AssertUsersFiles();
                return Task.CompletedTask;
            },
            output
        );
    }

    [Fact]
    public async Task Shards_and_their_last_step_that_are_killed_again_and_again_complete_beside_the_files_of_the_user()
    {
        using TreeBackup tree = await TreeBackup.WriteAsync(files: 40, largeFiles: 3);
        int killed = 0;
        while (killed < Kills)
        {
            using TempFolder folder = new();
            users.Clear();
            Directory.CreateDirectory(folder.Root);
            string plan = Path.Join(folder.Path, "job.rplan");
            await RunAsync("plan", tree.Location, $"--restore-path={folder.Root}", $"--save={plan}", "--shards=2");
            Dictionary<string, byte[]> others = [];
            for (int step = 0; step < 3; step++)
            {
                string[] arguments =
                    step < 2 ? ["run", plan, $"--shard={step + 1}/2", "--quiet"] : ["finish", plan, "--quiet"];
                for (int i = 0; i < 2; i++)
                {
                    killed += await KillAsync(arguments, step < 2 ? 250 : 60) ? 1 : 0;
                    if (step < 2)
                    {
                        Use(tree, folder.Root, others);
                    }
                }

                await RunAsync(arguments);
            }

            tree.AssertRestored(folder.Root, others);
        }
    }

    /// <summary>
    /// A file of the tree that the user makes, or moves in with an old time, where the restore has
    /// made none yet.
    /// </summary>
    private void Use(TreeBackup tree, string target, Dictionary<string, byte[]> others)
    {
        string? path = tree
            .Files.OrderBy(_ => random.Next())
            .FirstOrDefault(path => !File.Exists(Path.Join(target, path)) && !others.ContainsKey(path));
        if (path is null)
        {
            return;
        }

        byte[] own = [1, 2, 3, (byte)random.Next(256)];
        string full = Path.Join(target, path);
        string elsewhere = Path.Join(Path.GetDirectoryName(target)!, "elsewhere");
        Directory.CreateDirectory(Path.GetDirectoryName(full)!);
        File.WriteAllBytes(elsewhere, own);
        File.SetLastWriteTimeUtc(
            elsewhere,
            random.Next(2) == 0 ? File.GetLastWriteTimeUtc(Path.Join(tree.Source, path)) : DateTime.UnixEpoch
        );
        File.Move(elsewhere, full);
        string date = TimeProvider.System.GetLocalNow().ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
        others.Add(path, own);
        others.Add(Path.ChangeExtension(path, $".{date}.bin"), tree.ContentOf(path));
    }

    /// <summary>
    /// What a user does in a folder: makes a file, edits one with its time kept, moves one in. Its
    /// names are like those of the program.
    /// </summary>
    private void UseFolder(string folder)
    {
        locks = Directory.GetFiles(folder, "restore-lock.*");
        string[] names =
        [
            "notes.txt",
            ".restore-notes",
            "duplicati-notes.txt",
            ".restore-0123456789abcdef.7",
            "incomplete_notes",
            "restore-lock.notes",
        ];
        string path = Path.Join(folder, names[random.Next(names.Length)]);
        byte[] content = new byte[1 + random.Next(3000)];
        random.NextBytes(content);
        DateTime? time = File.Exists(path) && random.Next(2) == 0 ? File.GetLastWriteTimeUtc(path) : null;
        string moved = path + ".moved";
        File.WriteAllBytes(moved, content);
        File.Move(moved, path, overwrite: true);
        if (time is { } kept)
        {
            File.SetLastWriteTimeUtc(path, kept);
        }

        users[path] = content;
    }

    private void AssertUsersFiles() =>
        Assert.All(
            users,
            file =>
                Assert.True(file.Value.AsSpan().SequenceEqual(File.ReadAllBytes(file.Key)), $"{file.Key} was changed")
        );

    /// <summary>
    /// The lock of a run that was killed after its last deletion stays: the next run finds nothing
    /// to do.
    /// </summary>
    private void AssertNothingElse(string folder, string start) =>
        Assert.All(
            Directory.GetFiles(folder).Where(path => !users.ContainsKey(path) && !locks.Contains(path)),
            path => Assert.StartsWith(start, Path.GetFileName(path), StringComparison.Ordinal)
        );

    private Task RepeatAsync(Action prepare, string[] arguments, Action use, Func<Task> check, string? output = null) =>
        RepeatAsync(
            () =>
            {
                prepare();
                return Task.CompletedTask;
            },
            () => arguments,
            use,
            check,
            output
        );

    /// <summary>
    /// Kills the command again and again, with the user at work in between, lets it end, and looks
    /// at the result.
    /// </summary>
    /// <param name="output">A file that the command makes: what a run that was not killed made
    /// goes, so that there is work again.</param>
    private async Task RepeatAsync(
        Func<Task> prepare,
        Func<string[]> arguments,
        Action use,
        Func<Task> check,
        string? output = null
    )
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "What an open file forbids on Windows is another test.");
        await prepare();
        long start = TimeProvider.System.GetTimestamp();
        await RunAsync(arguments());
        int longest = (int)Math.Min(TimeProvider.System.GetElapsedTime(start).TotalMilliseconds * 5 / 4, 5000);
        int killed = 0;
        for (int round = 0; killed < Kills && round < Kills * 4; round++)
        {
            await prepare();
            for (int i = 0; i < KillsInARow && killed < Kills; i++)
            {
                killed += await KillAsync(arguments(), longest) ? 1 : 0;
                use();
                if (output is not null)
                {
                    File.Delete(output);
                }
            }

            await RunAsync(arguments());
            await check();
        }
    }

    /// <summary>Starts the program and kills it some time later.</summary>
    /// <returns>Whether it was killed; else it had ended.</returns>
    private async Task<bool> KillAsync(string[] arguments, int longest)
    {
        using Process process = ProgramRun.Start(Variables, arguments);
        Task output = Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await Task.WhenAny(process.WaitForExitAsync(), Task.Delay(random.Next(longest)));
        bool isKilled = !process.HasExited;
        process.Kill(entireProcessTree: true);
        await process.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(30));
        await output.WaitAsync(TimeSpan.FromSeconds(30));
        return isKilled;
    }

    /// <summary>Runs the program to its end, which must be a good one.</summary>
    private static async Task RunAsync(params string[] arguments)
    {
        ProgramRun run = await ProgramRun.OfAsync(Variables, arguments);

        // A purge says what was lost.
        bool isGood =
            run.ExitCode == ExitCodes.Complete
            || (run.ExitCode == ExitCodes.Incomplete && arguments.Contains("--purge-broken-files"));
        Assert.True(isGood, $"{string.Join(' ', arguments)}: {run.ExitCode}: {run.Error}{run.Output}");
    }

    private static int Number(string variable, int usual) =>
        int.TryParse(
            Environment.GetEnvironmentVariable(variable),
            NumberStyles.None,
            CultureInfo.InvariantCulture,
            out int number
        )
            ? number
            : usual;
}
