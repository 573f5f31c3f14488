using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Volumes;

namespace Restore.Tests.Catalog.Locating;

public sealed class BlocklistSourceTests : IDisposable
{
    private static readonly byte[][][] Files =
    [
        SmallBackup.BlocksOf(1, 40),
        SmallBackup.BlocksOf(2, 40),
        SmallBackup.BlocksOf(3, 3),
    ];

    private readonly SmallBackup backup = new();
    private readonly VersionContent version = SmallBackup.Version(Files);
    private readonly BlockNeeds needs;

    public BlocklistSourceTests()
    {
        needs = SmallBackup.NeedsOf(version);
        for (int file = 0; file < Files.Length; file++)
        {
            backup.AddBlocks(file, SmallBackup.BlocklistsOf(Files[file]));
            backup.AddBlocks(file + 10, SmallBackup.BlocklistsOf(Files[file]));
        }
    }

    public void Dispose() => backup.Dispose();

    [Fact]
    public async Task What_a_fetch_brought_is_accepted_after_the_fetch_has_ended()
    {
        LocateAll(firstVolume: 0);
        List<(int Missing, int Known)> during = [];
        int known = version.Blocks.Count;
        backup.DuringFetch = () => during.Add((needs.MissingBlocklists, version.Blocks.Count));
        Assert.True(await StepAsync());
        Assert.Equal([(5, known)], during);
        Assert.Equal(0, needs.MissingBlocklists);
        Assert.All(Files.SelectMany(blocks => blocks), block => Assert.False(SmallBackup.Find(version, block).IsNone));
    }

    [Fact]
    public async Task A_fetch_looks_up_in_a_table_that_does_not_grow()
    {
        LocateAll(firstVolume: 0);
        await StepAsync();
        FetchList list = Assert.Single(backup.Fetches);
        Assert.NotSame(version.Blocks, list.Table);
        Assert.True(list.Table.IsFrozen);
        Assert.False(version.Blocks.IsFrozen);
        Assert.Equal(5, list.Table.Count);
    }

    [Theory]
    [InlineData(1, 5)]
    [InlineData(1024, 4)]
    [InlineData(1280, 3)]
    [InlineData(2559, 2)]
    [InlineData(2656, 1)]
    public async Task Rounds_are_bounded_and_a_volume_is_read_again_only_when_its_blocklists_do_not_fit_into_one(
        long maxBytes,
        int fetches
    )
    {
        LocateAll(firstVolume: 0);
        Assert.True(await StepAsync(maxBytes));
        Assert.Equal(0, needs.MissingBlocklists);
        Assert.Equal(fetches, backup.Fetches.Count);
        Assert.All(backup.Fetches, list => Assert.InRange(list.Volumes.Sum(list.BytesOf), 1, Math.Max(maxBytes, 1024)));
        if (maxBytes >= 1280)
        {
            Assert.Equal(3, backup.Fetches.Sum(list => list.Volumes.Count));
        }
    }

    [Fact]
    public async Task A_blocklist_that_is_not_in_its_volume_is_taken_from_the_next_copy()
    {
        LocateAll(firstVolume: 0);
        LocateAll(firstVolume: 3);
        backup.Damage(0);
        Assert.True(await StepAsync());
        Assert.Equal(0, needs.MissingBlocklists);
        Assert.Equal([3, 1], backup.Fetches.Select(list => list.Volumes.Count));
    }

    [Fact]
    public async Task A_blocklist_that_is_in_none_of_its_volumes_is_not_tried_again()
    {
        LocateAll(firstVolume: 0);
        backup.Damage(0);
        Assert.True(await StepAsync());
        Assert.Equal(2, needs.MissingBlocklists);
        LocateAll(firstVolume: 0);
        backup.Fetches.Clear();
        Assert.False(await StepAsync());
        Assert.Empty(backup.Fetches);
    }

    [Fact]
    public async Task Nothing_is_fetched_when_no_missing_blocklist_is_located()
    {
        Assert.False(await StepAsync());
        Assert.Empty(backup.Fetches);
    }

    /// <summary>Records the blocklists of the files, each file's in a separate volume.</summary>
    private void LocateAll(int firstVolume)
    {
        for (int file = 0; file < Files.Length; file++)
        {
            foreach (byte[] blocklist in SmallBackup.BlocklistsOf(Files[file]))
            {
                needs.Locate(
                    SmallBackup.Find(version, blocklist),
                    new VolumeId(firstVolume + file),
                    CopyOrder.Database
                );
            }
        }
    }

    private async Task<bool> StepAsync(long maxRoundBytes = BlocklistSource.MaxRoundBytes)
    {
        using SearchState search = new(needs, backup.Issues);
        BlocklistSource source = new(search, await backup.ListAsync(), backup.FetchAsync, backup.Loader, maxRoundBytes);
        return await source.TryStepAsync((_, _) => { }, CancellationToken.None);
    }
}
