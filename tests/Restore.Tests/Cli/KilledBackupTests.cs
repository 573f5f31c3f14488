using System.Diagnostics;
using System.Globalization;
using Restore.Cli;
using Restore.Tests.Writing;

namespace Restore.Tests.Cli;

/// <summary>
/// The program, killed at random moments of a backup, with a source that changes, and run again:
/// every version that is there comes back, and nothing half is left. RESTORE_KILLS chooses how many
/// kills.
/// </summary>
[Trait("Suite", "kill")]
public sealed class KilledBackupTests : IDisposable
{
    private static int Kills =>
        int.TryParse(
            Environment.GetEnvironmentVariable("RESTORE_KILLS"),
            NumberStyles.None,
            CultureInfo.InvariantCulture,
            out int kills
        )
            ? kills
            : 6;

    private readonly RoundTrip trip = new();

    public void Dispose() => trip.Dispose();

    [Fact]
    public async Task A_backup_that_is_killed_again_and_again_completes_and_loses_no_version()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "What an open file forbids on Windows is another test.");
        SourceTree.Make(trip.Source, seed: 8, blockSizeBytes: 1024);
        SortedDictionary<string, TreeEntry> first = RestoredTree.Read(trip.Source);
        string[] arguments =
        [
            "backup",
            trip.Source,
            trip.Destination,
            "--passphrase=p",
            "--blocksize=10kb",
            "--dblock-size=100kb",
            "--break-lock",
            "--quiet",
        ];
        ProgramRun before = await ProgramRun.OfAsync(arguments);
        Assert.True(before.ExitCode == ExitCodes.Complete, before.Error);
        File.WriteAllBytes(Path.Combine(trip.Source, "large"), SourceTree.Bytes(new Random(1), 8_000_000));

        Random random = new(1);
        int left = 0;
        for (int kill = 0; kill < Kills; kill++)
        {
            using Process program = ProgramRun.Start(new Dictionary<string, string>(), arguments);
            await Task.Delay(150 + random.Next(500), TestContext.Current.CancellationToken);
            program.Kill();
            await program.WaitForExitAsync(TestContext.Current.CancellationToken);
            left = Directory.GetFiles(trip.Destination).Length;
            RoundTrip.AssertSame(first, await trip.RestoreAsync(trip.VolumesOf("dlist").Count() - 1, "p", warns: true));

            // The user goes on: edits a file with its time kept, moves one away, makes one.
            string edited = Path.Combine(trip.Source, "edited");
            DateTime time = File.Exists(edited) ? File.GetLastWriteTimeUtc(edited) : DateTime.UnixEpoch;
            File.WriteAllBytes(edited, SourceTree.Bytes(random, 3000 + kill));
            File.SetLastWriteTimeUtc(edited, time);
            File.Move(edited, edited + (kill % 2), overwrite: true);
            File.WriteAllBytes(Path.Combine(trip.Source, $"made {kill % 5}"), SourceTree.Bytes(random, 200_000));
        }

        ProgramRun run = await ProgramRun.OfAsync([.. arguments, "--upload-unchanged-backups"]);
        Assert.True(run.ExitCode == ExitCodes.Complete, $"{left} files were left: {run.Error}{run.Output}");
        Assert.All(
            Directory.GetFiles(trip.Destination),
            path => Assert.StartsWith("duplicati-", Path.GetFileName(path), StringComparison.Ordinal)
        );
        trip.AssertLikeSource(await trip.RestoreAsync(passphrase: "p", warns: true));
        int versions = trip.VolumesOf("dlist").Count();
        RoundTrip.AssertSame(first, await trip.RestoreAsync(versions - 1, "p", warns: true));
    }
}
