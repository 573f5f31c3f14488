using FsCheck;
using FsCheck.Fluent;
using Restore.Format;

namespace Restore.Tests.Format;

public class VolumeNameTests
{
    [Fact]
    public void A_file_list_has_a_time()
    {
        Assert.True(VolumeName.TryParse("duplicati-20260102T030405Z.dlist.zip.aes", out VolumeName name));
        Assert.Equal(
            new VolumeName(
                "duplicati-20260102T030405Z.dlist.zip.aes",
                "duplicati",
                VolumeKind.FileList,
                "",
                new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero),
                ArchiveKind.Zip,
                EncryptionKind.Aes
            ),
            name
        );
    }

    [Theory]
    [InlineData(
        "duplicati-b4a81fccc479640248844221ef211b82f.dblock.zip",
        VolumeKind.Block,
        ArchiveKind.Zip,
        EncryptionKind.None
    )]
    [InlineData(
        "duplicati-ib4a81fccc479640248844221ef211b82f.dindex.tgz.gpg",
        VolumeKind.Index,
        ArchiveKind.TarGzip,
        EncryptionKind.Gpg
    )]
    [InlineData("other prefix-bAB.dblock.tzstd", VolumeKind.Block, ArchiveKind.TarZstd, EncryptionKind.None)]
    [InlineData("duplicati-i00.dblock.zip", VolumeKind.Block, ArchiveKind.Zip, EncryptionKind.None)]
    [InlineData("duplicati-|00_dindex.zip", VolumeKind.Index, ArchiveKind.Zip, EncryptionKind.None)]
    [InlineData("duplicati-b00.dblock.7z", VolumeKind.Block, ArchiveKind.Unknown, EncryptionKind.None)]
    internal void Volumes_are_recognised(
        string fileName,
        VolumeKind kind,
        ArchiveKind archive,
        EncryptionKind encryption
    )
    {
        Assert.True(VolumeName.TryParse(fileName, out VolumeName name));
        Assert.Equal((kind, archive, encryption, fileName), (name.Kind, name.Archive, name.Encryption, name.Name));
        Assert.Matches("^[0-9A-Fa-f]+$", name.Guid);
    }

    [Theory]
    [InlineData("")]
    [InlineData("manifest")]
    [InlineData("duplicati-verification.json")]
    [InlineData("duplicati-20261121T133049Z.dlist.zip.par2")]
    [InlineData("duplicati-b9f8da475daa54439bdc58a0ef0cc18bc.dblock.zip.vol000+01.par2")]
    [InlineData("duplicati-b00000000000000000000000000000001.dblock.zip.part")]
    [InlineData("duplicati-20990101T000000Z.dlist.zip.aes.tmp")]
    [InlineData("duplicati-20990101T000000Z.dlist.zip~")]
    [InlineData("duplicati-20991399T000000Z.dlist.zip")]
    [InlineData("duplicati-20990229T000000Z.dlist.zip")]
    [InlineData("duplicati-20990101T240000Z.dlist.zip")]
    [InlineData("duplicati-00000101T000000Z.dlist.zip")]
    [InlineData("duplicati-full-20990101T000000Z.dlist.zip")]
    [InlineData("-20990101T000000Z.dlist.zip")]
    [InlineData("../duplicati-20990101T000000Z.dlist.zip")]
    [InlineData("duplicati-20990101T000000Z.dlist.zip\n")]
    [InlineData("duplicati-b00.dlist.zip")]
    [InlineData("duplicati-20990101T000000Z.dblock.zip")]
    [InlineData("duplicati-٢٠٩٩٠١٠١T000000Z.dlist.zip")]
    public void A_name_that_is_not_a_volume_does_not_parse(string fileName)
    {
        Assert.False(VolumeName.TryParse(fileName, out VolumeName name));
        Assert.Equal(default, name);
    }

    [Fact]
    public void Written_names_parse_back()
    {
        Gen<(string Prefix, Guid Id, DateTimeOffset Time, ArchiveKind Archive, EncryptionKind Encryption)> cases =
            from prefix in Gen.Elements("duplicati", "a", "x y", "ü文", "b00.dblock")
            from id in ArbMap.Default.GeneratorFor<Guid>()
            from seconds in Gen.Choose(0, int.MaxValue)
            from archive in Gen.Elements(ArchiveKind.Zip, ArchiveKind.TarGzip, ArchiveKind.TarZstd)
            from encryption in Gen.Elements(EncryptionKind.None, EncryptionKind.Aes, EncryptionKind.Gpg)
            select (prefix, id, DateTimeOffset.FromUnixTimeSeconds(seconds), archive, encryption);
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                cases.ToArbitrary(),
                c =>
                {
                    string[] names =
                    [
                        VolumeName.FormatFileList(c.Prefix, c.Time, c.Archive, c.Encryption),
                        VolumeName.FormatIndex(c.Prefix, c.Id, c.Archive, c.Encryption),
                        VolumeName.FormatBlock(c.Prefix, c.Id, c.Archive, c.Encryption),
                    ];
                    string id = c.Id.ToString("N");
                    Assert.Equal(
                        [
                            new VolumeName(
                                names[0],
                                c.Prefix,
                                VolumeKind.FileList,
                                "",
                                c.Time,
                                c.Archive,
                                c.Encryption
                            ),
                            new VolumeName(names[1], c.Prefix, VolumeKind.Index, id, default, c.Archive, c.Encryption),
                            new VolumeName(names[2], c.Prefix, VolumeKind.Block, id, default, c.Archive, c.Encryption),
                        ],
                        names.Select(n => VolumeName.TryParse(n, out VolumeName parsed) ? parsed : default)
                    );
                }
            )
        );
    }

    [Fact]
    public void Every_volume_of_a_real_backup_parses()
    {
        foreach (string file in Directory.GetFiles(Fixtures.Backup("aes-100kb")).Select(f => Path.GetFileName(f)))
        {
            Assert.True(VolumeName.TryParse(file, out VolumeName name), file);
            Assert.Equal(EncryptionKind.Aes, name.Encryption);
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("a-b")]
    [InlineData("a/b")]
    public void A_prefix_that_could_not_be_read_back_is_refused(string prefix) =>
        Assert.Throws<ArgumentException>(() =>
            VolumeName.FormatBlock(prefix, Guid.Empty, ArchiveKind.Zip, EncryptionKind.None)
        );

    [Fact]
    public void A_name_of_a_megabyte_is_refused_at_once()
    {
        string digits = new('0', 1 << 20);
        long started = TimeProvider.System.GetTimestamp();
        Assert.False(VolumeName.TryParse("duplicati-b" + digits, out _));
        Assert.False(VolumeName.TryParse(digits, out _));
        Assert.False(VolumeName.TryParse("duplicati-b" + digits + ".dblock.zip." + digits, out _));
        Assert.True(TimeProvider.System.GetElapsedTime(started) < TimeSpan.FromSeconds(10));
    }
}
