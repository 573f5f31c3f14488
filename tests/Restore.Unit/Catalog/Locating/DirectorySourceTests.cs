using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Volumes;

namespace Restore.Tests.Catalog.Locating;

public sealed class DirectorySourceTests : IDisposable
{
    private static readonly byte[][] One = SmallBackup.BlocksOf(1, 1);
    private static readonly byte[][] Three = SmallBackup.BlocksOf(3, 3);

    private readonly SmallBackup backup = new();
    private readonly VersionContent version = SmallBackup.Version(One, Three);
    private readonly BlockNeeds needs;

    public DirectorySourceTests()
    {
        needs = SmallBackup.NeedsOf(version);
        backup.AddBlocks(1, One);
        backup.AddBlocks(2, [.. One, .. Three]);
        backup.AddIndex(1, describes: 1, One);
    }

    public void Dispose() => backup.Dispose();

    [Fact]
    public async Task Volumes_that_no_index_describes_and_the_others_are_two_sources()
    {
        (bool undescribed, bool described) = await StepAsync();
        Assert.True(undescribed);
        Assert.True(described);
        Assert.Equal(
            [SmallBackup.BlockVolume(2), SmallBackup.BlockVolume(1)],
            backup.Store.Reads.Select(read => read.Name)
        );
        Locations locations = needs.Locations.Freeze(version.Blocks.Count);
        Assert.Equal([0, 1], locations.ReplicasOf(SmallBackup.Find(version, One[0])).Select(volume => volume.Value));
        Assert.Equal(
            [
                (
                    SmallBackup.BlockVolume(2),
                    "No index volume describes this block volume; its directory was read instead"
                ),
            ],
            backup.Issues.ToList().Select(issue => (issue.Path, issue.Reason))
        );
    }

    [Fact]
    public async Task A_block_that_only_the_directory_of_a_described_volume_has_is_reported()
    {
        backup.AddBlocks(2, Three);
        await StepAsync();
        Assert.Contains(
            (
                SmallBackup.BlockVolume(1),
                "It has needed blocks that its index volume does not list, or lists with another size"
            ),
            backup.Issues.ToList().Select(issue => (issue.Path, issue.Reason))
        );
    }

    [Fact]
    public async Task Without_index_volumes_one_report_says_that_all_directories_were_read()
    {
        backup.Store.Remove(SmallBackup.Index(1));
        (bool undescribed, bool described) = await StepAsync(describesFirst: false);
        Assert.Equal((true, false), (undescribed, described));
        Assert.Equal(
            "There are no index volumes; the directories of this and of the other block volumes (2 in all) were read instead",
            Assert.Single(backup.Issues.ToList()).Reason
        );
    }

    [Fact]
    public async Task A_volume_that_cannot_be_read_is_reported_and_the_others_are_read()
    {
        backup.Store[SmallBackup.BlockVolume(3)] = [];
        await StepAsync();
        Assert.Contains(
            (SmallBackup.BlockVolume(3), "The block volume cannot be read: The volume is empty"),
            backup.Issues.ToList().Select(issue => (issue.Path, issue.Reason))
        );
        Assert.Equal(new VolumeId(0), needs.Locations.VolumeOf(SmallBackup.Find(version, One[0])));
    }

    [Fact]
    public async Task A_directory_that_is_not_kept_is_read_again_once_for_each_state_of_the_needs()
    {
        using SearchState search = new(needs, backup.Issues, maxKeptBytes: 0);
        DirectorySource source = DirectorySource.OfUndescribed(
            search,
            backup.Loader,
            await backup.ListAsync(),
            SmallBackup.WholeVolumes
        );
        Assert.True(await StepAsync(source));
        Assert.False(await StepAsync(source));
        Assert.Equal(1, backup.Store.ReadsOf(SmallBackup.BlockVolume(2)));

        byte[] blocklist = SmallBackup.BlocklistsOf(Three)[0];
        needs.AcceptBlocklist(SmallBackup.Find(version, blocklist), blocklist);
        Assert.True(await StepAsync(source));
        Assert.False(await StepAsync(source));
        Assert.Equal(2, backup.Store.ReadsOf(SmallBackup.BlockVolume(2)));
        Assert.True(needs.IsSettled);
    }

    private async Task<(bool Undescribed, bool Described)> StepAsync(bool describesFirst = true)
    {
        using SearchState search = new(needs, backup.Issues);
        VolumeSet volumes = await backup.ListAsync();
        if (describesFirst)
        {
            using IndexContents contents = new(_ => { }) { Layout = SmallBackup.Layout };
            contents.Volumes.Add(
                new ListedBlocks(SmallBackup.Layout.BlockHash, backup.Pool) { Volume = new VolumeId(0) }
            );
            search.Take(volumes.Indexes[0], contents);
        }

        bool undescribed = await StepAsync(
            DirectorySource.OfUndescribed(search, backup.Loader, volumes, SmallBackup.WholeVolumes)
        );
        bool described = await StepAsync(
            DirectorySource.OfDescribed(search, backup.Loader, volumes, SmallBackup.WholeVolumes)
        );
        return (undescribed, described);
    }

    private static Task<bool> StepAsync(DirectorySource source) =>
        source.TryStepAsync((_, _) => { }, CancellationToken.None);
}
