using Restore.Format;
using Restore.Volumes;

namespace Restore.Tests.Volumes;

/// <summary>Which files of a folder are the volumes of which backup.</summary>
public sealed class VolumeListingTests
{
    private const string List = "duplicati-20260101T000000Z.dlist.zip";
    private const string Block = "duplicati-b0123456789abcdef0123456789abcdef.dblock.zip";

    [Fact]
    public void Letters_in_another_case_make_no_second_backup()
    {
        VolumeListing listing = Of(List, Block.ToUpperInvariant(), "Duplicati-i00aa.dindex.zip");

        Assert.Equal(["duplicati"], listing.Prefixes);
        Assert.Equal(3, listing.Volumes.Count);
    }

    [Fact]
    public void Two_backups_whose_prefixes_differ_in_case_stay_two_if_both_have_file_lists()
    {
        VolumeListing listing = Of(
            "Photos-20260101T000000Z.dlist.zip",
            "photos-20260102T000000Z.dlist.zip",
            "photos-b00aa.dblock.zip"
        );

        Assert.Equal(["Photos", "photos"], listing.Prefixes);
    }

    [Fact]
    public void A_copy_is_no_second_version_and_no_second_backup_and_serves_if_the_volume_is_damaged()
    {
        VolumeListing listing = Of(
            List,
            Block,
            "duplicati-20260101T000000Z.dlist (1).zip",
            "Copy of " + List,
            "._" + List
        );

        Assert.Equal(["duplicati"], listing.Prefixes);
        Assert.Equal([List, Block], listing.Volumes.Select(volume => volume.Name.Name));
        Assert.Equal("Copy of " + List, listing.Spares[List].Name.Name);
        Assert.Empty(listing.Issues);
    }

    [Fact]
    public void A_copy_takes_the_place_of_a_volume_that_is_not_there()
    {
        VolumeListing listing = Of(List, "duplicati-b0123456789abcdef0123456789abcdef.dblock (1).zip");

        ListedVolume copy = Assert.Single(listing.Volumes, volume => volume.Name.Kind == VolumeKind.Block);
        Assert.Equal((Block, "0123456789abcdef0123456789abcdef"), (copy.Original, copy.Name.Guid));
        Assert.Equal(IssueCode.VolumeCopyUsed, Assert.Single(listing.Issues).Code);
    }

    [Fact]
    public void A_copy_under_a_longer_prefix_is_recognized_by_its_number()
    {
        VolumeListing listing = Of(List, Block, "Old duplicati-b0123456789abcdef0123456789abcdef.dblock.zip");

        Assert.Equal(["duplicati"], listing.Prefixes);
    }

    [Theory]
    [InlineData(".cloud", 0, IssueCode.VolumePlaceholder)]
    [InlineData(".icloud", 180, IssueCode.VolumePlaceholder)]
    [InlineData(".bak", 0, IssueCode.VolumePlaceholder)]
    [InlineData(".bak", 100, IssueCode.VolumeRenamed)]
    [InlineData(".part", 100, IssueCode.VolumeUnfinished)]
    public void What_stands_for_a_missing_volume_has_a_message_of_its_own(string end, long sizeBytes, IssueCode code)
    {
        VolumeListing listing = VolumeListing.Of([new StoredFile(List, 100), new StoredFile(Block + end, sizeBytes)]);

        RestoreIssue issue = Assert.Single(listing.Issues);
        Assert.Equal((Block + end, code), (issue.Path, issue.Code));
        Assert.Equal(
            code == IssueCode.VolumeRenamed,
            issue.Reason.Contains("rename it back", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void What_lies_beside_a_volume_that_is_there_is_not_mentioned()
    {
        Assert.Empty(
            Of(List, Block, Block + ".cloud", Block + ".part", Block + ".bak", "~" + Block, "._" + Block).Issues
        );
    }

    [Fact]
    public void The_prefix_that_a_user_gives_counts_however_odd()
    {
        VolumeListing listing = VolumeListing.Of([new StoredFile("~x-20260101T000000Z.dlist.zip", 1)], wanted: "~x");

        Assert.Equal(["~x"], listing.Prefixes);
    }

    private static VolumeListing Of(params string[] names) =>
        VolumeListing.Of(names.Select(name => new StoredFile(name, 100)));
}
