using System.Formats.Tar;
using System.IO.Compression;
using System.Text;
using Restore.Compression;
using Restore.Format;

namespace Restore.Tests.Compression;

public class TarArchiveReaderTests
{
    [Fact]
    public void An_archive_that_dotnet_writes_is_read_back()
    {
        byte[][] contents =
        [
            [],
            [1],
            new byte[511],
            new byte[512],
            new byte[513],
            new byte[100_000],
        ];
        using Archive archive = Open(Gzip(Tar(contents)));
        List<(string Name, byte[] Content)> entries = Volumes.ReadAll(archive);
        Assert.False(archive.IsRandomAccess);
        Assert.Equal(contents.Select((_, i) => NameOf(i)), entries.Select(entry => entry.Name));
        Assert.All(contents.Zip(entries), pair => Assert.Equal(pair.First, pair.Second.Content));
    }

    [Fact]
    public void Entries_that_are_not_decoded_are_skipped()
    {
        using Archive archive = Open(Gzip(Tar([new byte[70_000], [7], new byte[70_000], [8]])));
        Assert.True(archive.MoveNext(out _));
        Assert.True(archive.MoveNext(out ArchiveEntry second));
        byte[] content = new byte[1];
        Assert.Equal(DecodeResult.Decoded, archive.Decode(second, content, checkCrc: false));
        Assert.Equal(7, content[0]);
        Assert.True(archive.MoveNext(out ArchiveEntry third));
        using (Stream partly = archive.Open(third, third.Length))
        {
            Assert.Equal(10, partly.Read(new byte[10]));
        }

        Assert.True(archive.MoveNext(out ArchiveEntry fourth));
        Assert.Equal(DecodeResult.Decoded, archive.Decode(fourth, content, checkCrc: false));
        Assert.Equal(8, content[0]);
        Assert.False(archive.MoveNext(out _));
        Assert.False(archive.MoveNext(out _));
    }

    [Fact]
    public void An_entry_can_be_read_once_and_only_while_it_is_the_current_one()
    {
        using Archive archive = Open(
            Gzip(
                Tar([
                    [1],
                    [2],
                ])
            )
        );
        Assert.True(archive.MoveNext(out ArchiveEntry first));
        archive.Decode(first, new byte[1], checkCrc: false);
        Assert.Throws<InvalidOperationException>(() => archive.Decode(first, new byte[1], checkCrc: false));
        Assert.True(archive.MoveNext(out _));
        Assert.Throws<InvalidOperationException>(() => archive.Open(first, 1));
    }

    [Theory]
    [InlineData("tgz")]
    [InlineData("tzstd")]
    public void A_volume_cut_anywhere_gives_the_entries_before_the_cut_and_then_the_damage(string fixture)
    {
        foreach (string path in Directory.EnumerateFiles(Fixtures.Backup(fixture), "*.dblock*"))
        {
            byte[] volume = File.ReadAllBytes(path);
            using Archive whole = Volumes.Open(path, Volumes.Native);
            List<(string Name, byte[] Content)> expected = Volumes.ReadAll(whole);
            for (int length = 0; length < volume.Length; length += 499)
            {
                List<(string Name, byte[] Content)> found = ReadUntilDamage(volume[..length], Volumes.KindOf(path));
                Assert.True(found.Count <= expected.Count);
                Assert.All(found.Zip(expected), pair => Assert.Equal(pair.Second.Content, pair.First.Content));
            }
        }
    }

    [Fact]
    public void A_cut_between_two_entries_is_noticed()
    {
        byte[] tar = Tar([
            [1],
            [2],
        ]);
        using Archive archive = Open(Gzip(tar[..1024]));
        Assert.True(archive.MoveNext(out _));
        var reported = Assert.Throws<InvalidDataException>(() => archive.MoveNext(out _));
        Assert.Equal("The tar archive is cut off", reported.Message);
        Assert.Throws<InvalidDataException>(() => archive.MoveNext(out _));
    }

    [Fact]
    public void A_header_with_a_wrong_checksum_is_refused()
    {
        byte[] tar = Tar([
            [1],
            [2],
        ]);
        tar[1024] ^= 1;
        using Archive archive = Open(Gzip(tar));
        Assert.True(archive.MoveNext(out _));
        var reported = Assert.Throws<InvalidDataException>(() => archive.MoveNext(out _));
        Assert.Equal("The tar archive has a damaged header", reported.Message);
    }

    [Theory]
    [InlineData("77777777777\0")]
    [InlineData("-0000000001\0")]
    [InlineData("0000000000x\0")]
    [InlineData("           \0")]
    public void A_length_that_cannot_be_is_refused(string length)
    {
        byte[] tar = Tar([
            [1],
        ]);
        Encoding.ASCII.GetBytes(length).CopyTo(tar, 124);
        FixChecksum(tar);
        using Archive archive = Open(Gzip(tar));
        Assert.Throws<InvalidDataException>(() => archive.MoveNext(out _));
    }

    [Fact]
    public void A_length_in_binary_is_read()
    {
        byte[] tar = Tar([
            [1, 2, 3],
        ]);
        new byte[] { 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3 }.CopyTo(tar, 124);
        FixChecksum(tar);
        using Archive archive = Open(Gzip(tar));
        Assert.Equal([1, 2, 3], Volumes.ReadAll(archive)[0].Content);
    }

    [Fact]
    public void A_wrong_checksum_of_the_whole_stream_is_reported_at_the_end()
    {
        byte[] volume = Gzip(
            Tar([
                [1],
            ])
        );
        volume[^8] ^= 1;
        using Archive archive = Open(volume);
        var reported = Assert.Throws<InvalidDataException>(() => Volumes.ReadAll(archive));
        Assert.Equal("The tar archive does not decompress", reported.Message);
    }

    [Fact]
    public void A_stream_over_an_entry_that_is_cut_says_so_by_name()
    {
        using Archive archive = Open(Gzip(Tar([new byte[2000]])[..1000]));
        Assert.True(archive.MoveNext(out ArchiveEntry entry));
        using Stream stream = archive.Open(entry, entry.Length);
        var reported = Assert.Throws<InvalidDataException>(() => stream.CopyTo(Stream.Null));
        Assert.Equal("The archive entry 'entry-0' is damaged: it ends after 488 of 2000 bytes", reported.Message);
    }

    [Fact]
    public void Zeros_without_end_after_the_archive_are_not_read_to_their_end()
    {
        using Archive archive = Open(
            Gzip([
                .. Tar([
                    [1],
                ]),
                .. new byte[64 << 20],
            ])
        );
        Assert.True(archive.MoveNext(out _));
        var reported = Assert.Throws<InvalidDataException>(() => archive.MoveNext(out _));
        Assert.Equal("The tar archive continues after its end", reported.Message);
    }

    private static Archive Open(byte[] volume) => ArchiveReader.Open(ArchiveKind.TarGzip, volume, Volumes.Native);

    private static string NameOf(int index) => $"entry-{index}";

    private static List<(string Name, byte[] Content)> ReadUntilDamage(byte[] volume, ArchiveKind kind)
    {
        var found = new List<(string, byte[])>();
        using Archive archive = ArchiveReader.Open(kind, volume, Volumes.Native);
        Assert.Throws<InvalidDataException>(() =>
        {
            while (archive.MoveNext(out ArchiveEntry entry))
            {
                byte[] content = new byte[entry.Length];
                if (archive.Decode(entry, content, checkCrc: true) == DecodeResult.Decoded)
                {
                    found.Add((Encoding.UTF8.GetString(archive.NameOf(entry)), content));
                }
            }
        });
        return found;
    }

    private static byte[] Tar(byte[][] contents)
    {
        using var target = new MemoryStream();
        using (var writer = new TarWriter(target, TarEntryFormat.Ustar, leaveOpen: true))
        {
            for (int i = 0; i < contents.Length; i++)
            {
                using var content = new MemoryStream(contents[i]);
                writer.WriteEntry(new UstarTarEntry(TarEntryType.RegularFile, NameOf(i)) { DataStream = content });
            }
        }

        return target.ToArray();
    }

    private static byte[] Gzip(byte[] content)
    {
        using var target = new MemoryStream();
        using (var gzip = new GZipStream(target, CompressionLevel.Fastest, leaveOpen: true))
        {
            gzip.Write(content);
        }

        return target.ToArray();
    }

    private static void FixChecksum(byte[] tar)
    {
        tar.AsSpan(148, 8).Fill((byte)' ');
        int sum = tar.Take(512).Sum(value => value);
        Encoding.ASCII.GetBytes(Convert.ToString(sum, 8).PadLeft(6, '0') + "\0 ").CopyTo(tar, 148);
    }
}
