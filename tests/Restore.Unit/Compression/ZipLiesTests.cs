using System.Buffers.Binary;
using System.Text.Json;
using Restore.Compression;

namespace Restore.Tests.Compression;

public class ZipLiesTests
{
    private const string Fixture = "hostile/zip-lies";

    /// <summary>
    /// The lies by their number in the fixture, with the error of each if the whole directory is
    /// refused.
    /// </summary>
    public static TheoryData<int, string> LyingDirectories =>
        new()
        {
            { 1, "The zip64 end record of the archive is not where its locator says" },
            { 2, "The directory of the zip archive has an entry outside the archive's data" },
            { 3, "The directory of the zip archive has an entry outside the archive's data" },
            { 4, "The directory of the zip archive has an entry outside the archive's data" },
            { 9, "The directory of the zip archive gives an uncompressed entry two lengths" },
            { 10, "The directory of the zip archive has entries that overlap" },
            { 12, "The end record of the zip archive gives 0 entries, which is impossible" },
            { 13, "The end record of the zip archive gives 65535 entries, which is impossible" },
            { 14, "The directory of the zip archive is not where its end record says" },
            { 15, "The directory of the zip archive is not where its end record says" },
            { 16, "The directory of the zip archive is not where its end record says" },
            { 17, "The zip archive has no end record; it is cut, or is not a zip archive" },
            { 18, "The zip archive has no end record; it is cut, or is not a zip archive" },
            { 19, "The directory of the zip archive is not where its end record says" },
            { 20, "The directory of the zip archive is not where its end record says" },
        };

    public static TheoryData<int, string> LyingEntries =>
        new()
        {
            {
                5,
                "The local header of the archive entry 'filelist.json' is not what the directory of the zip archive says"
            },
            {
                7,
                "The archive entry 'filelist.json' is damaged: it is longer than the 3 bytes that the archive claims"
            },
            { 8, "The archive entry 'filelist.json' is damaged: its CRC-32 is not the recorded one" },
        };

    [Theory]
    [MemberData(nameof(LyingDirectories))]
    public void A_lying_directory_is_not_used_and_the_entries_are_found_without_it(int version, string reason)
    {
        using Archive archive = OpenList(version);
        Assert.True(archive.IsSalvaged);
        Assert.Equal(reason, archive.SalvageReason);
        Assert.Equal(["manifest", "filelist.json"], Volumes.ReadAll(archive).Select(entry => entry.Name));
    }

    [Theory]
    [MemberData(nameof(LyingEntries))]
    public void An_entry_that_is_not_what_the_directory_says_is_damaged(int version, string reason)
    {
        using Archive archive = OpenList(version);
        ArchiveEntry entry = Find(archive, "filelist.json"u8);
        Assert.False(archive.IsSalvaged);
        Assert.NotEqual(DecodeResult.Decoded, archive.Decode(entry, new byte[entry.Length], checkCrc: true));
        var refused = Assert.Throws<InvalidDataException>(() => archive.Open(entry, long.MaxValue).CopyTo(Stream.Null));
        Assert.Equal(reason, refused.Message);
    }

    [Fact]
    public void An_unknown_method_is_refused_by_number()
    {
        using Archive archive = OpenList(11);
        ArchiveEntry entry = Find(archive, "filelist.json"u8);
        var refused = Assert.Throws<UnsupportedMethodException>(() => archive.Open(entry, long.MaxValue));
        Assert.StartsWith(
            "The volume uses the zip compression method number 97, which cannot be decoded; ",
            refused.Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void An_archive_is_read_as_what_its_first_bytes_say_whatever_the_name_says()
    {
        using Archive archive = OpenList(24);

        Assert.False(archive.IsRandomAccess);
    }

    [Fact]
    public void Data_that_is_not_a_zip_archive_is_refused()
    {
        var refused = Assert.Throws<InvalidDataException>(() => OpenList(25));
        Assert.Equal(
            "The zip archive has no end record; it is cut, or is not a zip archive; no entry could be found without its directory either",
            refused.Message
        );
    }

    [Theory]
    [InlineData(0, 3)]
    [InlineData(6, 3)]
    [InlineData(21, 602)]
    [InlineData(22, 0)]
    [InlineData(23, 1)]
    public void Archives_that_are_odd_only_in_what_they_contain_are_walked_as_they_are(int version, int entryCount)
    {
        using Archive archive = OpenList(version);
        Assert.Equal(entryCount, Volumes.ReadAll(archive).Count);
        Assert.False(archive.IsSalvaged);
    }

    [Fact]
    public void Every_lie_of_the_fixture_is_in_a_test_here()
    {
        IEnumerable<int> numbers = Fixtures
            .Info(Fixture)
            .GetProperty("versions")
            .EnumerateArray()
            .Select(version => version.GetProperty("index").GetInt32());
        IEnumerable<int> directories = LyingDirectories.Select(row => row.Data.Item1);
        IEnumerable<int> entries = LyingEntries.Select(row => row.Data.Item1);
        Assert.Equal(
            numbers.Order(),
            directories.Concat(entries).Concat([11, 24, 25]).Concat([0, 6, 21, 22, 23]).Order()
        );
    }

    [Fact]
    public void A_part_of_an_archive_in_several_parts_is_refused()
    {
        byte[] volume = new ZipBuilder().Add("manifest", [1]).Finish();
        volume[^18] = 1;
        using Archive archive = Volumes.OpenZip(volume);
        Assert.Equal("The zip archive is one part of several; such archives are not supported", archive.SalvageReason);
    }

    [Fact]
    public void A_directory_longer_than_its_entries_is_not_used()
    {
        byte[] volume = new ZipBuilder().Add("a", [1]).Add("b", [2]).Finish();
        BinaryPrimitives.WriteUInt16LittleEndian(volume.AsSpan(volume.Length - 14), 1);
        BinaryPrimitives.WriteUInt16LittleEndian(volume.AsSpan(volume.Length - 12), 1);
        using Archive archive = Volumes.OpenZip(volume);
        Assert.Equal("The directory of the zip archive is longer than its entries", archive.SalvageReason);
        Assert.Equal(2, Volumes.ReadAll(archive).Count);
    }

    [Fact]
    public void A_count_of_four_billion_costs_nothing()
    {
        byte[] volume = new ZipBuilder().Add("a", [1]).Finish(zip64: true);
        int record = volume.AsSpan().LastIndexOf("PK\x06\x06"u8);
        BinaryPrimitives.WriteInt64LittleEndian(volume.AsSpan(record + 24), uint.MaxValue);
        BinaryPrimitives.WriteInt64LittleEndian(volume.AsSpan(record + 32), uint.MaxValue);
        using Archive archive = Volumes.OpenZip(volume);
        Assert.Equal(
            "The end record of the zip archive gives 4294967295 entries, which is impossible",
            archive.SalvageReason
        );
    }

    private static Archive OpenList(int version)
    {
        JsonElement info = Fixtures.Info(Fixture).GetProperty("versions")[version];
        return Volumes.Open(
            Path.Combine(Fixtures.Backup(Fixture), info.GetProperty("dlist").GetString()!),
            Volumes.Native
        );
    }

    private static ArchiveEntry Find(Archive archive, ReadOnlySpan<byte> name)
    {
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            if (archive.NameOf(entry).SequenceEqual(name))
            {
                return entry;
            }
        }

        throw new InvalidOperationException("The archive has no such entry");
    }
}
