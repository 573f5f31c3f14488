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

    [Theory]
    [InlineData("_")]
    [InlineData("copy_")]
    [InlineData(" ")]
    [InlineData("Backup of ")]
    public void A_mark_before_the_name_of_a_list_makes_no_second_backup(string mark)
    {
        Assert.Equal(["duplicati"], VolumeListing.Of(Files(Other, Block, mark + List)).Prefixes);
        VolumeSet alone = Of(Other, Block, mark + List);
        VolumeSet beside = Of(Other, Block, List, mark + List);

        Assert.Equal([Other, mark + List], alone.FileLists.Select(list => list.FileName));
        Assert.Equal(List, alone.Find(List) is { } list ? list.FileName[mark.Length..] : null);
        Assert.Equal([Other, List], beside.FileLists.Select(list => list.FileName));
        Assert.Equal([mark + List], beside.CopiesOf(List));
    }

    [Fact]
    public void A_backup_with_block_volumes_of_its_own_stays_a_second_one()
    {
        string[] names = [Other, Block, "my_" + List, $"my_duplicati-b{new string('a', 32)}.dblock.zip.aes"];

        Assert.Equal(["duplicati", "my_duplicati"], VolumeListing.Of(Files(names)).Prefixes);
    }

    private static IEnumerable<StoredFile> Files(params string[] names) =>
        names.Select(name => new StoredFile(name, 100));

    private static VolumeSet Of(params string[] names) => VolumeSet.Of(Files(names), "duplicati");
}
