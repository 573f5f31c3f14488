using Restore.Catalog;
using Restore.Format;
using Restore.Memory;
using Restore.Tests.FixtureTests;
using Restore.Volumes;

namespace Restore.Tests.Reading;

/// <summary>
/// A volume that is too large to be in memory twice is read part by part, and alone if it must be
/// whole.
/// </summary>
[Collection(nameof(Alone))]
public sealed class LargeVolumeTests : IDisposable
{
    private const int Blocks = 230;
    private const int BlockBytes = 1 << 20;

    private readonly TempFolder folder = new();

    [Fact]
    public async Task It_is_read_in_parts_and_counts_once()
    {
        LargeVolumeBackup.Write(folder.Path, BlockBytes, Blocks);
        PeakMemory peak = new();
        RestoreReport report = await VerifyAsync(new RestoreOptions { VerifyOnly = true });
        Assert.True(report.IsComplete, Issues.Text(report));
        Assert.Equal((Blocks, 1, 1), (report.FilesRestored, report.VolumesFetched, report.VolumesReadInPart));
        Assert.InRange(peak.GrowthBytes, long.MinValue, 200L << 20);
    }

    [Theory]
    [InlineData(RangeReads.Auto)]
    [InlineData(RangeReads.Never)]
    public async Task It_is_read_whole_if_its_directory_is_damaged_or_parts_are_not_wanted(RangeReads reads)
    {
        string volume = LargeVolumeBackup.Write(folder.Path, BlockBytes, Blocks);
        using (FileStream file = File.OpenWrite(volume))
        {
            file.SetLength(file.Length - (reads == RangeReads.Auto ? 100 : 0));
        }

        RestoreReport report = await VerifyAsync(
            new RestoreOptions { VerifyOnly = true }.With(new ExecuteOptions { Tuning = new() { RangeReads = reads } })
        );
        Assert.Equal((Blocks, 1, 0), (report.FilesRestored, report.VolumesFetched, report.VolumesReadInPart));

        // Each part meets the same defects, which are reported once.
        Assert.Equal(reads == RangeReads.Auto, report.Issues.Count > 0);
        Assert.All(report.Issues, issue => Assert.Equal(IssueKind.Warning, issue.Kind));
        Assert.Equal(report.Issues.Select(issue => issue.Reason).Distinct().Count(), report.Issues.Count);
    }

    [Fact]
    public void Buffers_that_were_dropped_are_collected_before_others_take_their_place()
    {
        // As of a GnuPG volume: the message, and its text beside it. Both are more than the pool
        // keeps.
        BufferPool pool = new();
        PeakMemory peak = new();
        for (int volume = 0; volume < 4; volume++)
        {
            using PooledBuffer message = pool.Rent(190 << 20);
            message.Span.Fill(1);
            using PooledBuffer text = pool.Rent((214 << 20) + volume);
            text.Span.Fill(1);
        }

        Assert.InRange(peak.GrowthBytes, long.MinValue, 500L << 20);
    }

    [Fact]
    public void Each_part_has_neighbors_up_to_a_limit_and_at_least_one_block()
    {
        BlockTable table = new(HashKind.Sha256);
        int[] sizes = [10, 20, 30, 90, 5, 5, 5];
        BlockId[] blocks = [.. sizes.Select((size, i) => table.GetOrAdd([.. Enumerable.Repeat((byte)i, 32)], size))];
        table.Freeze();
        Assert.True(VolumeName.TryParse($"duplicati-b{new string('1', 32)}.dblock.zip", out VolumeName name));
        Volume large = new(new VolumeId(0), name, 1000);
        FetchList list = new(
            table,
            blocks,
            [new WantedVolume(large, 0, 6), new WantedVolume(large with { SizeBytes = 5 }, 6, 1)],
            ownHash: null
        );

        FetchList parts = list.InParts(volume => volume.SizeBytes == 1000, partBytes: 60);
        Assert.Equal(
            [(0, 3, 60L, true), (3, 1, 90L, true), (4, 2, 10L, false), (6, 1, null, false)],
            parts.Volumes.Select(part => (part.First, part.Count, part.PartBytes, part.IsContinued))
        );
        Assert.Same(list, list.InParts(_ => false, partBytes: 60));
        Assert.Equal(90, list.LongestBlockBytes());
        using WantedBlocks first = new(parts, parts.Volumes[0]),
            second = new(parts, parts.Volumes[1]);
        Assert.Equal(
            (-1, 3),
            (first.Find([.. Enumerable.Repeat((byte)3, 32)], 90), second.Find([.. Enumerable.Repeat((byte)3, 32)], 90))
        );
    }

    public void Dispose() => folder.Dispose();

    private async Task<RestoreReport> VerifyAsync(RestoreSetup options)
    {
        await using Backup backup = await Backup.OpenAsync(folder.Path);
        RestoreReport report = await backup.RestoreAsync(backup.Versions[0], options);
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
        return report;
    }
}
