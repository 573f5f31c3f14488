using System.Diagnostics;
using Restore.Cli;
using Restore.Tests.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support;

namespace Restore.Tests.Faults;

/// <summary>
/// A local folder whose calls never return: a pulled disk, or a share whose server is gone.
/// </summary>
[Trait("Suite", "mount")]
public sealed class HangingStoreTests
{
    private const string Timeout = "1s";

    private static readonly TimeSpan MaxTime = TimeSpan.FromSeconds(60);

    private static FixtureBackup Fixture => FixtureCatalog.BackupsOf("aes-100kb").Single();

    [Theory]
    [InlineData("opendir")]
    [InlineData("readdir")]
    [InlineData("getattr")]
    [InlineData("open")]
    public async Task A_call_that_never_returns_ends_the_program_after_the_time_limit(string call)
    {
        using FaultMount mount = await MountAsync();
        await mount.HangAsync(call);
        using TempFolder folder = new();
        using Process process = ProgramRun.Start(
            new Dictionary<string, string> { ["PASSPHRASE"] = Fixture.Options().Passphrase! },
            mount.Mounted,
            $"--restore-path={folder.Root}",
            $"--read-write-timeout={Timeout}"
        );
        try
        {
            Task<string> output = process.StandardOutput.ReadToEndAsync();
            Task<string> error = process.StandardError.ReadToEndAsync();
            await process.WaitForExitAsync().WaitAsync(MaxTime);
            Assert.Contains(
                "The store no longer answers: there was no answer for 1 s",
                await error.WaitAsync(MaxTime),
                StringComparison.Ordinal
            );
            Assert.Equal((ExitCodes.Failed, ""), (process.ExitCode, await output.WaitAsync(MaxTime)));
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }
    }

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task A_read_that_never_returns_ends_the_restore_and_the_same_command_completes(Flow flow)
    {
        using FaultMount mount = await MountAsync();
        using TempFolder folder = new();
        RestoreSetup options = FixtureRestore.Whole(folder.Root).By(flow);
        await using (Backup backup = await OpenAsync(mount))
        {
            RestorePlan plan = await backup.PlanAsync(backup.Versions[0], options);
            await mount.HangAsync("read");
            RestoreException failure = await Assert
                .ThrowsAsync<RestoreException>(() => backup.ExecuteAsync(plan, options.How))
                .WaitAsync(MaxTime);
            Assert.Equal(RestoreErrorCode.StoreLost, failure.Code);
            Assert.Equal(0, backup.Pool.OutstandingBuffers);
        }

        await mount.ResetAsync();
        await using Backup again = await OpenAsync(mount);
        RestoreReport report = await again.RestoreAsync(again.Versions[0], options).WaitAsync(MaxTime);
        Assert.True(report.IsComplete, Issues.Text(report));
        RestoredTree.AssertEqual(Fixture.Versions[0].ExpectedFile!, folder.Root, Fixture.Checks);
    }

    [Fact]
    public async Task A_read_that_never_returns_costs_no_store_of_which_some_file_can_be_read()
    {
        using FaultMount mount = await MountAsync();
        using TempFolder folder = new();
        await using Backup backup = await OpenAsync(mount);
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], FixtureRestore.Whole(folder.Root));

        // A volume, and the first of the other files.
        const int NoAnswer = -1;
        await mount.FailAsync("read", 1, NoAnswer, 2);
        RestoreReport report = await backup.ExecuteAsync(plan).WaitAsync(MaxTime);
        Assert.Equal(2, (await mount.CountAsync())["failed"]);
        Assert.True(report.FilesRestored > 0, Issues.Text(report));
    }

    private static async Task<FaultMount> MountAsync()
    {
        FaultMount mount = await FaultMount.MountAsync();
        foreach (string file in Directory.GetFiles(Fixture.Location))
        {
            File.Copy(file, Path.Combine(mount.Backing, Path.GetFileName(file)));
        }

        return mount;
    }

    private static Task<Backup> OpenAsync(FaultMount mount) =>
        Backup
            .OpenAsync(
                mount.Mounted,
                Fixture.Options() with
                {
                    StoreOptions = new Dictionary<string, string> { ["read-write-timeout"] = Timeout },
                }
            )
            .WaitAsync(MaxTime);
}
