using Restore.Restoring;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Restoring;

/// <summary>The progress of a restore.</summary>
public sealed class ProgressTests
{
    [Theory]
    [InlineData("plain-1mb", false)]
    [InlineData("plain-1mb", true)]
    [InlineData("damaged/dblock-truncated-plain", false)]
    [InlineData("damaged/dblock-truncated-plain", true)]
    public async Task Files_are_counted_up_to_the_number_of_files_and_folders_are_not(string fixture, bool legacy)
    {
        using NetworkRig rig = new(fixture);
        Reported reported = new();
        ExecuteOptions execution = NetworkRig.Narrow with { Legacy = legacy, Progress = reported };
        RestorePlan plan = await rig.PlanAsync(null, execution, TestContext.Current.CancellationToken);
        await rig.ExecuteAsync(plan, execution, cancellationToken: TestContext.Current.CancellationToken);

        RestoreProgress[] restoring = [.. reported.Where(progress => progress.Phase == RestorePhase.Restoring)];
        Assert.All(restoring, progress => Assert.InRange(progress.FilesDone, 0, progress.FilesTotal));
        Assert.All(restoring, progress => Assert.InRange(progress.VolumesDone, 0, progress.VolumesTotal));
        Assert.True(restoring[^1].FilesTotal > 1);
        Assert.Equal(restoring[^1].FilesTotal, restoring[^1].FilesDone);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Bytes_of_a_volume_count_while_it_comes(bool legacy)
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("plain-1mb").Single();
        await using Backup backup = await Backup.OpenAsync(
            fixture.Location,
            fixture.Options() with
            {
                StoreOptions = new Dictionary<string, string> { ["throttle-download"] = "1mb" },

                // A second passes at each look at the clock, so that progress is reported at every
                // chance.
                TimeProvider = new FakeClock { Step = TimeSpan.FromSeconds(1) },
            },
            Token
        );
        using TempFolder folder = new();
        RestorePlan plan = await backup.PlanAsync(
            backup.Versions[0],
            new RestoreOptions { Target = folder.Root },
            cancellationToken: Token
        );
        Reported reported = new();
        await backup.ExecuteAsync(plan, NetworkRig.Narrow with { Legacy = legacy, Progress = reported }, Token);

        RestoreProgress[] restoring = [.. reported.Where(progress => progress.Phase == RestorePhase.Restoring)];
        Assert.All(restoring, progress => Assert.Equal(plan.BytesFetched + plan.BytesToFetch, progress.BytesToFetch));
        Assert.Contains(
            restoring,
            progress =>
                progress is { VolumesDone: 0, OpenRequests: 1 }
                && progress.BytesFetched > plan.BytesFetched
                && progress.BytesFetched < plan.BytesFetched + plan.Volumes[0].SizeBytes
        );
        Assert.Equal(
            restoring.Order(Comparer<RestoreProgress>.Create((a, b) => a.BytesFetched.CompareTo(b.BytesFetched))),
            restoring
        );
        Assert.Equal(plan.BytesFetched + plan.BytesToFetch, reported.Last().BytesFetched);
        Assert.Contains(restoring, progress => progress.Fraction is > 0 and < 1 && progress.BytesDone == 0);
    }

    [Fact]
    public async Task A_check_of_volumes_says_how_much_there_is_to_read()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("plain-1mb").Single();
        await using Backup backup = await Backup.OpenAsync(
            fixture.Location,
            fixture.Options() with
            {
                TimeProvider = new FakeClock { Step = TimeSpan.FromSeconds(1) },
            },
            Token
        );
        Reported reported = new();
        await backup.Maintenance.CheckVolumesAsync(reported, Token);
        RestoreProgress[] reading = [.. reported.Where(progress => progress.Phase == RestorePhase.Restoring)];
        Assert.All(
            reading,
            progress => Assert.True(progress.BytesToFetch > progress.BytesTotal && progress.BytesTotal > 0)
        );
        Assert.True(reading[0].Fraction < 1);
        Assert.Equal(reading[^1].BytesTotal, reading[^1].BytesDone);
    }

    [Fact]
    public async Task The_last_report_has_the_totals_of_the_restore_all_of_them_done()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("plain-1mb").Single();
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options(), Token);
        using TempFolder folder = new();
        Reported reported = new();
        RestorePlan plan = await backup.PlanAsync(
            backup.Versions[0],
            new RestoreOptions { Target = folder.Root },
            Token
        );
        RestoreReport report = await backup.ExecuteAsync(plan, new ExecuteOptions { Progress = reported }, Token);

        RestoreProgress last = reported.Last();
        Assert.Equal((RestorePhase.Done, 1.0), (last.Phase, last.Fraction));
        Assert.True(last is { FilesTotal: > 0, BytesTotal: > 0, VolumesTotal: > 0 }, last.ToString());
        Assert.Equal(
            (last.FilesTotal, last.BytesTotal, last.VolumesTotal),
            (last.FilesDone, last.BytesDone, last.VolumesDone)
        );
        Assert.Equal(0, reported.First().Fraction);
        Assert.Contains(
            $"complete: {report.FilesRestored} files, {report.BytesRestored} bytes",
            report.ToString(),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void The_volumes_of_a_further_pass_are_added_to_those_of_the_plan()
    {
        Reported reported = new();
        ProgressMeter meter = new(TimeProvider.System);
        meter.Listen(reported);
        meter.Begin(RestorePhase.Restoring, volumes: 1);
        meter.VolumeDone();
        meter.AddToFetch(10, volumes: 2);
        meter.VolumeDone();
        meter.Report(always: true);
        Assert.Equal((2, 3), (reported.Last().VolumesDone, reported.Last().VolumesTotal));
    }

    [Fact]
    public async Task The_end_of_the_last_request_is_reported_though_nothing_comes_after_it()
    {
        FetchCount fetched = new();
        ProgressMeter meter = new(TimeProvider.System, fetched);
        Reported reported = new();
        meter.Listen(reported);
        meter.Begin(RestorePhase.ReadingFileList);
        fetched.Begin();
        await Task.Delay(150, Token);
        fetched.Add(5);
        Assert.Equal(1, reported.Last().OpenRequests);
        fetched.End();

        for (int i = 0; i < 1000 && reported.Last().OpenRequests != 0; i++)
        {
            await Task.Delay(10, Token);
        }

        Assert.Equal(0, reported.Last().OpenRequests);
        meter.End();
    }

    [Fact]
    public async Task A_request_that_is_repeated_is_in_the_progress_until_bytes_come()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("plain-1mb").Single();
        ScriptedStore store = ScriptedStore.OfFolder(fixture.Location);
        FakeClock clock = new() { Step = TimeSpan.FromSeconds(1), JumpsOverWaits = true };
        await using Backup backup = await Backup.OpenAsync(
            store,
            fixture.Options() with
            {
                TimeProvider = clock,
            },
            Token
        );
        using TempFolder folder = new();
        RestorePlan plan = await backup.PlanAsync(
            backup.Versions[0],
            new RestoreOptions { Target = folder.Root },
            cancellationToken: Token
        );
        int reads = 0;
        store.BeforeRead = (_, _) =>
            ++reads <= 2 ? throw new TransientStoreException("It is busy") : ValueTask.CompletedTask;
        Reported reported = new();
        await backup.ExecuteAsync(plan, NetworkRig.Narrow with { Progress = reported }, Token);

        StoreRetry[] retries = [.. reported.Select(progress => progress.Retry).OfType<StoreRetry>().Distinct()];
        Assert.Equal([2, 3], retries.Select(retry => retry.Attempt));
        Assert.All(
            retries,
            retry => Assert.Equal((fixture.Location, 6, "It is busy"), (retry.Location, retry.Attempts, retry.Reason))
        );
        Assert.Null(reported.Last().Retry);
    }

    [Fact]
    public async Task A_stop_drops_what_is_on_its_way_and_finishes_what_is_in_memory()
    {
        using NetworkRig rig = new("plain-1mb");
        RestorePlan plan = await rig.PlanAsync(cancellationToken: Token);
        using CancellationTokenSource stop = new();
        int volumes = 0;
        rig.Store.BeforeRead = async (_, cancellationToken) =>
        {
            if (++volumes == 2)
            {
                await stop.CancelAsync();
                await Task.Delay(Timeout.Infinite, cancellationToken);
            }
        };

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            rig.ExecuteAsync(plan, NetworkRig.Narrow with { StopToken = stop.Token }, null, Token)
        );

        Assert.Equal(2, volumes);
        Assert.NotEmpty(Directory.EnumerateFiles(rig.Target, "*", SearchOption.AllDirectories));
        rig.AssertAllGivenBack();
        rig.AssertNothingHalfDone();
        rig.Store.BeforeRead = null;
        await rig.ExecuteAsync(await rig.PlanAsync(cancellationToken: Token), cancellationToken: Token);
        rig.AssertWhole();
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;
}
