using Restore.Volumes;

namespace Restore.Tests.Volumes;

/// <summary>
/// Which files of a folder may be volumes that are not there under their names, so that no block
/// counts as lost or not needed.
/// </summary>
public sealed class VolumeDoubtTests
{
    private const string Guid = "0123456789abcdef0123456789abcdef";
    private const string Other = "duplicati-20260202T000000Z.dlist.zip.aes";
    private const string List = "duplicati-20260101T000000Z.dlist.zip.aes";
    private const string Block = $"duplicati-b{Guid}.dblock.zip.aes";

    [Theory]
    [InlineData("." + List + ".icloud", IssueCode.VolumePlaceholder)]
    [InlineData(List + ".cloud", IssueCode.VolumePlaceholder)]
    [InlineData(List + ".txt", IssueCode.VolumeRenamed)]
    [InlineData(List + ".bak", IssueCode.VolumeRenamed)]
    [InlineData(List + ".old", IssueCode.VolumeRenamed)]
    [InlineData(List + ".aes", IssueCode.VolumeRenamed)]
    [InlineData(List + ".part", IssueCode.VolumeUnfinished)]
    [InlineData(List + "~", IssueCode.VolumeUnfinished)]
    [InlineData(".#" + List, IssueCode.VolumeUnfinished)]
    [InlineData("duplicati-20260101T000000Z.dlist", IssueCode.VolumeRenamed)]
    [InlineData("duplicati-20260101T000000Z.dlist.aes.zip", IssueCode.VolumeRenamed)]
    [InlineData("duplicati\u201320260101T000000Z.dlist.zip.aes", IssueCode.VolumeRenamed)]
    [InlineData("saved 20260101T000000Z.zip", IssueCode.VolumeRenamed)]
    [InlineData("old.dlist.zip", IssueCode.VolumeRenamed)]
    [InlineData(Block + ".txt", IssueCode.VolumeRenamed)]
    [InlineData("." + Block + ".icloud", IssueCode.VolumePlaceholder)]
    [InlineData($"duplicati-b{Guid}", IssueCode.VolumeRenamed)]
    [InlineData($"duplicati\u2013b{Guid}.zip.aes", IssueCode.VolumeRenamed)]
    [InlineData("part.dblock.zip.aes", IssueCode.VolumeRenamed)]
    public void A_file_that_may_be_a_volume_counts_while_the_volume_is_not_there(string name, IssueCode code)
    {
        VolumeDoubt doubt = Assert.Single(Of(Other, name).StandIns(_ => true));

        Assert.Equal((name, code), (doubt.FileName, doubt.Code));
    }

    [Theory]
    [InlineData("." + List + ".icloud")]
    [InlineData(List + ".txt")]
    [InlineData(List + ".part")]
    [InlineData("duplicati-20260101T000000Z.dlist")]
    [InlineData("saved 20260101T000000Z.zip")]
    [InlineData(Block + ".txt")]
    [InlineData($"duplicati\u2013b{Guid}.zip.aes")]
    public void It_does_not_count_beside_the_volume_itself(string name)
    {
        VolumeSet volumes = Of(Other, List, Block, name);

        Assert.Empty(volumes.StandIns(_ => true));
        Assert.Equal(name, Assert.Single(volumes.Strange).FileName);
    }

    [Theory]
    [InlineData("README.txt")]
    [InlineData(".DS_Store")]
    [InlineData("desktop.ini")]
    [InlineData("Thumbs.db")]
    [InlineData("restore.html")]
    [InlineData("duplicati-verification.json")]
    [InlineData("Duplicati-server.sqlite")]
    [InlineData("backup-2026-01-01.zip")]
    [InlineData("run-20260101T000000Z.log")]
    [InlineData("0123456789abcdef0123456789abcdef.md5")]
    [InlineData("._" + List)]
    [InlineData(List + ".par2")]
    [InlineData(Block + ".vol000+01.par2")]
    [InlineData("restore-lock.duplicati.20260101T000000Z.0123.host")]
    [InlineData("incomplete_duplicati=20260101T000000Z.dlist.zip.aes")]
    [InlineData("incomplete_restore=lock.duplicati.20260101T000000Z.0123.host")]
    public void An_ordinary_stranger_does_not_count(string name)
    {
        Assert.Empty(Of(Other, name).Strange);
    }

    [Fact]
    public void The_files_of_another_backup_in_the_folder_do_not_count()
    {
        string photos = "photos-20260303T000000Z.dlist.zip.aes";
        string renamed = "photos-20260404T000000Z.dlist.zip.aes.txt";

        Assert.Empty(Of(Other, photos, renamed).StandIns(_ => true));
        Assert.Single(VolumeSet.Of(Files(Other, photos, renamed), "photos").StandIns(_ => true));
    }

    [Fact]
    public void The_longest_prefix_owns_a_name()
    {
        string block = $"my_duplicati-b{new string('a', 32)}.dblock.zip.aes";
        string[] names = [Other, Block, "my_" + Other, block, $"my_{List}.icloud", $".my_{List}.txt"];

        Assert.Empty(Of(names).StandIns(_ => true));
        Assert.Equal(2, VolumeSet.Of(Files(names), "my_duplicati").StandIns(_ => true).Count());
    }

    [Theory]
    [InlineData("photos of duplicati-20260101T000000Z.dlist.zip.aes.txt")]
    [InlineData("photos-duplicati-20260101T000000Z.dlist.zip.aes.txt")]
    public void A_name_that_may_be_of_this_backup_counts_beside_another_one(string name)
    {
        Assert.Single(Of(Other, "photos-20260303T000000Z.dlist.zip.aes", name).StandIns(_ => true));
    }

    [Fact]
    public void Many_prefixes_and_odd_names_take_no_time_for_each_pair_of_them()
    {
        IEnumerable<string> lists = Enumerable.Range(0, 30_000).Select(i => $"p{i}-20260101T000000Z.dlist.zip.aes");
        IEnumerable<string> odd = Enumerable.Range(0, 30_000).Select(i => $"p{i}-20260202T000000Z.odd.dlist");

        Assert.Empty(Of([Other, .. lists, .. odd]).StandIns(_ => true));
    }

    [Theory]
    [InlineData("_")]
    [InlineData("copy_")]
    [InlineData(" ")]
    public void A_list_with_a_mark_before_its_name_is_a_copy_and_alone_it_only_stops_changes(string mark)
    {
        VolumeListing alone = VolumeListing.Of(Files(Other, Block, mark + List));
        VolumeListing beside = VolumeListing.Of(Files(Other, Block, List, mark + List));

        Assert.Equal(["duplicati"], alone.Prefixes);
        Assert.Equal([Other, Block], alone.Volumes.Select(volume => volume.Name.Name));
        Assert.Equal(IssueCode.VolumeRenamed, Assert.Single(alone.Issues).Code);
        Assert.Equal(mark + List, Assert.Single(alone.Strange("duplicati")).FileName);
        Assert.Equal(["duplicati"], beside.Prefixes);
        Assert.Equal([mark + List], beside.Copies[List]);
        Assert.Empty(beside.Strange("duplicati"));
    }

    [Fact]
    public void A_mark_joins_nothing_if_the_user_names_the_prefix_and_a_list_alone_stops_changes()
    {
        VolumeSet alone = Of(Other, Block, "_" + List);
        VolumeSet beside = Of(Other, Block, List, "_" + List);

        Assert.Equal([Other], alone.FileLists.Select(list => list.FileName));
        Assert.Equal("_" + List, Assert.Single(alone.StandIns(_ => true)).FileName);
        Assert.Empty(beside.CopiesOf(List));
        Assert.Empty(beside.StandIns(_ => true));
        VolumeSet named = VolumeSet.Of(Files(Other, Block, "_" + List), "_duplicati");
        Assert.Equal("_" + List, Assert.Single(named.FileLists).FileName);
        Assert.Empty(named.Strange);
    }

    [Theory]
    [InlineData("my_", "")]
    [InlineData("Backup of ", "")]
    [InlineData("my_", "i")]
    [InlineData("_", "i")]
    [InlineData("_", "b")]
    public void Another_backup_stays_one_though_it_has_lost_its_blocks(string start, string data)
    {
        string[] names = [Other, Block, List, start + List, start + Other];
        string index = $"{start}duplicati-i{new string('a', 32)}.dindex.zip.aes";
        string block = $"{start}duplicati-b{new string('b', 32)}.dblock.zip.aes";
        names =
            data == "i" ? [.. names, index]
            : data == "b" ? [.. names, block]
            : names;

        Assert.Equal(2, VolumeListing.Of(Files(names)).Prefixes.Count());
        Assert.Equal([Other, List], Of(names).FileLists.Select(list => list.FileName));
        Assert.Empty(Of(names).CopiesOf(List));
        Assert.Empty(Of(names).Strange);
    }

    [Fact]
    public void A_list_of_the_same_second_with_another_length_is_of_another_backup()
    {
        IEnumerable<StoredFile> files = [.. Files(Other, Block, List), new StoredFile("_" + List, 101)];

        Assert.Equal(["_duplicati", "duplicati"], VolumeListing.Of(files).Prefixes);
    }

    private static IEnumerable<StoredFile> Files(params string[] names) =>
        names.Select(name => new StoredFile(name, 100));

    private static VolumeSet Of(params string[] names) => VolumeSet.Of(Files(names), "duplicati");
}
