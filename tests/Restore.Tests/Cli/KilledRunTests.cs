using System.Diagnostics;
using System.Globalization;
using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>
/// The program, killed at random moments of a restore and run again with the same command,
/// completes: exit code 0, the right bytes under the right names, nothing left over, and the user's
/// files as they were. RESTORE_KILLS and RESTORE_KILL_SEED choose how many kills of each flow, and
/// which.
/// </summary>
[Trait("Suite", "kill")]
public sealed class KilledRunTests
{
    // Several kills of one target in a row: an interrupted run is continued by one that is
    // interrupted too.
    private const int KillsInARow = 6;

    // The legacy flow passes volumes through temporary files.
    private static Dictionary<string, string> Environment =>
        new() { ["TMPDIR"] = Path.GetTempPath(), ["DOTNET_TieredPGO"] = "0" };

    [Theory]
    [InlineData("")]
    [InlineData("--restore-legacy=true")]
    [InlineData("--overwrite=true")]
    public async Task A_restore_that_is_killed_again_and_again_completes(string option)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "What an open file forbids on Windows is another test.");
        int kills = NumberOf("RESTORE_KILLS", 18) / 3;
        Random random = new(NumberOf("RESTORE_KILL_SEED", 1));
        using TreeBackup tree = await TreeBackup.WriteAsync(files: 40, largeFiles: 3);
        int killed = 0;
        for (int target = 0; killed < kills; target++)
        {
            using TempFolder folder = new();
            string moments = "";
            Dictionary<string, byte[]> others = PutUsersFiles(
                tree,
                folder.Root,
                replaced: option.StartsWith("--overwrite", StringComparison.Ordinal)
            );
            string[] arguments =
            [
                .. new[] { tree.Location, $"--restore-path={folder.Root}", "--quiet", option }.Where(argument =>
                    argument.Length > 0
                ),
            ];
            for (int kill = 0; kill < KillsInARow && killed < kills; kill++, killed++)
            {
                int delay = random.Next(200);
                moments += $" {delay}";
                if (!await KillAsync(arguments, folder.Root, TimeSpan.FromMilliseconds(delay)))
                {
                    break;
                }
            }

            ProgramRun run = await ProgramRun.OfAsync(Environment, arguments);
            Assert.True(
                run.ExitCode == ExitCodes.Complete,
                $"Target {target}, killed after{moments} ms: {run.ExitCode}: {run.Error}{run.Output}"
            );
            tree.AssertRestored(folder.Root, others);
        }
    }

    [Fact]
    public async Task A_restore_to_the_original_places_that_is_killed_again_and_again_completes()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "What an open file forbids on Windows is another test.");
        int kills = NumberOf("RESTORE_KILLS", 18) / KillsInARow;
        Random random = new(NumberOf("RESTORE_KILL_SEED", 1));
        using TempFolder folder = new();
        using TreeBackup tree = await TreeBackup.WriteAsync(files: 40, largeFiles: 3);
        Directory.Move(tree.Source, folder.Root);
        Directory.CreateDirectory(tree.Source);
        string[] arguments = [tree.Location, "--quiet"];
        for (int kill = 0; kill < kills; kill++)
        {
            await KillAsync(arguments, tree.Source, TimeSpan.FromMilliseconds(random.Next(200)));
        }

        ProgramRun run = await ProgramRun.OfAsync(Environment, arguments);
        Assert.True(run.ExitCode == ExitCodes.Complete, $"{run.ExitCode}: {run.Error}{run.Output}");
        tree.AssertRestored(folder.Root);
    }

    [Theory]
    [InlineData("")]
    [InlineData("--restore-legacy=true")]
    public async Task Files_that_the_user_edits_between_killed_restores_stay(string option)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "What an open file forbids on Windows is another test.");
        int kills = NumberOf("RESTORE_KILLS", 18) / KillsInARow;
        Random random = new(NumberOf("RESTORE_KILL_SEED", 1));
        using TreeBackup tree = await TreeBackup.WriteAsync(files: 40, largeFiles: 3);
        using TempFolder folder = new();
        Directory.CreateDirectory(folder.Root);
        Dictionary<string, byte[]> others = [];
        string[] arguments =
        [
            .. new[] { tree.Location, $"--restore-path={folder.Root}", "--quiet", option }.Where(argument =>
                argument.Length > 0
            ),
        ];
        for (int kill = 0; kill < kills; kill++)
        {
            bool isKilled = await KillAsync(arguments, folder.Root, TimeSpan.FromMilliseconds(random.Next(200)));
            Edit(tree, folder.Root, others, random);
            if (!isKilled)
            {
                break;
            }
        }

        ProgramRun run = await ProgramRun.OfAsync(Environment, arguments);
        Assert.True(run.ExitCode == ExitCodes.Complete, $"{run.ExitCode}: {run.Error}{run.Output}");
        tree.AssertRestored(folder.Root, others);
    }

    /// <summary>
    /// Changes a byte of a file that is there, with its time kept or not, or makes one where none
    /// is yet.
    /// </summary>
    private static void Edit(TreeBackup tree, string target, Dictionary<string, byte[]> others, Random random)
    {
        string path = tree
            .Files.Where(path => !others.ContainsKey(path) && new FileInfo(Path.Join(tree.Source, path)).Length > 0)
            .OrderBy(_ => random.Next())
            .First();
        string full = Path.Join(target, path);
        byte[] own = tree.ContentOf(path);
        own[random.Next(own.Length)] ^= 1;
        DateTime? kept = File.Exists(full) && random.Next(2) == 0 ? File.GetLastWriteTimeUtc(full) : null;
        Directory.CreateDirectory(Path.GetDirectoryName(full)!);
        File.WriteAllBytes(full, own);
        File.SetLastWriteTimeUtc(full, kept ?? TimeProvider.System.GetUtcNow().UtcDateTime);
        string date = TimeProvider.System.GetLocalNow().ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
        others.Add(path, own);
        others.Add(Path.ChangeExtension(path, $".{date}.bin"), tree.ContentOf(path));
    }

    private static int NumberOf(string variable, int usual) =>
        int.TryParse(
            System.Environment.GetEnvironmentVariable(variable),
            NumberStyles.None,
            CultureInfo.InvariantCulture,
            out int number
        )
            ? number
            : usual;

    /// <summary>
    /// Files of the user's in the way, which are replaced or get the restored ones beside them, and
    /// one that is in no backup.
    /// </summary>
    private static Dictionary<string, byte[]> PutUsersFiles(TreeBackup tree, string target, bool replaced)
    {
        Dictionary<string, byte[]> others = new()
        {
            ["my own"] = [1, 2, 3],
            [tree.Files[10]] = [4, 5, 6],
            [tree.Largest] = new byte[2_000_000],
        };
        foreach ((string path, byte[] content) in others)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.Join(target, path))!);
            File.WriteAllBytes(Path.Join(target, path), content);
            File.SetLastWriteTimeUtc(Path.Join(target, path), new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        }

        foreach (string path in others.Keys.Where(path => path != "my own").ToList())
        {
            if (replaced)
            {
                others[path] = tree.ContentOf(path);
            }
            else
            {
                string date = TimeProvider.System.GetLocalNow().ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
                others[Path.ChangeExtension(path, $".{date}.bin")] = tree.ContentOf(path);
            }
        }

        return others;
    }

    /// <summary>
    /// Starts the program and kills it some time after it began to change the target.
    /// </summary>
    /// <returns>False if it ended before.</returns>
    private static async Task<bool> KillAsync(string[] arguments, string target, TimeSpan delay)
    {
        using Process process = ProgramRun.Start(Environment, arguments);
        try
        {
            Task output = Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
            string[] before = Records(target);
            while (!process.HasExited && Records(target).All(before.Contains))
            {
                await Task.Delay(1);
            }

            await Task.WhenAny(process.WaitForExitAsync(), Task.Delay(delay));
            bool isRunning = !process.HasExited;
            process.Kill();
            await process.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(30));
            await output.WaitAsync(TimeSpan.FromSeconds(30));
            return isRunning;
        }
        finally
        {
            process.Kill();
        }
    }

    private static string[] Records(string target) => Directory.GetFiles(target, ".restore-*.unfinished");
}
