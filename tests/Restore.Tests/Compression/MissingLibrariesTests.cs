#if !SHARPCOMPRESS
using Restore.Compression;
using Restore.Format;

namespace Restore.Tests.Compression;

/// <summary>What a build without the switch says of the methods that it cannot decode.</summary>
public class MissingLibrariesTests
{
    [Fact]
    public void Ppmd_is_refused_with_the_method_the_reason_and_the_switch()
    {
        string path = Directory.EnumerateFiles(Fixtures.Backup("zip-ppmd"), "*.dlist.zip").First();
        using Archive archive = Volumes.Open(path, Volumes.Native);
        Assert.True(archive.MoveNext(out ArchiveEntry entry));

        var refused = Assert.Throws<UnsupportedMethodException>(() => archive.Decode(entry, new byte[entry.Length], checkCrc: true));
        Assert.Equal(
            "The volume uses the zip compression method PPMd (98), which cannot be decoded here; "
            + "no library of the system decodes it, a build with -p:ZipLibrary=SharpCompress does",
            refused.Message);
        Assert.Throws<UnsupportedMethodException>(() => archive.Open(entry, long.MaxValue));
    }

    [Theory]
    [InlineData("zip-zstd", "ZStandard (93)", "libzstd", "libzstd1")]
    [InlineData("zip-bzip2", "BZip2 (12)", "libbz2", "libbz2-1.0")]
    [InlineData("zip-lzma", "LZMA (14)", "liblzma", "liblzma5")]
    public void A_missing_library_is_named_with_its_package_and_the_switch(string fixture, string method, string library, string package)
    {
        string path = Directory.EnumerateFiles(Fixtures.Backup(fixture), "*.dlist.zip").First();
        using Archive archive = Volumes.Open(path, Volumes.Managed);
        Assert.True(archive.MoveNext(out ArchiveEntry entry));

        var refused = Assert.Throws<UnsupportedMethodException>(() => archive.Decode(entry, new byte[entry.Length], checkCrc: true));
        Assert.Equal(
            $"The volume uses the zip compression method {method}, which cannot be decoded here; "
            + $"the library {library} (Debian package {package}) or a build with -p:ZipLibrary=SharpCompress decodes it",
            refused.Message);
    }

    [Fact]
    public void A_tzstd_volume_without_libzstd_is_refused_by_name()
    {
        var refused = Assert.Throws<UnsupportedMethodException>(() => ArchiveReader.Open(ArchiveKind.TarZstd, new byte[10], Volumes.Managed));
        Assert.Contains("libzstd1", refused.Message, StringComparison.Ordinal);
    }
}
#endif
