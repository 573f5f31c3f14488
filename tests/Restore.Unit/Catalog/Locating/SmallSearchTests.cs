using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Volumes;

namespace Restore.Tests.Catalog.Locating;

/// <summary>
/// Whole searches over a backup of a few blocks: the first one, and one after losses.
/// </summary>
public sealed class SmallSearchTests : IDisposable
{
    private static readonly byte[][] One = SmallBackup.BlocksOf(1, 1);
    private static readonly byte[][] Many = SmallBackup.BlocksOf(2, 40);

    private readonly SmallBackup backup = new();
    private readonly VersionContent version = SmallBackup.Version(One, Many);

    public void Dispose() => backup.Dispose();

    [Fact]
    public async Task A_search_ends_when_a_block_and_a_blocklist_are_nowhere_and_no_list_fits_into_memory()
    {
        byte[][] blocklists = SmallBackup.BlocklistsOf(Many);
        backup.AddBlocks(1, [.. Many[1..], .. blocklists[..1]]);
        backup.AddBlocks(2, SmallBackup.BlocksOf(9, 3));
        backup.AddIndex(1, describes: 1, [.. Many[1..], .. blocklists[..1]]);
        backup.AddIndex(2, describes: null, []);
        BlockLocator locator = await backup.LocatorAsync(maxKeptBytes: 0);
        Task<Locations> locating = Task.Run(() => LocateAsync(locator, version));
        Locations locations = await locating.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal(VolumeId.None, locations.VolumeOf(SmallBackup.Find(version, One[0])));
        Assert.Equal(VolumeId.None, locations.VolumeOf(SmallBackup.Find(version, Many[0])));
        Assert.Equal(new VolumeId(0), locations.VolumeOf(SmallBackup.Find(version, Many[1])));
        Assert.InRange(backup.Store.ReadsOf(SmallBackup.Index(1)), 1, 2);
    }

    [Fact]
    public async Task After_a_search_the_blocks_of_the_version_are_frozen()
    {
        AddTwoCopies();
        await LocateAsync(await backup.LocatorAsync(), version);
        Assert.Throws<InvalidOperationException>(() => version.Blocks.GetOrAdd(new byte[32], 7));
    }

    [Fact]
    public async Task A_lost_copy_is_replaced_by_the_next_one_without_reading_anything()
    {
        AddTwoCopies();
        BlockLocator locator = await backup.LocatorAsync();
        BlockId block = SmallBackup.Find(version, One[0]);
        Locations first = (await LocateAsync(locator, version)).With([new Replica(block, new VolumeId(1))], []);
        backup.Store.ForgetReads();
        Locations again = await FindAgainAsync(locator, first, block, 0);
        Assert.Equal([new VolumeId(1)], again.ReplicasOf(block));
        Assert.Empty(backup.Store.Reads);
    }

    [Fact]
    public async Task A_lost_block_is_found_in_a_volume_that_no_index_was_asked_about()
    {
        backup.AddBlocks(1, [.. One, .. Many]);
        backup.AddBlocks(2, One);
        backup.AddIndex(1, describes: 1, [.. One, .. Many], SmallBackup.BlocklistsOf(Many));
        BlockLocator locator = await backup.LocatorAsync();
        Locations first = await LocateAsync(locator, version);
        BlockId block = SmallBackup.Find(version, One[0]);
        Assert.Equal([new VolumeId(0)], first.ReplicasOf(block));
        Assert.Equal(0, backup.Store.ReadsOf(".dblock."));

        Locations again = await FindAgainAsync(locator, first, block, 0);
        Assert.Equal([new VolumeId(1)], again.ReplicasOf(block));
        Assert.Equal(
            first.ReplicasOf(SmallBackup.Find(version, Many[5])),
            again.ReplicasOf(SmallBackup.Find(version, Many[5]))
        );
    }

    [Fact]
    public async Task A_copy_that_failed_is_never_returned_again()
    {
        AddTwoCopies();
        BlockLocator locator = await backup.LocatorAsync();
        BlockId block = SmallBackup.Find(version, One[0]);
        Locations locations = await LocateAsync(locator, version);
        List<int> tried = [];
        while (!locations.VolumeOf(block).IsNone)
        {
            tried.Add(locations.VolumeOf(block));
            locations = await FindAgainAsync(locator, locations, block, locations.VolumeOf(block));
        }

        Assert.Equal([0, 1], tried);
        Assert.Equal([new VolumeId(0), new VolumeId(1)], locations.FailedOf(block));
        Assert.Empty((await FindAgainAsync(locator, locations, block, 0)).ReplicasOf(block));
    }

    [Fact]
    public async Task A_copy_that_may_return_is_found_again()
    {
        AddTwoCopies();
        BlockLocator locator = await backup.LocatorAsync();
        BlockId block = SmallBackup.Find(version, One[0]);
        Locations first = await LocateAsync(locator, version);
        Locations left = first.Without(
            [.. first.ReplicasOf(block).Select(volume => new Replica(block, volume))],
            mayReturn: true
        );
        Locations again = await locator.FindAgainAsync(version, left, [block], backup.Issues, CancellationToken.None);
        Assert.Equal(new VolumeId(0), again.VolumeOf(block));
    }

    [Fact]
    public async Task A_lost_block_that_is_nowhere_else_names_the_absent_volume_that_it_was_in()
    {
        backup.AddBlocks(1, [.. One, .. Many]);
        backup.AddIndex(1, describes: 1, [.. One, .. Many], SmallBackup.BlocklistsOf(Many));
        backup.AddIndex(2, describes: 7, One);
        BlockLocator locator = await backup.LocatorAsync();
        BlockId block = SmallBackup.Find(version, One[0]);
        Locations again = await FindAgainAsync(locator, await LocateAsync(locator, version), block, 0);
        Assert.Equal(SmallBackup.BlockVolume(7), again.LostWith(block));
    }

    [Fact]
    public async Task A_version_whose_layout_every_index_contradicts_is_refused()
    {
        backup.AddBlocks(1, Many);
        backup.AddIndex(1, describes: 1, Many, layout: SmallBackup.Layout with { BlockSizeBytes = 2048 });
        BlockLocator locator = await backup.LocatorAsync();
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => LocateAsync(locator, version));
        Assert.Equal(RestoreErrorCode.FileListUnusable, failure.Code);
    }

    private void AddTwoCopies()
    {
        backup.AddBlocks(1, [.. One, .. Many]);
        backup.AddBlocks(2, One);
        backup.AddIndex(1, describes: 1, [.. One, .. Many], SmallBackup.BlocklistsOf(Many));
        backup.AddIndex(2, describes: 2, One);
    }

    private Task<Locations> LocateAsync(BlockLocator locator, VersionContent content) =>
        locator.LocateAsync(SmallBackup.NeedsOf(content), backup.Issues, (_, _) => { }, CancellationToken.None);

    private Task<Locations> FindAgainAsync(BlockLocator locator, Locations current, BlockId block, int volume) =>
        locator.FindAgainAsync(
            version,
            current.Without([new Replica(block, new VolumeId(volume))]),
            [block],
            backup.Issues,
            CancellationToken.None
        );
}
