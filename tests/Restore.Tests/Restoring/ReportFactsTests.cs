using Restore.Tests.FixtureTests;
using Restore.Tests.Support;
using Restore.Tests.Trust;

namespace Restore.Tests.Restoring;

/// <summary>The report counts what its own run did, and nothing else.</summary>
public sealed class ReportFactsTests : IDisposable
{
    private readonly TempFolder folder = new();
    private readonly FixtureBackup fixture = FixtureCatalog.BackupsOf("aes-100kb").Single();

    [Fact]
    public async Task The_time_that_the_caller_spends_looking_at_the_plan_is_not_part_of_the_run()
    {
        FakeClock clock = new();
        await using Backup backup = await Backup.OpenAsync(
            fixture.Location,
            fixture.Options() with
            {
                TimeProvider = clock,
            }
        );
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = folder.Root });
        clock.Advance(TimeSpan.FromHours(1));
        RestoreReport report = await backup.ExecuteAsync(plan);
        Assert.InRange(report.Elapsed, TimeSpan.Zero, TimeSpan.FromMinutes(1));
    }

    [Fact]
    public async Task Two_restores_side_by_side_do_not_count_each_others_bytes()
    {
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        long alone = (await RestoreAsync(backup, "alone")).BytesFetched;
        RestoreReport[] both = await Task.WhenAll(RestoreAsync(backup, "left"), RestoreAsync(backup, "right"));
        Assert.All(both, report => Assert.Equal(alone, report.BytesFetched));
    }

    [Fact]
    public async Task The_profile_has_all_processes_of_the_picture()
    {
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], Profiled(folder.Root));
        RestoreReport report = await backup.ExecuteAsync(plan, Profiled(folder.Root).How);
        string[] picture =
        [
            "FileLister",
            "TargetScanner",
            "ScanCollector",
            "VolumeManager",
            "VolumeDownloader",
            "VolumeDecryptor",
            "VolumeDecompressor",
            "BlockManager",
            "FileProcessor",
            "Reporter",
        ];
        Assert.Empty(picture.Except(report.Profile.Select(row => row.Process)));
        Assert.Contains(report.Profile, row => row.Process == "TargetScanner" && row.Messages > 0);
    }

    [Fact]
    public async Task Each_entry_is_reported_when_it_is_finished()
    {
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], FixtureRestore.Whole(folder.Root));
        Results results = new();
        RestoreReport report = await backup.ExecuteAsync(plan, new ExecuteOptions { Entries = results });
        Assert.Equal(plan.Files + plan.Folders + report.SymlinksRestored, results.Count);
        Assert.All(results, result => Assert.Equal(EntryResultKind.Restored, result.Kind));
        Assert.Equal(report.BytesWritten, results.Sum(result => result.BytesWritten));
    }

    [Fact]
    public async Task A_file_without_its_metadata_counts_as_restored()
    {
        byte[] metadata = MadeBackup.Metadata();
        using MadeBackup backup = new();
        backup.File("/data/whole", new byte[2000]);
        backup.File("/data/bare", "content"u8.ToArray(), metadata);
        backup.Folder("/data/", metadata);
        backup.Forget(metadata);
        RestoreReport report = await backup.Write().RestoreAsync();
        Assert.Equal((2, 2007), (report.FilesRestored, report.BytesRestored));
        Assert.Single(
            report.Issues,
            issue => issue is { Kind: IssueKind.Metadata, Path: "/data/bare", MetadataLost: true }
        );
    }

    public void Dispose() => folder.Dispose();

    private static RestoreSetup Profiled(string target) =>
        new RestoreOptions { Target = target }.With(new ExecuteOptions { Profile = true });

    private async Task<RestoreReport> RestoreAsync(Backup backup, string name)
    {
        RestorePlan plan = await backup.PlanAsync(
            backup.Versions[0],
            new RestoreOptions { Target = Path.Combine(folder.Path, name) }
        );
        return await backup.ExecuteAsync(plan);
    }

    private sealed class Results : System.Collections.Concurrent.ConcurrentQueue<EntryResult>, IProgress<EntryResult>
    {
        public void Report(EntryResult value) => Enqueue(value);
    }
}
