using Restore.Cli;
using Restore.Tests.Cli;
using Restore.Tests.Support;

namespace Restore.Tests.Restoring;

/// <summary>
/// Blocks that the store lost, and that a file of this machine or another version still has.
/// </summary>
public sealed class FileSalvageTests : IDisposable
{
    private readonly TempFolder folder = new();

    private string Source => Path.Combine(folder.Path, "source");

    private string Store => Path.Combine(folder.Path, "backup");

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public async Task A_lost_block_is_taken_from_a_file_that_has_it_by_the_list_of_another_version(
        bool atTarget,
        bool legacy
    )
    {
        byte[] content = await MoveAsync(from: "a", to: "b");
        Delete("*.dblock*");
        string place = atTarget ? folder.Root : Source;
        Directory.CreateDirectory(place);
        await File.WriteAllBytesAsync(Path.Combine(place, "a"), content);
        File.Delete(Path.Combine(Source, "b"));

        RestoreReport without = await RestoreAsync(new RestoreOptions { Target = folder.Root + "1" }.Legacy(legacy));
        Assert.False(File.Exists(Path.Combine(folder.Root + "1", "b")));
        Assert.Equal(0, without.FilesRestored);

        RestoreReport report = await RestoreAsync(
            new RestoreOptions { Target = folder.Root, SalvageVersions = true }.Legacy(legacy)
        );
        Assert.Equal(content, await File.ReadAllBytesAsync(folder.In("b")));
        Assert.DoesNotContain(report.Issues, issue => issue.LostRanges.Count > 0);
        Assert.Contains(
            report.Issues,
            issue =>
                issue.Reason.StartsWith(
                    "Blocks that are lost in the store were found in files",
                    StringComparison.Ordinal
                )
        );
    }

    [Fact]
    public async Task A_file_that_changed_since_gives_the_blocks_that_it_still_has_and_no_other()
    {
        byte[] content = await MoveAsync(from: "a", to: "b");
        Delete("*.dblock*");
        byte[] changed = [.. content];
        changed[10] ^= 1;
        await File.WriteAllBytesAsync(Path.Combine(Source, "a"), changed);
        File.Delete(Path.Combine(Source, "b"));

        RestoreReport report = await RestoreAsync(new RestoreOptions { Target = folder.Root, SalvageVersions = true });
        RestoreIssue issue = Assert.Single(report.Issues, issue => issue.Kind == IssueKind.Damaged);
        Assert.Equal([new ByteRange(0, 1024)], issue.LostRanges);
        string restored = issue.TargetPath!;
        Assert.Equal(content[1024..], (await File.ReadAllBytesAsync(restored))[1024..]);
    }

    [Fact]
    public async Task Another_version_that_has_a_lost_file_whole_is_named()
    {
        Directory.CreateDirectory(Source);
        await WriteAsync("a", 1);
        await WriteAsync("a", 2);
        string[] before = Directory.GetFiles(Store, "*.dblock*");
        await WriteAsync("a", 3);
        Array.ForEach([.. Directory.GetFiles(Store, "*.dblock*").Except(before)], File.Delete);
        Directory.Delete(Source, recursive: true);

        CliRun run = await CliRun.OfAsync(Store, "--target", folder.Root, "--salvage-versions");
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Contains("  Elsewhere 1 lost file is whole in another version:\n", run.Output, StringComparison.Ordinal);
        Assert.Matches($@"\n            {Source}/a \(version 1 of ", run.Output);
        CliRun drill = await CliRun.OfAsync("verify", Store, "--salvage-versions", "--json");
        Assert.Contains(
            $"\"wholeElsewhere\":[{{\"path\":\"{Source}/a\",\"version\":1,",
            drill.Output,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_temporary_folder_that_cannot_be_used_costs_only_the_salvage()
    {
        byte[] content = await MoveAsync(from: "a", to: "b");
        Delete("*.dblock*");
        await File.WriteAllBytesAsync(Path.Combine(Source, "a"), content);
        File.Delete(Path.Combine(Source, "b"));

        // The program of a test has no temporary folder.
        ProgramRun run = await ProgramRun.OfAsync("restore", Store, "-t", folder.Root, "--salvage-versions");
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Contains(
            "Lost blocks could not be taken from files of this machine",
            run.Output + run.Error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_store_that_fails_in_the_search_of_other_versions_does_not_cost_the_report()
    {
        Directory.CreateDirectory(Source);
        await WriteAsync("a", 1);
        string older = Path.GetFileName(Assert.Single(Directory.GetFiles(Store, "*.dlist*")));
        string[] before = Directory.GetFiles(Store, "*.dblock*");
        await WriteAsync("a", 3);
        Array.ForEach([.. Directory.GetFiles(Store, "*.dblock*").Except(before)], File.Delete);
        Directory.Delete(Source, recursive: true);
        ScriptedStore store = ScriptedStore.OfFolder(Store);
        store.BeforeRead = (name, _) =>
            name == older
                ? throw new RestoreException(RestoreErrorCode.StoreLost, "The store is gone")
                : ValueTask.CompletedTask;
        await using Backup backup = await Backup.OpenAsync(store);
        RestoreReport report = await backup.RestoreAsync(
            backup.Versions[0],
            new RestoreOptions { Target = folder.Root, SalvageVersions = true }
        );
        Assert.Contains(report.Issues, issue => issue.LostRanges.Count > 0);
        Assert.Contains(
            report.Issues,
            issue => issue.Reason.StartsWith("Other versions could not be searched", StringComparison.Ordinal)
        );
    }

    public void Dispose() => folder.Dispose();

    private static byte[] Bytes(int seed)
    {
        byte[] bytes = new byte[10_000];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    /// <summary>Makes two versions: a file, and the same file with another name.</summary>
    private async Task<byte[]> MoveAsync(string from, string to)
    {
        Directory.CreateDirectory(Source);
        await WriteAsync(from, 1);
        File.Move(Path.Combine(Source, from), Path.Combine(Source, to));
        await WriteAsync(to, 1);
        return Bytes(1);
    }

    private async Task WriteAsync(string name, int seed)
    {
        await File.WriteAllBytesAsync(Path.Combine(Source, name), Bytes(seed));
        await new BackupWriter(
            new BackupWriterOptions
            {
                Sources = [Source],
                Destination = Store,
                BlockSizeBytes = 1024,
                SkipMetadata = true,
                Time = DateTimeOffset
                    .UnixEpoch.AddYears(50)
                    .AddDays(Directory.Exists(Store) ? Directory.GetFiles(Store).Length : 0),
            }
        ).WriteAsync();
    }

    private void Delete(string pattern) => Array.ForEach(Directory.GetFiles(Store, pattern), File.Delete);

    private async Task<RestoreReport> RestoreAsync(RestoreSetup options)
    {
        await using Backup backup = await Backup.OpenAsync(Store);
        RestoreReport report = await backup.RestoreAsync(backup.Versions[0], options);
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
        return report;
    }
}
