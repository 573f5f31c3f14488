using System.Text;
using Restore.Compression;
using Restore.Format;

namespace Restore.Tests.Compression;

public class RealVolumesTests
{
    public static TheoryData<string> PlainBackups =>
        [
            "plain-1mb",
            "blocklists-1kb",
            "hashes",
            "hashes-md5",
            "hashes-sha384",
            "many-small",
            "zip-stored",
            "zip-sharp-deflate",
            "zip-bzip2",
            "zip-lzma",
            "zip-zstd",
            "tgz",
            "tzstd",
            "hand-made",
        ];

    public static TheoryData<string> BackupsForManagedCode =>
        ["plain-1mb", "blocklists-1kb", "many-small", "zip-stored", "zip-sharp-deflate", "tgz"];

    [Theory]
    [MemberData(nameof(PlainBackups))]
    public void Every_entry_of_every_volume_decodes_and_every_block_is_what_its_name_says(string fixture) =>
        Volumes.CheckBackup(fixture, Volumes.Native);

    [Theory]
    [MemberData(nameof(BackupsForManagedCode))]
    public void The_same_without_any_library_of_the_system(string fixture) =>
        Volumes.CheckBackup(fixture, Volumes.Managed);

    [Theory]
    [MemberData(nameof(PlainBackups))]
    public void A_stream_over_an_entry_gives_what_decoding_gives(string fixture)
    {
        foreach (string path in Directory.EnumerateFiles(Fixtures.Backup(fixture), "*.dlist*"))
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
    public void A_volume_of_another_kind_is_refused_by_name()
    {
        var refused = Assert.Throws<UnsupportedMethodException>(() =>
            ArchiveReader.Open(ArchiveKind.Unknown, new byte[10], Volumes.Native)
        );
        Assert.Contains("7z", refused.Message, StringComparison.Ordinal);
    }
}
