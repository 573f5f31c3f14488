using Restore.Tests.FixtureTests;
using Restore.Tests.Writing;

namespace Restore.Tests.Restoring;

/// <summary>
/// One whole run of every flow. <c>.ci/run</c> runs these tests on both channel libraries.
/// </summary>
public sealed class WholeFlowTests
{
    [Theory]
    [InlineData("blocklists-1kb", Flow.Network)]
    [InlineData("blocklists-1kb", Flow.Legacy)]
    [InlineData("no-index", Flow.Network)]
    public async Task A_backup_restores_to_what_its_source_was(string fixture, Flow flow)
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).Single();
        using TempFolder folder = new();
        RestoreReport report = await FixtureRestore.RunAsync(backup, 0, FixtureRestore.Whole(folder.Root).By(flow));
        Assert.True(report.IsComplete);
        RestoredTree.AssertEqual(backup.Versions[0].ExpectedFile!, folder.Root, backup.Checks);
    }

    [Fact]
    public async Task A_drill_verifies_every_file()
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf("aes-100kb").Single();
        RestoreReport report = await FixtureRestore.RunAsync(backup, 0, new RestoreOptions { VerifyOnly = true });
        Assert.True(report.IsComplete);
        Assert.True(report.VerifyOnly);
        Assert.NotEqual(0, report.BytesRestored);
    }

    [Fact]
    public async Task A_damaged_backup_gives_what_a_second_pass_finds()
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf("damaged/duplicate-block-one-corrupt-plain").Single();
        using TempFolder folder = new();
        RestoreReport report = await FixtureRestore.RunAsync(backup, 0, FixtureRestore.Whole(folder.Root));
        Assert.Equal(Loss.Unavoidable(backup, 0)!.Length == 0, report.IsComplete);
    }

    [Fact]
    public async Task A_tree_that_was_written_comes_back()
    {
        using RoundTrip trip = new();
        SourceTree.Make(trip.Source, seed: 1, blockSizeBytes: 1024);
        Assert.Empty((await trip.WriteAsync()).Issues);
        trip.AssertLikeSource(await trip.RestoreAsync());
    }
}
