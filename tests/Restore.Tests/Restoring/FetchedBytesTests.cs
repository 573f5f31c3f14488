using Restore.Storage.Local;
using Restore.Tests.Csp;

namespace Restore.Tests.Restoring;

/// <summary>What a plan says about the bytes that it takes, and what comes from the store.</summary>
public sealed class FetchedBytesTests : IDisposable
{
    private const int Files = 24;

    private readonly TempFolder folder = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task A_plan_its_progress_and_its_report_name_what_comes_from_the_store()
    {
        await using CountedStore store = await WriteAsync();
        await using Backup backup = await Backup.OpenAsync(store, cancellationToken: Token);
        long before = store.Bytes;
        RestorePlan plan = await PlanAsync(backup);
        Assert.Equal(plan.BytesFetched, store.Bytes - before);
        Assert.Empty(store.OfBlockVolumes);
        Assert.True(plan.BytesFetched > 0);

        Reported reported = new();
        RestoreReport report = await backup.ExecuteAsync(plan, new ExecuteOptions { Progress = reported }, Token);
        long inAll = store.Bytes - before;
        Assert.Equal(inAll, plan.BytesFetched + plan.BytesToFetch);
        Assert.Equal(inAll, report.BytesFetched);
        RestoreProgress[] restoring = [.. reported.Where(progress => progress.Phase == RestorePhase.Restoring)];
        Assert.Equal((plan.BytesFetched, inAll), (restoring[0].BytesFetched, restoring[0].BytesToFetch));
        Assert.Equal(0, restoring[0].Fraction);
        Assert.Equal(inAll, reported.Last().BytesFetched);
    }

    [Fact]
    public async Task A_plan_that_was_saved_has_not_fetched_anything()
    {
        await using CountedStore store = await WriteAsync();
        await using Backup backup = await Backup.OpenAsync(store, cancellationToken: Token);
        using MemoryStream saved = new();
        await (await PlanAsync(backup)).SaveAsync(saved, Token);
        saved.Position = 0;
        RestorePlan plan = await RestorePlan.LoadAsync(saved, Token);
        Assert.Equal(0, plan.BytesFetched);
        RestoreReport report = await backup.ExecuteAsync(plan, cancellationToken: Token);
        Assert.Equal(plan.BytesToFetch, report.BytesFetched);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_restore_that_is_paused_asks_for_nothing_more_and_then_fetches_each_volume_once(bool legacy)
    {
        await using CountedStore store = await WriteAsync();
        await using Backup backup = await Backup.OpenAsync(store, cancellationToken: Token);
        RestorePlan plan = await PlanAsync(backup);
        long planned = store.Bytes;
        RestorePause pause = new();
        Reported reported = new();
        store.Hold();
        Task<RestoreReport> running = backup.ExecuteAsync(
            plan,
            new ExecuteOptions
            {
                Pause = pause,
                Progress = reported,
                Legacy = legacy,
            },
            Token
        );
        await Eventually.IsAsync(() => store.Waiting > 0);

        // What is on its way comes, and is the last that comes.
        pause.Begin();
        store.Release();
        await Eventually.IsAsync(() =>
            reported.Last() is { OpenRequests: 0 } last && last.BytesFetched > plan.BytesFetched
        );
        await Task.Delay(100, Token);
        Assert.InRange(store.OfBlockVolumes.Count, 1, plan.Volumes.Count - 1);
        Assert.False(running.IsCompleted);

        pause.End();
        RestoreReport report = await running.Soon();
        Assert.True(report.IsComplete);
        Assert.Equal(
            plan.Volumes.ToDictionary(volume => volume.Name, volume => volume.SizeBytes),
            store.OfBlockVolumes
        );
        Assert.Equal(plan.BytesToFetch, store.Bytes - planned);
    }

    [Fact]
    public async Task A_restore_that_is_stopped_in_a_pause_ends()
    {
        await using CountedStore store = await WriteAsync();
        await using Backup backup = await Backup.OpenAsync(store, cancellationToken: Token);
        RestorePause pause = new();
        pause.Begin();
        using CancellationTokenSource stop = new();
        Task<RestoreReport> running = backup.ExecuteAsync(
            await PlanAsync(backup),
            new ExecuteOptions { Pause = pause, StopToken = stop.Token },
            Token
        );
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        Assert.True(pause.IsPaused);
    }

    [Fact]
    public async Task An_export_that_is_paused_asks_for_nothing_more_and_goes_on()
    {
        await using CountedStore store = await WriteAsync();
        await using Backup backup = await Backup.OpenAsync(store, cancellationToken: Token);
        RestorePause pause = new();
        pause.Begin();
        Reported reported = new();
        using MemoryStream zip = new();
        Task<ExportReport> running = backup.ExportArchiveAsync(
            backup.Versions[0],
            zip,
            ArchiveFormat.Zip,
            new ExportOptions { Pause = pause, Progress = reported },
            Token
        );
        await Eventually.IsAsync(() => reported.Any(progress => progress.Phase == RestorePhase.Restoring));
        Assert.Empty(store.OfBlockVolumes);
        pause.End();
        Assert.Equal(Files, (await running.Soon()).Files);
    }

    private Task<RestorePlan> PlanAsync(Backup backup) =>
        backup.PlanAsync(
            backup.Versions[0],
            new RestoreOptions { Target = folder.In("target") },
            cancellationToken: Token
        );

    /// <summary>Files that cannot be compressed, in a volume each or nearly so.</summary>
    private async Task<CountedStore> WriteAsync()
    {
        Directory.CreateDirectory(folder.In("source"));
        Random random = new(5);
        for (int i = 0; i < Files; i++)
        {
            byte[] content = new byte[40_000];
            random.NextBytes(content);
            await File.WriteAllBytesAsync(folder.In($"source/{i:00}.bin"), content, Token);
        }

        await new BackupWriter(
            new BackupWriterOptions
            {
                Sources = [folder.In("source")],
                Destination = folder.In("backup"),
                BlockSizeBytes = 10 << 10,
                VolumeSizeBytes = 64 << 10,
            }
        ).WriteAsync(Token);
        return new CountedStore(new LocalFolderStore(folder.In("backup")));
    }
}
