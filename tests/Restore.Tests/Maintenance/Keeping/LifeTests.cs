using System.Globalization;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Maintenance.Keeping;

/// <summary>
/// The whole life of a backup by the program: versions come and go, deletions and compacts are
/// killed at random moments, and every version that must be there restores to what its source was.
/// RESTORE_LIFE_KILLS and RESTORE_LIFE_SEED choose how many kills, and which.
/// </summary>
public sealed class LifeTests
{
    private const int Size = 6;

    [Fact]
    public async Task Deletions_and_compacts_that_are_killed_again_and_again_cost_no_version()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "What an open file forbids on Windows is another test.");
        int kills = NumberOf("RESTORE_LIFE_KILLS", 4);
        int seed = NumberOf("RESTORE_LIFE_SEED", 1);
        using KeptBackup kept = await KeptBackup.WriteAsync(seed, versions: 5, "secret", Size);
        KilledProgram program = new(kept.Location, "secret", new Random(seed));
        Random random = new(seed);
        int killed = 0;
        for (int round = 0; killed < kills; round++)
        {
            string what = $"round {round} after {killed} kills";
            killed += await program.KillAsync("delete", kept.Location, "--keep-versions=3", "--yes", "--break-lock")
                ? 1
                : 0;
            await kept.AssertRestorableAsync(kept.Times.TakeLast(3), what: what + ", delete");
            killed += await program.KillAsync(Compact(kept.Location)) ? 1 : 0;
            await kept.AssertRestorableAsync(kept.Times.TakeLast(3), what: what + ", compact");
            if (random.Next(2) == 0)
            {
                await kept.BackupAsync();
            }
        }

        await FinishAsync(kept, program, kept.Location);
        await program.RunAsync("check", kept.Location);
        await using Backup backup = await kept.OpenAsync();
        await kept.AssertRestorableAsync(backup, kept.Times.TakeLast(3), "at the end");
    }

    internal static string[] Compact(string location) =>
        [
            "compact",
            location,
            "--threshold=5",
            "--small-file-max-count=2",
            "--dblock-size=1mb",
            "--yes",
            "--break-lock",
        ];

    /// <summary>
    /// Completes what was killed, and makes a database, which is checked when it is made.
    /// </summary>
    internal static async Task FinishAsync(
        KeptBackup kept,
        KilledProgram program,
        string location,
        params string[] options
    )
    {
        await program.RunAsync(["delete", location, "--keep-versions=3", "--yes", "--break-lock", .. options]);
        await program.RunAsync([.. Compact(location), .. options]);
        string database = Path.Join(kept.Folder, $"made {Guid.NewGuid():N}.sqlite");
        await program.RunAsync(["database", location, $"--output={database}", .. options]);
    }

    private static int NumberOf(string variable, int usual) =>
        int.TryParse(
            Environment.GetEnvironmentVariable(variable),
            NumberStyles.None,
            CultureInfo.InvariantCulture,
            out int number
        )
            ? number
            : usual;
}

/// <summary>The same on a server.</summary>
public abstract class ServerLifeTests(StoreServer server)
{
    [Fact]
    public async Task A_backup_on_a_server_outlives_killed_deletions_and_compacts()
    {
        string folder = $"life-{Guid.NewGuid():N}";
        using KeptBackup kept = await KeptBackup.WriteAsync(3, versions: 5, "secret", size: 4);
        await server.MakeWritableFolderAsync(folder);
        foreach (string file in Directory.GetFiles(kept.Location))
        {
            await server.PutAsync(
                folder,
                Path.GetFileName(file),
                await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken)
            );
        }

        string location = server.UrlOf(folder, server.Port);
        string[] options = [.. server.Options.Select(option => $"--{option.Key}={option.Value}")];
        KilledProgram program = new(server.Root, "secret", new Random(3));
        await program.KillAsync(["delete", location, "--keep-versions=3", "--yes", "--break-lock", .. options]);
        await AssertRestorableAsync();
        await program.KillAsync([.. LifeTests.Compact(location), .. options]);
        await AssertRestorableAsync();
        await LifeTests.FinishAsync(kept, program, location, options);
        await AssertRestorableAsync();

        async Task AssertRestorableAsync()
        {
            await using Backup backup = await kept.OpenAsync(server.Open(folder));
            await kept.AssertRestorableAsync(backup, kept.Times.TakeLast(3), folder);
        }
    }
}

[Trait("Suite", "server")]
public sealed class S3LifeTests(S3Server server) : ServerLifeTests(server), IClassFixture<S3Server>;

[Trait("Suite", "server")]
public sealed class SftpLifeTests(RcloneSftpServer server) : ServerLifeTests(server), IClassFixture<RcloneSftpServer>;
