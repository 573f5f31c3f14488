using Restore.Tests.Writing;

namespace Restore.Tests.Restoring;

/// <summary>Blocks with a wrong hash in otherwise sound volumes.</summary>
public sealed class WrongBlockTests : IDisposable
{
    private const int BlockSizeBytes = 1024;

    private readonly RoundTrip roundTrip = new();
    private readonly byte[] first = MadeVersion.Content(1, 5 * BlockSizeBytes);
    private readonly byte[] second = MadeVersion.Content(2, 4 * BlockSizeBytes);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_wrong_block_costs_its_own_bytes_in_each_file_that_has_it_and_no_others(bool isLegacy)
    {
        byte[] sharing =
        [
            .. second[..BlockSizeBytes],
            .. first[(3 * BlockSizeBytes)..(4 * BlockSizeBytes)],
            .. second[..100],
        ];
        await WriteAsync(("first", first), ("second", second), ("sharing", sharing), ("small", first[..100]));
        string volume = SpoilBlockOf(first, index: 3);
        (RestoreReport report, string target) = await RestoreAsync(isLegacy);

        ByteRange[] lost = [new(3 * BlockSizeBytes, 4 * BlockSizeBytes), new(BlockSizeBytes, 2 * BlockSizeBytes)];
        RestoreIssue[] damaged =
        [
            .. report
                .Issues.Where(issue => issue.Kind == IssueKind.Damaged)
                .OrderBy(issue => issue.Path, StringComparer.Ordinal),
        ];
        Assert.Equal(["first", "sharing"], damaged.Select(issue => Path.GetFileName(issue.Path)));
        Assert.Equal(lost, damaged.Select(issue => Assert.Single(issue.LostRanges)));
        Assert.All(damaged, issue => Assert.Equal(volume, Assert.Single(issue.Volumes)));
        Assert.Equal(2, report.FilesRestored);

        Assert.Equal(Without(first, lost[0]), File.ReadAllBytes(Path.Combine(target, "first")));
        Assert.Equal(Without(sharing, lost[1]), File.ReadAllBytes(Path.Combine(target, "sharing")));
        Assert.Equal(second, File.ReadAllBytes(Path.Combine(target, "second")));
        Assert.NotEqual(
            File.GetLastWriteTimeUtc(Path.Combine(roundTrip.Source, "first")),
            File.GetLastWriteTimeUtc(Path.Combine(target, "first"))
        );
        Assert.Equal(
            File.GetLastWriteTimeUtc(Path.Combine(roundTrip.Source, "second")),
            File.GetLastWriteTimeUtc(Path.Combine(target, "second"))
        );
    }

    [Fact]
    public async Task With_the_right_volume_back_the_next_run_fetches_what_was_lost()
    {
        await WriteAsync(("first", first), ("second", second));
        byte[] right = File.ReadAllBytes(roundTrip.VolumesOf("dblock").Single());
        SpoilBlockOf(first, index: 0);
        await RestoreAsync(isLegacy: false);
        File.WriteAllBytes(roundTrip.VolumesOf("dblock").Single(), right);
        (RestoreReport report, string target) = await RestoreAsync(isLegacy: false);

        Assert.True(report.IsComplete);

        // The new file takes the place of the damaged one when it is whole; all but one of its
        // blocks come from there.
        Assert.Equal((2, 1, first.Length), (report.FilesRestored, report.FilesUnchanged, report.BytesWritten));
        roundTrip.AssertLikeSource(target);
    }

    [Fact]
    public async Task A_drill_reports_a_wrong_block()
    {
        await WriteAsync(("first", first));
        SpoilBlockOf(first, index: 4);
        await using Backup backup = await Backup.OpenAsync(roundTrip.Destination);
        RestorePlan plan = await backup.PlanAsync(backup.GetVersion(0), new RestoreOptions { VerifyOnly = true });
        RestoreIssue damaged = Assert.Single(
            (await backup.ExecuteAsync(plan)).Issues,
            issue => issue.Kind == IssueKind.Damaged
        );
        Assert.Equal(new ByteRange(4 * BlockSizeBytes, 5 * BlockSizeBytes), Assert.Single(damaged.LostRanges));
    }

    public void Dispose() => roundTrip.Dispose();

    private static byte[] Without(byte[] content, ByteRange lost)
    {
        byte[] left = [.. content];
        left.AsSpan((int)lost.From, (int)(lost.To - lost.From)).Clear();
        return left;
    }

    private Task WriteAsync(params (string Name, byte[] Content)[] files)
    {
        foreach ((string name, byte[] content) in files)
        {
            File.WriteAllBytes(Path.Combine(roundTrip.Source, name), content);
        }

        return roundTrip.WriteAsync();
    }

    /// <summary>
    /// Changes one byte of a block where its volume has it; random bytes are stored as they are.
    /// </summary>
    /// <returns>The volume's name.</returns>
    private string SpoilBlockOf(byte[] content, int index)
    {
        string path = roundTrip.VolumesOf("dblock").Single();
        byte[] volume = File.ReadAllBytes(path);
        int at = volume.AsSpan().IndexOf(content.AsSpan(index * BlockSizeBytes, BlockSizeBytes));
        Assert.True(at > 0, "The block is not stored.");
        volume[at + 500] ^= 1;
        File.WriteAllBytes(path, volume);
        return Path.GetFileName(path);
    }

    private async Task<(RestoreReport Report, string Target)> RestoreAsync(bool isLegacy)
    {
        string target = Path.Combine(roundTrip.Folder, "target");
        await using Backup backup = await Backup.OpenAsync(roundTrip.Destination);
        RestoreOptions options = new() { Target = target, Overwrite = true };
        return (await backup.RestoreAsync(backup.GetVersion(0), options.Legacy(isLegacy)), target);
    }
}
