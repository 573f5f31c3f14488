using Restore.Tests.Ends;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Restoring;

/// <summary>
/// Right files at the target stay, differing ones are replaced or restored beside, and nothing is
/// written through a link.
/// </summary>
public sealed class ReuseTests : IDisposable
{
    private readonly TempFolder folder = TempFolder.WithVictim();
    private readonly FixtureBackup fixture = FixtureCatalog.BackupsOf("blocklists-1kb").Single();

    private string Biggest =>
        ExpectedTree
            .Load(fixture.Versions[0].ExpectedFile!)
            .Entries.Where(entry => entry.Type == "file")
            .MaxBy(entry => entry.SizeBytes)!
            .Path;

    [Fact]
    public async Task A_target_that_is_right_already_is_neither_fetched_nor_written()
    {
        RestoreReport first = await RunAsync(overwrite: false);
        RestoreReport second = await RunAsync(overwrite: false);
        Assert.Equal(first.FilesRestored + first.FilesUnchanged, second.FilesUnchanged);
        Assert.Equal(0, second.BytesWritten);
        Assert.True(second.BytesFetched < first.BytesFetched, $"{second.BytesFetched} bytes were fetched again.");
        AssertWhole();
    }

    [Fact]
    public async Task Of_a_file_with_one_changed_block_the_other_blocks_are_copied_from_it()
    {
        RestoreReport first = await RunAsync(overwrite: false);
        Change(Path.Combine(folder.Root, Biggest), offset: 5000);
        RestoreReport second = await RunAsync(overwrite: true);
        Assert.Equal(first.BytesRestored + first.BytesReused - 1024, second.BytesReused);
        AssertWhole();
    }

    [Fact]
    public async Task Without_overwrite_a_changed_file_stays_and_the_restored_one_lies_beside_it()
    {
        await RunAsync(overwrite: false);
        string path = Path.Combine(folder.Root, Biggest);
        byte[] right = File.ReadAllBytes(path);
        Change(path, offset: 5000);
        byte[] changed = File.ReadAllBytes(path);
        string[] before = Directory.GetFiles(Path.GetDirectoryName(path)!);

        RestoreReport second = await RunAsync(overwrite: false);

        Assert.Equal(changed, File.ReadAllBytes(path));
        string beside = Assert.Single(Directory.GetFiles(Path.GetDirectoryName(path)!).Except(before));
        Assert.Equal(right, File.ReadAllBytes(beside));
        Assert.True(second.IsComplete);
    }

    [Fact]
    public async Task A_hard_link_to_a_place_outside_is_not_written_through()
    {
        await RunAsync(overwrite: false);
        string path = Path.Combine(folder.Root, Biggest);
        string outside = Path.Combine(folder.Outside, "hard");
        Change(path, offset: 5000);
        byte[] changed = File.ReadAllBytes(path);
        Native.HardLink(path, outside);

        await RunAsync(overwrite: true);

        Assert.Equal(changed, File.ReadAllBytes(outside));
        AssertWhole();
    }

    [Fact]
    public async Task A_symbolic_link_in_place_of_a_file_is_replaced_and_not_followed()
    {
        await RunAsync(overwrite: false);
        string path = Path.Combine(folder.Root, Biggest);
        File.Delete(path);
        File.CreateSymbolicLink(path, folder.Victim);

        await RunAsync(overwrite: true);

        folder.AssertOutsideUntouched();
        AssertWhole();
    }

    [Fact]
    public async Task A_plan_writes_nothing()
    {
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = folder.Root });
        Assert.False(Path.Exists(folder.Root));
        Assert.True(plan.Files > 0 && plan.BytesToWrite > 0 && plan.BytesToFetch > 0 && plan.Volumes.Count > 0);
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
    }

    [Fact]
    public async Task Several_restores_run_in_one_process_at_once()
    {
        int versions = fixture.Versions.Count;
        await Task.WhenAll(
            Enumerable
                .Range(0, 2 * versions)
                .Select(run =>
                    Task.Run(async () =>
                    {
                        string target = Path.Combine(folder.Path, $"run-{run}");
                        await FixtureRestore.RunAsync(fixture, run % versions, FixtureRestore.Whole(target));
                        RestoredTree.AssertEqual(
                            fixture.Versions[run % versions].ExpectedFile!,
                            target,
                            fixture.Checks
                        );
                    })
                )
        );
    }

    public void Dispose() => folder.Dispose();

    private static void Change(string path, long offset)
    {
        using FileStream file = new(path, FileMode.Open, FileAccess.ReadWrite);
        file.Position = offset;
        int old = file.ReadByte();
        file.Position = offset;
        file.WriteByte((byte)(old ^ 0xFF));
    }

    private Task<RestoreReport> RunAsync(bool overwrite) =>
        FixtureRestore.RunAsync(fixture, 0, FixtureRestore.Whole(folder.Root) with { Overwrite = overwrite });

    private void AssertWhole() =>
        RestoredTree.AssertEqual(fixture.Versions[0].ExpectedFile!, folder.Root, fixture.Checks);
}
