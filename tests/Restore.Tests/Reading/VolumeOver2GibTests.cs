using Restore.Catalog;
using Restore.Tests.FixtureTests;
using Restore.Volumes;

namespace Restore.Tests.Reading;

/// <summary>
/// A sound volume that no memory can hold as a whole: everything that reads it reads it in parts.
/// </summary>
[Collection(nameof(Alone))]
public sealed class VolumeOver2GibTests : IDisposable
{
    private const int Blocks = 2100;
    private const int BlockBytes = 1 << 20;

    private readonly TempFolder folder = new();
    private readonly string volume;

    public VolumeOver2GibTests() => volume = LargeVolumeBackup.Write(folder.Path, BlockBytes, Blocks);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_check_that_reads_volumes_finds_it_sound_and_sees_damage()
    {
        PeakMemory peak = new();
        Assert.Empty((await CheckAsync()).Issues);
        Assert.InRange(peak.GrowthBytes, long.MinValue, 300L << 20);

        using (FileStream file = File.OpenWrite(volume))
        {
            file.Position = file.Length / 2;
            file.WriteByte(1);
        }

        RestoreIssue issue = Assert.Single((await CheckAsync()).Issues);
        Assert.Equal((IssueKind.Damaged, IssueCode.BlocksLost), (issue.Kind, issue.Code));
    }

    [Fact]
    public async Task An_index_volume_can_be_made_of_it()
    {
        File.Delete(Directory.GetFiles(folder.Path, "*.dindex.*").Single());
        await using Backup backup = await Backup.OpenAsync(folder.Path, cancellationToken: Token);

        CheckReport repaired = await backup.Maintenance.RepairAsync(folder.Path, cancellationToken: Token);

        Assert.Single(repaired.IndexVolumesMade);
        Assert.Empty((await CheckAsync()).Issues);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_file_of_it_is_read_where_volumes_are_read_whole(bool hasRanges)
    {
        IVolumeStore store = new FolderWithout(folder.Path) { HasRanges = hasRanges };
        await using Backup backup = await Backup.OpenAsync(store, cancellationToken: Token);
        RestoreOptions options = new()
        {
            VerifyOnly = true,
            Filter = EntryFilter.Parse(["/data/7", $"/data/{Blocks - 1}"], []),
        };
        ExecuteOptions execution = new()
        {
            Tuning = new() { RangeReads = hasRanges ? RangeReads.Never : RangeReads.Auto },
        };
        PeakMemory peak = new();

        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], options, execution, Token);
        RestoreReport report = await backup.ExecuteAsync(plan, execution, Token);

        Assert.True(report.IsComplete, Issues.Text(report));
        Assert.Equal(2, report.FilesRestored);
        Assert.InRange(peak.GrowthBytes, long.MinValue, 900L << 20);
    }

    public void Dispose() => folder.Dispose();

    private async Task<CheckReport> CheckAsync()
    {
        await using Backup backup = await Backup.OpenAsync(folder.Path, cancellationToken: Token);
        return await backup.Maintenance.CheckVolumesAsync(cancellationToken: Token);
    }

    /// <summary>A folder as a remote store, with or without ranges.</summary>
    private sealed class FolderWithout(string folder) : IVolumeStore
    {
        public string DisplayName => "test://folder";

        public bool HasRanges { get; init; }

        public bool IsLocal => false;

        public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) =>
            new DirectoryInfo(folder)
                .GetFiles()
                .Select(file => new StoredFile(file.Name, file.Length))
                .ToAsyncEnumerable();

        public async ValueTask<int> ReadAsync(
            string name,
            long offset,
            Memory<byte> destination,
            CancellationToken cancellationToken = default
        )
        {
            await using FileStream file = File.OpenRead(Path.Join(folder, name));
            file.Position = Math.Min(offset, file.Length);
            return await file.ReadAtLeastAsync(
                destination,
                destination.Length,
                throwOnEndOfStream: false,
                cancellationToken
            );
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
