using Restore.Browse;
using Restore.Browse.Restoring;
using Restore.Storage.Local;
using Restore.Tests.Restoring;
using Restore.Tests.Web.Browser;
using Restore.Web;
using Restore.Web.Files;

namespace Restore.Tests.Web;

/// <summary>What is known of a restore that ends early.</summary>
public sealed class RestoreJobTests : IDisposable
{
    private readonly TempFolder folder = new();
    private readonly List<string[]> volumes = [];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task A_restore_that_is_stopped_in_its_second_version_shows_what_the_first_one_gave()
    {
        await WriteAsync();
        await using HeldStore store = new(
            new LocalFolderStore(folder.In("backup")),
            name => volumes[0].Contains(name, StringComparer.Ordinal)
        );
        await using Backup backup = await Backup.OpenAsync(store, cancellationToken: Cancellation);
        await using BrowseSession session = SessionOf(backup);
        await using RestoreJob job = new(
            session,
            1,
            folder.In("target"),
            false,
            [PartOf(backup, 0), PartOf(backup, 1)]
        );
        await job.PlanAsync(Cancellation);
        Assert.True(job.TryStart());
        await Eventually.IsAsync(() => job.Snapshot().Progress is { Part: 1 });
        Assert.True(job.TryStop());
        await Eventually.IsAsync(() => job.IsOver);
        JobAnswer ended = job.Snapshot();
        Assert.Equal((JobState.Stopped, 1, false), (ended.State, ended.Report!.Files, ended.Report.CanSave));
        Assert.Empty(job.Reports);
    }

    [Fact]
    public async Task A_stop_while_lost_files_are_sought_in_other_versions_leaves_the_report()
    {
        await WriteAsync();
        foreach (string volume in volumes[1])
        {
            File.Delete(folder.In($"backup/{volume}"));
        }

        await using HeldStore store = new(new LocalFolderStore(folder.In("backup")), "20260101");
        await using Backup backup = await Backup.OpenAsync(store, cancellationToken: Cancellation);
        await using BrowseSession session = SessionOf(backup);
        await using RestoreJob job = new(session, 1, folder.In("target"), false, [PartOf(backup, 0)]);
        await job.PlanAsync(Cancellation);
        Assert.True(job.TryStart());
        await Eventually.IsAsync(() => session.Health.Losses.Count > 0);
        Assert.True(job.TryStop());
        await Eventually.IsAsync(() => job.IsOver);
        JobAnswer ended = job.Snapshot();
        Assert.Equal((JobState.Done, 1), (ended.State, ended.Report!.Issues.Losses.Missing));
        Assert.Single(job.Reports);
        Assert.Equal(IssueKind.Missing, job.Issues[0].Issue.Kind);
    }

    [Fact]
    public async Task A_pause_ends_where_it_began_and_nothing_is_fetched_twice()
    {
        await WriteAsync();
        await using CountedStore store = new(new LocalFolderStore(folder.In("backup")));
        await using Backup backup = await Backup.OpenAsync(store, cancellationToken: Cancellation);
        await using BrowseSession session = SessionOf(backup);
        await using RestoreJob job = new(
            session,
            1,
            folder.In("target"),
            false,
            [PartOf(backup, 0), PartOf(backup, 1)]
        );
        await job.PlanAsync(Cancellation);
        long planned = store.Bytes;
        Assert.Equal(
            planned + job.Snapshot().Plan.Sum(part => part.BytesToFetch),
            planned + volumes.SelectMany(names => names).Sum(name => new FileInfo(folder.In($"backup/{name}")).Length)
        );
        store.Hold();
        Assert.True(job.TryStart());
        await Eventually.IsAsync(() => store.Waiting > 0 && job.Snapshot().Progress is { OpenRequests: > 0 });
        Assert.True(job.TryPause());
        Assert.Equal(JobState.Pausing, job.Snapshot().State);
        Assert.False(job.IsOver);

        // What is on its way comes; what is next is not asked for.
        store.Release();
        await Eventually.IsAsync(() => job.Snapshot() is { State: JobState.Paused, Progress.Part: 1 });
        Assert.Single(store.OfBlockVolumes);
        Assert.False(job.TryPause());
        Assert.False(job.TryClose());
        Assert.True(job.TryStart());
        await Eventually.IsAsync(() => job.IsOver);
        JobAnswer ended = job.Snapshot();
        Assert.Equal((JobState.Done, 2L), (ended.State, ended.Report!.Files));
        Assert.Equal(ended.Plan.Sum(part => part.BytesFetched + part.BytesToFetch), ended.Report.BytesFetched);
        Assert.Equal(planned + ended.Plan.Sum(part => part.BytesToFetch), store.Bytes);
        Assert.All(
            store.OfBlockVolumes,
            volume => Assert.Equal(new FileInfo(folder.In($"backup/{volume.Key}")).Length, volume.Value)
        );
    }

    [Fact]
    public async Task A_pause_can_be_taken_back_while_what_was_asked_for_still_comes()
    {
        await WriteAsync();
        await using CountedStore store = new(new LocalFolderStore(folder.In("backup")));
        await using Backup backup = await Backup.OpenAsync(store, cancellationToken: Cancellation);
        await using BrowseSession session = SessionOf(backup);
        await using RestoreJob job = new(
            session,
            1,
            folder.In("target"),
            false,
            [PartOf(backup, 0), PartOf(backup, 1)]
        );
        await job.PlanAsync(Cancellation);
        store.Hold();
        Assert.True(job.TryStart());
        await Eventually.IsAsync(() => store.Waiting > 0 && job.Snapshot().Progress is { OpenRequests: > 0 });
        Assert.True(job.TryPause());
        Assert.Equal(JobState.Pausing, job.Snapshot().State);
        Assert.True(job.TryStart());
        Assert.Equal(JobState.Running, job.Snapshot().State);
        store.Release();
        await Eventually.IsAsync(() => job.IsOver);
        Assert.Equal((JobState.Done, 2L), (job.Snapshot().State, job.Snapshot().Report!.Files));
    }

    [Fact]
    public async Task A_paused_restore_can_be_stopped()
    {
        await WriteAsync();
        await using CountedStore store = new(new LocalFolderStore(folder.In("backup")));
        await using Backup backup = await Backup.OpenAsync(store, cancellationToken: Cancellation);
        await using BrowseSession session = SessionOf(backup);
        await using RestoreJob job = new(session, 1, folder.In("target"), false, [PartOf(backup, 0)]);
        await job.PlanAsync(Cancellation);
        store.Hold();
        Assert.True(job.TryStart());
        await Eventually.IsAsync(() => store.Waiting > 0);
        Assert.True(job.TryPause());
        Assert.True(job.TryStop());
        await Eventually.IsAsync(() => job.IsOver);
        Assert.Equal(JobState.Stopped, job.Snapshot().State);
        Assert.False(job.TryStart());
    }

    private BrowseSession SessionOf(Backup backup) =>
        new(
            backup,
            new TargetFolders(backup, new BrowseOptions { RestoreFolder = folder.In("target") }),
            new BrowseSettings()
        );

    private RestorePart PartOf(Backup backup, int version) =>
        new(backup.Versions[version], folder.In($"target/{version}"), new RestoreOptions());

    /// <summary>Two versions of one file, each with a block volume of its own.</summary>
    private async Task WriteAsync()
    {
        Directory.CreateDirectory(folder.In("source"));
        Directory.CreateDirectory(folder.In("backup"));
        for (int day = 1; day <= 2; day++)
        {
            string[] before = [.. volumes.SelectMany(names => names)];
            byte[] content = new byte[10_000 * day];
            new Random(day).NextBytes(content);
            await File.WriteAllBytesAsync(folder.In("source/notes.bin"), content, Cancellation);
            await new BackupWriter(
                new BackupWriterOptions
                {
                    Sources = [folder.In("source/notes.bin")],
                    Destination = folder.In("backup"),
                    Time = new DateTimeOffset(2026, 1, day, 12, 0, 0, TimeSpan.Zero),
                }
            ).WriteAsync();
            volumes.Add([
                .. Directory
                    .GetFiles(folder.In("backup"), "*.dblock.*")
                    .Select(file => Path.GetFileName(file)!)
                    .Except(before),
            ]);
        }
    }
}
