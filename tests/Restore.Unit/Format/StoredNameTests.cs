using Restore.Format;

namespace Restore.Tests.Format;

/// <summary>
/// What files in the folder of a backup are, under the names that stores, sync programs and users
/// give them.
/// </summary>
public sealed class StoredNameTests
{
    private const string Block = "duplicati-b0123456789abcdef0123456789abcdef.dblock.zip";
    private const string List = "duplicati-20260101T000000Z.dlist.zip.aes";

    [Theory]
    [InlineData(Block, StoredNameKind.Volume)]
    [InlineData("DUPLICATI-B0123456789ABCDEF0123456789ABCDEF.DBLOCK.ZIP", StoredNameKind.Volume)]
    [InlineData("duplicati-b0123456789abcdef0123456789abcdef.dblock.zip.AES", StoredNameKind.Volume)]
    [InlineData("duplicati-20260101t000000z.dlist.zip.aes", StoredNameKind.Volume)]
    [InlineData("my backup-20260101T000000Z.dlist.zip.aes", StoredNameKind.Volume)]
    [InlineData("duplicati-b0123456789abcdef0123456789abcdef.dblock (1).zip", StoredNameKind.Copy)]
    [InlineData("duplicati-b0123456789abcdef0123456789abcdef.dblock - Copy.zip", StoredNameKind.Copy)]
    [InlineData("duplicati-b0123456789abcdef0123456789abcdef.dblock.zip (1)", StoredNameKind.Copy)]
    [InlineData("duplicati-20260101T000000Z.dlist.zip (1).aes", StoredNameKind.Copy)]
    [InlineData("duplicati-20260101T000000Z.dlist.zip - Kopie.aes", StoredNameKind.Copy)]
    [InlineData(
        "duplicati-20260101T000000Z.dlist.zip (host.lan's conflicted copy 2026-01-02).aes",
        StoredNameKind.Copy
    )]
    [InlineData("duplicati-20260101T000000Z.dlist.zip.sync-conflict-20260102-101112-ABCDEFG.aes", StoredNameKind.Copy)]
    [InlineData("duplicati-20260101T000000Z.dlist.zip-LAPTOP.aes", StoredNameKind.Copy)]
    [InlineData("Copy of duplicati-20260101T000000Z.dlist.zip.aes", StoredNameKind.Copy)]
    [InlineData("Copy (2) of duplicati-20260101T000000Z.dlist.zip.aes", StoredNameKind.Copy)]
    [InlineData("Kopie von duplicati-20260101T000000Z.dlist.zip.aes", StoredNameKind.Copy)]
    [InlineData(Block + ".txt", StoredNameKind.Renamed)]
    [InlineData(List + ".bak", StoredNameKind.Renamed)]
    [InlineData(Block + ".cloud", StoredNameKind.Placeholder)]
    [InlineData("." + List + ".icloud", StoredNameKind.Placeholder)]
    [InlineData(Block + ".nextcloud", StoredNameKind.Placeholder)]
    [InlineData(Block + ".part", StoredNameKind.Unfinished)]
    [InlineData(Block + ".crdownload", StoredNameKind.Unfinished)]
    [InlineData(Block + ".tmp", StoredNameKind.Unfinished)]
    [InlineData("~" + Block, StoredNameKind.Unfinished)]
    [InlineData("~$" + List, StoredNameKind.Unfinished)]
    [InlineData("." + List + ".Ab12Cd", StoredNameKind.Unfinished)]
    [InlineData(".syncthing." + List + ".tmp", StoredNameKind.Unfinished)]
    [InlineData("._" + Block, StoredNameKind.ResourceFork)]
    [InlineData("notes.txt", StoredNameKind.Other)]
    [InlineData("duplicati-20261301T000000Z.dlist (1).zip", StoredNameKind.Other)]
    [InlineData("incomplete_duplicati=20260101T000000Z.dlist.zip", StoredNameKind.Other)]
    public void A_name_says_what_a_file_is(string name, object kind)
    {
        Assert.Equal((StoredNameKind)kind, StoredName.Read(name).Kind);
    }

    [Theory]
    [InlineData("duplicati-20260101T000000Z.dlist.zip (1).aes")]
    [InlineData("Copy of duplicati-20260101T000000Z.dlist.zip.aes")]
    [InlineData("." + List + ".icloud")]
    [InlineData("._" + List)]
    public void A_changed_name_has_the_name_that_it_had_before(string name)
    {
        Assert.Equal(List, StoredName.Read(name).Volume.Name);
    }

    [Fact]
    public void A_letter_that_only_looks_like_one_in_another_case_is_not_taken_for_it()
    {
        // The sign of Kelvin is a K in another case for a regular expression.
        Assert.Equal(StoredNameKind.Other, StoredName.Read("duplicati-b0123456789abcdef.dbloc\u212A.zip").Kind);
    }

    [Fact]
    public void A_name_made_to_be_slow_is_read_in_no_time()
    {
        string name = string.Concat(Enumerable.Repeat("a-b1", 50));
        foreach (int _ in Enumerable.Range(0, 2000))
        {
            Assert.Equal(StoredNameKind.Other, StoredName.Read(name).Kind);
        }
    }
}
