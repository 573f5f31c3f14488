using Restore.Cli;
using Restore.Tests.Cli;
using Restore.Tests.Writing;

namespace Restore.Tests.Maintenance;

/// <summary>Lost blocks that the files on this machine still have.</summary>
public sealed class BlockRepairTests : IDisposable
{
    private readonly RoundTrip trip = new();
    private readonly Random random = new(7);

    public void Dispose() => trip.Dispose();

    [Theory]
    [InlineData(null, false)]
    [InlineData(null, true)]
    [InlineData("correct horse", false)]
    public async Task A_backup_without_any_block_volume_is_whole_again_from_its_unchanged_source(
        string? passphrase,
        bool losesIndexes
    )
    {
        MakeSource();
        await trip.WriteAsync(trip.Options with { Passphrase = passphrase });
        foreach (string volume in trip.VolumesOf("dblock").Concat(losesIndexes ? trip.VolumesOf("dindex") : []))
        {
            File.Delete(volume);
        }

        BlockRepairReport report = await RepairAsync(passphrase);

        Assert.True(report.FoundBlocks > 0);
        Assert.DoesNotContain(report.Issues, issue => issue.Kind != IssueKind.Warning);
        trip.AssertLikeSource(await trip.RestoreAsync(passphrase: passphrase, warns: true));
    }

    [Fact]
    public async Task A_changed_file_gives_the_blocks_that_are_still_the_same_and_the_rest_stays_lost()
    {
        MakeSource();
        await trip.WriteAsync();
        trip.VolumesOf("dblock").ToList().ForEach(File.Delete);
        string large = Path.Join(trip.Source, "large");
        byte[] content = await File.ReadAllBytesAsync(large, TestContext.Current.CancellationToken);
        content[5 * 1024]++;
        await File.WriteAllBytesAsync(large, content, TestContext.Current.CancellationToken);

        BlockRepairReport report = await RepairAsync();

        Assert.True(report.FoundBlocks > 100, $"{report.FoundBlocks} blocks");
        RestoreIssue lost = Assert.Single(report.Issues, issue => issue.Kind == IssueKind.Damaged);
        Assert.Equal(IssueCode.BlocksLost, lost.Code);
        await using Backup backup = await Backup.OpenAsync(trip.Destination);
        RestorePlan plan = await backup.PlanAsync(
            backup.Versions[0],
            new RestoreOptions { Target = Path.Join(trip.Folder, "out") }
        );
        RestoreReport restored = await backup.ExecuteAsync(plan);
        RestoreIssue damaged = Assert.Single(restored.Issues, issue => issue.Kind == IssueKind.Damaged);
        Assert.EndsWith("large", damaged.Path, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Files_are_found_below_another_folder_too()
    {
        MakeSource();
        await trip.WriteAsync();
        trip.VolumesOf("dblock").ToList().ForEach(File.Delete);
        string disk = Path.Join(trip.Folder, "disk");
        string moved = Path.Join(disk, trip.Source);
        Directory.CreateDirectory(Path.GetDirectoryName(moved)!);
        Directory.Move(trip.Source, moved);

        Assert.Equal(0, (await RepairAsync()).FoundBlocks);
        BlockRepairReport report = await RepairAsync(root: disk);

        Assert.DoesNotContain(report.Issues, issue => issue.Kind == IssueKind.Damaged);
    }

    [Fact]
    public async Task The_command_shows_first_what_it_would_find_and_the_check_after_it_finds_no_loss()
    {
        MakeSource();
        await trip.WriteAsync();
        trip.VolumesOf("dblock").ToList().ForEach(File.Delete);
        int files = Directory.GetFiles(trip.Destination).Length;

        CliRun dry = await CliRun.OfAsync("repair", trip.Destination, "--rebuild-missing-dblock-files", "--dry-run");
        Assert.True(dry.ExitCode == ExitCodes.Complete, dry.Output + dry.Error);
        Assert.Equal(files, Directory.GetFiles(trip.Destination).Length);
        CliRun run = await CliRun.OfAsync("repair", trip.Destination, "--rebuild-missing-dblock-files");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        CliRun check = await CliRun.OfAsync("verify", trip.Destination, "--all-versions");
        Assert.True(check.ExitCode == ExitCodes.Complete, check.Output + check.Error);
    }

    [Theory]
    [InlineData("--rebuild-from says where to search: give --rebuild-missing-dblock-files too", "--rebuild-from=/")]
    [InlineData(
        "--rebuild-missing-dblock-files makes block volumes: leave out --purge-broken-files",
        "--rebuild-missing-dblock-files",
        "--purge-broken-files"
    )]
    [InlineData(
        "--rebuild-from: there is no folder /no/such/folder",
        "--rebuild-missing-dblock-files",
        "--rebuild-from=/no/such/folder"
    )]
    public async Task Options_that_contradict_each_other_are_refused(string error, params string[] options)
    {
        MakeSource();
        await trip.WriteAsync();
        string[] before = Directory.GetFiles(trip.Destination);
        CliRun run = await CliRun.OfAsync(["repair", trip.Destination, .. options]);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(error, run.Error, StringComparison.Ordinal);
        Assert.Equal(before.Order(), Directory.GetFiles(trip.Destination).Order());
    }

    /// <summary>
    /// A small file, one of several blocks with metadata of its own, and one with several lists of
    /// blocks.
    /// </summary>
    private void MakeSource()
    {
        File.WriteAllText(Path.Join(trip.Source, "small"), "content");
        Directory.CreateDirectory(Path.Join(trip.Source, "folder"));
        Write("folder/middle", 10_000);
        Write("large", 100_000);
    }

    private void Write(string name, int bytes)
    {
        byte[] content = new byte[bytes];
        random.NextBytes(content);
        File.WriteAllBytes(Path.Join(trip.Source, name), content);
    }

    private async Task<BlockRepairReport> RepairAsync(string? passphrase = null, string? root = null)
    {
        await using Backup backup = await Backup.OpenAsync(
            trip.Destination,
            new BackupOptions { Passphrase = passphrase }
        );
        BlockRepairReport report = await backup.Maintenance.RestoreBlocksAsync(root);
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
        return report;
    }
}
