using Restore.Cli;
using Restore.Tests.Cli;

namespace Restore.Tests.Writing;

/// <summary>Backups that are stopped, and what killed ones leave.</summary>
public sealed class StoppedBackupTests : IDisposable
{
    private readonly RoundTrip trip = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose() => trip.Dispose();

    [Fact]
    public async Task A_stopped_backup_makes_a_partial_version_of_what_was_read()
    {
        Fill(files: 400);
        await trip.WriteAsync(trip.Options with { Sources = [Path.Join(trip.Source, "f000")] });
        SortedDictionary<string, TreeEntry> first = RestoredTree.Read(await trip.RestoreAsync());

        BackupWriterReport report = await StopAsync(afterFiles: 20);

        Assert.True(report.IsPartial);
        Assert.InRange(report.Files, 1, 399);
        await using (Backup backup = await Backup.OpenAsync(trip.Destination))
        {
            Assert.Equal(
                (true, false),
                (
                    await backup.IsPartialAsync(backup.GetVersion(0), Token),
                    await backup.IsPartialAsync(backup.GetVersion(1), Token)
                )
            );
            RestorePlan plan = await backup.PlanAsync(backup.GetVersion(0), new RestoreOptions { VerifyOnly = true });
            Assert.Contains(
                plan.Issues,
                issue =>
                    issue.Kind == IssueKind.Warning
                    && issue.Reason.StartsWith("The version is partial", StringComparison.Ordinal)
            );
            RestoreReport drill = await backup.ExecuteAsync(plan);
            Assert.True(drill.IsComplete, string.Join('\n', drill.Issues));
            DeletionPlan deletion = await backup.Maintenance.PlanDeletionAsync(new RetentionRules { KeepVersions = 1 });
            Assert.Empty(deletion.Deleted);
        }

        // The same command makes a whole version, and stores nothing twice.
        BackupWriterReport whole = await trip.WriteAsync(trip.Options with { SkipUnchanged = true });
        Assert.Equal((false, 400L), (whole.IsPartial, whole.Files));
        Assert.True(
            whole.NewBlocks + report.NewBlocks <= 400 * 2 + 10,
            $"{report.NewBlocks} and {whole.NewBlocks} new blocks"
        );
        trip.AssertLikeSource(await trip.RestoreAsync());
        Assert.NotEmpty(first);
    }

    [Fact]
    public async Task An_equal_version_after_a_partial_one_is_written()
    {
        DateTime old = new(2020, 1, 2, 3, 4, 5, DateTimeKind.Utc);
        Fill(files: 3);
        Directory.SetLastWriteTimeUtc(trip.Source, old);
        BackupWriterReport partial = await StopAsync(afterFiles: 1);
        Assert.Equal((true, 1L), (partial.IsPartial, partial.Files));
        File.Delete(Path.Join(trip.Source, "f001"));
        File.Delete(Path.Join(trip.Source, "f002"));
        Directory.SetLastWriteTimeUtc(trip.Source, old);

        BackupWriterReport whole = await trip.WriteAsync(trip.Options with { SkipUnchanged = true });
        BackupWriterReport again = await trip.WriteAsync(trip.Options with { SkipUnchanged = true });

        Assert.Equal((false, true), (whole.NothingChanged, again.NothingChanged));
    }

    [Fact]
    public async Task A_backup_that_is_stopped_before_a_file_was_read_makes_no_version()
    {
        Fill(files: 3);
        using CancellationTokenSource stop = new();
        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            trip.WriteAsync(trip.Options with { StopToken = stop.Token })
        );

        Assert.False(
            Directory.Exists(trip.Destination) && Directory.GetFiles(trip.Destination, "*.dlist.*").Length > 0
        );
    }

    [Fact]
    public async Task Block_volumes_without_an_index_volume_are_used_by_the_next_run()
    {
        File.WriteAllBytes(Path.Join(trip.Source, "a"), SourceTree.Bytes(new Random(1), 300_000));
        await trip.WriteAsync(trip.Options with { VolumeSizeBytes = 100 << 10 });

        // As a killed run leaves them: volumes, no list, and not all index volumes.
        trip.VolumesOf("dlist").ToList().ForEach(File.Delete);
        trip.VolumesOf("dindex").Skip(1).ToList().ForEach(File.Delete);
        string[] blocks = [.. trip.VolumesOf("dblock")];

        BackupWriterReport report = await trip.WriteAsync(trip.Options with { VolumeSizeBytes = 100 << 10 });

        Assert.True(blocks.Length >= 3, "the test needs several volumes");
        Assert.True(report.NewBlockBytes < 30_000, $"{report.NewBlockBytes} bytes are stored again");
        Assert.Equal(trip.VolumesOf("dblock").Count(), trip.VolumesOf("dindex").Count());
        trip.AssertLikeSource(await trip.RestoreAsync());
    }

    [Fact]
    public async Task A_damaged_block_volume_without_an_index_volume_is_named_and_its_blocks_are_stored_again()
    {
        File.WriteAllBytes(Path.Join(trip.Source, "a"), SourceTree.Bytes(new Random(1), 30_000));
        await trip.WriteAsync();
        trip.VolumesOf("dlist").Concat(trip.VolumesOf("dindex")).ToList().ForEach(File.Delete);
        string volume = trip.VolumesOf("dblock").Single();
        byte[] bytes = await File.ReadAllBytesAsync(volume, Token);
        bytes[bytes.Length / 2] ^= 1;
        await File.WriteAllBytesAsync(volume, bytes, Token);

        BackupWriterReport report = await trip.WriteAsync();

        Assert.Equal(Path.GetFileName(volume), Assert.Single(report.Issues).Path);
        Assert.True(report.NewBlockBytes >= 30_000);
        trip.AssertLikeSource(await trip.RestoreAsync(warns: true));
    }

    [Fact]
    public async Task The_first_interruption_of_the_command_makes_a_partial_version_that_versions_marks()
    {
        Fill(files: 2000);
        using CancellationTokenSource stop = new();
        Task<CliRun> running = CliRun.OfAsync(
            environment => environment with { Clock = TimeProvider.System, StopToken = stop.Token },
            [
                "backup",
                trip.Source,
                trip.Destination,
                "--no-encryption",
                "--blocksize=1kb",
                "--dblock-size=100kb",
                "--concurrency-fileprocessors=1",
            ]
        );
        while (!running.IsCompleted && (!Directory.Exists(trip.Destination) || !trip.VolumesOf("dindex").Any()))
        {
            await Task.Delay(1, Token);
        }

        await stop.CancelAsync();
        CliRun run = await running;

        Assert.SkipWhen(run.ExitCode == ExitCodes.Complete, "The backup was faster than the interruption");
        Assert.Equal(ExitCodes.Interrupted, run.ExitCode);
        Assert.StartsWith("Made the partial version ", run.Output, StringComparison.Ordinal);
        Assert.Contains("Warning: The backup was stopped", run.Error, StringComparison.Ordinal);
        Assert.Contains(
            "(partial)",
            (await CliRun.OfAsync("versions", trip.Destination)).Output,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "\"partial\":true",
            (await CliRun.OfAsync("versions", trip.Destination, "--json")).Output,
            StringComparison.Ordinal
        );
        CliRun dry = await CliRun.OfAsync(
            trip.Destination,
            $"--restore-path={Path.Join(trip.Folder, "out")}",
            "--dry-run"
        );
        Assert.Contains("The version is partial", dry.Output, StringComparison.Ordinal);
    }

    private void Fill(int files)
    {
        for (int i = 0; i < files; i++)
        {
            File.WriteAllBytes(Path.Join(trip.Source, $"f{i:000}"), SourceTree.Bytes(new Random(i), 900));
        }
    }

    /// <summary>Writes a version, and stops it when about so many files are done.</summary>
    private async Task<BackupWriterReport> StopAsync(int afterFiles)
    {
        using CancellationTokenSource stop = new();
        StopAfter progress = new(afterFiles, stop);
        return await trip.WriteAsync(
            trip.Options with
            {
                StopToken = stop.Token,
                Progress = progress,
                FileReaders = 1,
                TimeProvider = new EagerClock(),
            }
        );
    }

    private sealed class StopAfter(int files, CancellationTokenSource stop) : IProgress<BackupWriterProgress>
    {
        public void Report(BackupWriterProgress value)
        {
            if (value.FilesDone >= files)
            {
                stop.Cancel();
            }
        }
    }

    /// <summary>A clock whose time passes fast, so that every progress is reported.</summary>
    private sealed class EagerClock : TimeProvider
    {
        private long ticks;

        public override long GetTimestamp() => Interlocked.Add(ref ticks, TimestampFrequency);
    }
}
