using System.Text;
using Restore.Compression;
using Restore.Format;

namespace Restore.Tests.Compression;

public class RealVolumesTests
{
    public static TheoryData<string> PlainBackups =>
    [
        "plain-1mb", "blocklists-1kb", "hashes", "hashes-md5", "hashes-sha384", "many-small", "zip-stored", "zip-sharp-deflate",
        "zip-bzip2", "zip-lzma", "zip-zstd", "tgz", "tzstd", "hand-made",
    ];

    public static TheoryData<string> BackupsForManagedCode =>
        ["plain-1mb", "blocklists-1kb", "many-small", "zip-stored", "zip-sharp-deflate", "tgz"];

    [Theory]
    [MemberData(nameof(PlainBackups))]
    public void Every_entry_of_every_volume_decodes_and_every_block_is_what_its_name_says(string fixture) => CheckBackup(fixture, Volumes.Native);

    [Theory]
    [MemberData(nameof(BackupsForManagedCode))]
    public void The_same_without_any_library_of_the_system(string fixture) => CheckBackup(fixture, Volumes.Managed);

    [Theory]
    [MemberData(nameof(PlainBackups))]
    public void A_stream_over_an_entry_gives_what_decoding_gives(string fixture)
    {
        foreach (string path in Directory.EnumerateFiles(Fixtures.Backup(fixture), "*.dlist.*"))
        {
            using Archive whole = Volumes.Open(path, Volumes.Native);
            List<(string Name, byte[] Content)> expected = Volumes.ReadAll(whole);

            using Archive streamed = Volumes.Open(path, Volumes.Native);
            foreach ((string name, byte[] content) in expected)
            {
                Assert.True(streamed.MoveNext(out ArchiveEntry entry));
                Assert.Equal(name, Encoding.UTF8.GetString(streamed.NameOf(entry)));
                using Stream stream = streamed.Open(entry, entry.Length);
                using var copy = new MemoryStream();
                stream.CopyTo(copy);
                Assert.Equal(content, copy.ToArray());
            }
        }
    }

    [Fact]
    public void Ppmd_is_refused_with_the_method_the_reason_and_the_switch()
    {
        Assert.SkipWhen(SwitchedDecoders.IsBuiltIn, "This build has the switch.");
        string path = Directory.EnumerateFiles(Fixtures.Backup("zip-ppmd"), "*.dlist.zip").First();
        using Archive archive = Volumes.Open(path, Volumes.Native);
        Assert.True(archive.MoveNext(out ArchiveEntry entry));

        var refused = Assert.Throws<UnsupportedMethodException>(() => archive.Decode(entry, new byte[entry.Length], checkCrc: true));
        Assert.Equal(
            "The volume uses the zip compression method PPMd (98), which cannot be decoded here. "
            + "No library of the system decodes it; use a build with -p:ZipLibrary=SharpCompress.",
            refused.Message);
        Assert.Throws<UnsupportedMethodException>(() => archive.Open(entry, long.MaxValue));
    }

    [Theory]
    [InlineData("zip-zstd", "ZStandard (93)", "libzstd", "libzstd1")]
    [InlineData("zip-bzip2", "BZip2 (12)", "libbz2", "libbz2-1.0")]
    [InlineData("zip-lzma", "LZMA (14)", "liblzma", "liblzma5")]
    public void A_missing_library_is_named_with_its_package_and_the_switch(string fixture, string method, string library, string package)
    {
        Assert.SkipWhen(SwitchedDecoders.IsBuiltIn, "This build has the switch.");
        string path = Directory.EnumerateFiles(Fixtures.Backup(fixture), "*.dlist.zip").First();
        using Archive archive = Volumes.Open(path, Volumes.Managed);
        Assert.True(archive.MoveNext(out ArchiveEntry entry));

        var refused = Assert.Throws<UnsupportedMethodException>(() => archive.Decode(entry, new byte[entry.Length], checkCrc: true));
        Assert.Equal(
            $"The volume uses the zip compression method {method}, which cannot be decoded here. "
            + $"Install the library {library} (Debian package {package}), or use a build with -p:ZipLibrary=SharpCompress.",
            refused.Message);
    }

    [Fact]
    public void A_tzstd_volume_without_libzstd_is_refused_by_name()
    {
        Assert.SkipWhen(SwitchedDecoders.IsBuiltIn, "This build has the switch.");
        var refused = Assert.Throws<UnsupportedMethodException>(() => ArchiveReader.Open(ArchiveKind.TarZstd, new byte[10], Volumes.Managed));
        Assert.Contains("libzstd1", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_volume_of_another_kind_is_refused_by_name()
    {
        var refused = Assert.Throws<UnsupportedMethodException>(() => ArchiveReader.Open(ArchiveKind.Unknown, new byte[10], Volumes.Native));
        Assert.Contains("7z", refused.Message, StringComparison.Ordinal);
    }

    private static void CheckBackup(string fixture, Codecs codecs)
    {
        int blocks = 0;
        foreach (string path in Directory.EnumerateFiles(Fixtures.Backup(fixture)).Where(path => Volumes.KindOf(path) != ArchiveKind.Unknown))
        {
            using Archive archive = Volumes.Open(path, codecs);
            List<(string Name, byte[] Content)> entries = Volumes.ReadAll(archive);
            Assert.False(archive.IsSalvaged, archive.SalvageReason);
            Assert.Contains(entries, entry => entry.Name == "manifest");
            Assert.DoesNotContain(entries, entry => entry.Name == ".eof-header");
            blocks += path.Contains(".dblock.", StringComparison.Ordinal) ? Volumes.CheckBlocks(entries) : 0;
        }

        Assert.True(blocks > 0, "The fixture has no blocks.");
    }
}
