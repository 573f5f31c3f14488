using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Volumes;

namespace Restore.Tests.Catalog.Locating;

public sealed class IndexSourceTests : IDisposable
{
    private static readonly byte[][] One = SmallBackup.BlocksOf(1, 1);
    private static readonly byte[][] Three = SmallBackup.BlocksOf(3, 3);

    private readonly SmallBackup backup = new();
    private readonly VersionContent version = SmallBackup.Version(One, Three);

    public IndexSourceTests()
    {
        backup.AddBlocks(1, [.. One, .. Three]);
        backup.AddBlocks(2, One);
    }

    public void Dispose() => backup.Dispose();

    [Fact]
    public async Task Blocks_are_located_where_an_index_says_they_are()
    {
        backup.AddIndex(1, describes: 1, [.. One, .. Three], SmallBackup.BlocklistsOf(Three));
        backup.AddIndex(2, describes: 2, One);
        Locations locations = await LocateAsync();
        Assert.All(Three, block => Assert.Equal([0], ReplicasOf(locations, block)));
        Assert.Equal(0, ReplicasOf(locations, One[0])[0]);
        Assert.Empty(backup.Issues.ToList());
    }

    [Fact]
    public async Task Blocks_that_are_listed_before_their_blocklist_is_found_are_kept()
    {
        backup.AddIndex(1, describes: 1, Three);
        backup.AddIndex(2, describes: 2, One, SmallBackup.BlocklistsOf(Three));
        Locations locations = await LocateAsync();
        Assert.All(Three, block => Assert.Equal([0], ReplicasOf(locations, block)));
        Assert.All(backup.Store.Reads.CountBy(read => read.Name), file => Assert.Equal(1, file.Value));
    }

    [Fact]
    public async Task An_index_whose_list_is_not_kept_is_read_again_once_for_each_state_of_the_needs()
    {
        backup.AddIndex(1, describes: 1, Three);
        BlockNeeds needs = SmallBackup.NeedsOf(version);
        using SearchState search = new(needs, backup.Issues, maxKeptBytes: 0);
        IndexSource source = new(search, backup.Loader, await backup.ListAsync(), SmallBackup.WholeVolumes);

        Assert.True(await StepAsync(source));
        Assert.False(await StepAsync(source));
        Assert.Equal(1, backup.Store.ReadsOf(".dindex."));

        byte[] blocklist = SmallBackup.BlocklistsOf(Three)[0];
        needs.AcceptBlocklist(SmallBackup.Find(version, blocklist), blocklist);
        Assert.True(await StepAsync(source));
        Assert.False(await StepAsync(source));
        Assert.Equal(2, backup.Store.ReadsOf(".dindex."));
        Assert.All(
            Three,
            block => Assert.Equal(new VolumeId(0), needs.Locations.VolumeOf(SmallBackup.Find(version, block)))
        );
    }

    [Fact]
    public async Task An_index_that_cannot_be_read_is_reported_and_the_others_are_used()
    {
        backup.AddIndex(1, describes: 1, [.. One, .. Three], SmallBackup.BlocklistsOf(Three));
        backup.Store[SmallBackup.Index(0)] = new byte[100];
        Locations locations = await LocateAsync();
        Assert.Equal([0], ReplicasOf(locations, One[0]));
        RestoreIssue issue = Assert.Single(backup.Issues.ToList());
        Assert.Equal(SmallBackup.Index(0), issue.Path);
        Assert.StartsWith("The index volume cannot be used: ", issue.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_needed_block_of_a_volume_that_is_not_there_is_lost_with_that_volume()
    {
        backup.AddIndex(1, describes: 7, Three);
        backup.AddIndex(2, describes: 2, One, SmallBackup.BlocklistsOf(Three));
        Locations locations = await LocateAsync();
        Assert.All(
            Three,
            block => Assert.Equal(SmallBackup.BlockVolume(7), locations.LostWith(SmallBackup.Find(version, block)))
        );
        Assert.Null(locations.LostWith(SmallBackup.Find(version, One[0])));
    }

    private int[] ReplicasOf(Locations locations, byte[] block) =>
        [.. locations.ReplicasOf(SmallBackup.Find(version, block)).Select(volume => volume.Value)];

    private async Task<Locations> LocateAsync()
    {
        using SearchState search = new(SmallBackup.NeedsOf(version), backup.Issues);
        IndexSource source = new(search, backup.Loader, await backup.ListAsync(), SmallBackup.WholeVolumes);
        Assert.True(await StepAsync(source));
        return search.Complete();
    }

    private static Task<bool> StepAsync(IndexSource source) =>
        source.TryStepAsync((_, _) => { }, CancellationToken.None);
}
