using System.IO.Compression;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Restore.Compression;
using Restore.Compression.Zip;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Compression;

public class ZipArchiveReaderTests
{
    public static TheoryData<bool> WithAndWithoutLibraries => [true, false];

    [Theory]
    [MemberData(nameof(WithAndWithoutLibraries))]
    public void Whatever_archive_dotnet_writes_is_read_back(bool useNativeLibraries) =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(60),
            Prop.ForAll<byte[][], bool, bool>(
                (contents, seekable, compressed) =>
                {
                    byte[] volume = Write(
                        contents,
                        seekable,
                        compressed ? CompressionLevel.Optimal : CompressionLevel.NoCompression
                    );
                    using Archive archive = Volumes.OpenZip(
                        volume,
                        useNativeLibraries ? Volumes.Native : Volumes.Managed
                    );
                    List<(string Name, byte[] Content)> entries = Volumes.ReadAll(archive);
                    return !archive.IsSalvaged
                        && entries.Select(entry => entry.Name).SequenceEqual(contents.Select((_, i) => NameOf(i)))
                        && entries.Zip(contents).All(pair => pair.First.Content.AsSpan().SequenceEqual(pair.Second));
                }
            )
        );

    [Fact]
    public void More_entries_than_the_old_end_record_can_count_are_read()
    {
        var builder = new ZipBuilder();
        for (int i = 0; i < 70_000; i++)
        {
            builder.Add(NameOf(i), BitConverter.GetBytes(i), stored: true);
        }

        using Archive archive = Volumes.OpenZip(builder.Finish(zip64: true));
        for (int i = 0; i < 70_000; i++)
        {
            Assert.True(archive.MoveNext(out ArchiveEntry entry));
            Assert.True(archive.TryGetStored(entry, out ReadOnlyMemory<byte> data));
            Assert.Equal(i, BitConverter.ToInt32(data.Span));
        }

        Assert.False(archive.MoveNext(out _));
        Assert.False(archive.IsSalvaged);
    }

    [Fact]
    [NeedsLinux]
    public void Walking_and_inflating_allocate_nothing()
    {
        byte[] volume = Write(
            [.. Enumerable.Range(0, 1000).Select(i => BitConverter.GetBytes(i))],
            seekable: true,
            CompressionLevel.Optimal
        );
        byte[] buffer = new byte[sizeof(int)];
        using Archive archive = Volumes.OpenZip(volume);
        Assert.True(archive.MoveNext(out ArchiveEntry first));
        Assert.Equal(DecodeResult.Decoded, archive.Decode(first, buffer, checkCrc: true));

        long before = GC.GetAllocatedBytesForCurrentThread();
        int sound = 1;
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            sound +=
                archive.NameOf(entry).Length > 0
                && archive.Decode(entry, buffer, checkCrc: true) == DecodeResult.Decoded
                    ? 1
                    : 0;
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(1000, sound);
    }

    [Theory]
    [MemberData(nameof(WithAndWithoutLibraries))]
    public void An_entry_of_nothing_deflated_to_nothing_is_sound(bool useNativeLibraries)
    {
        byte[] volume = new ZipBuilder().Add("empty", [], stored: true).Finish();
        volume[8] = volume[volume.AsSpan().IndexOf("PK\x01\x02"u8) + 10] = (byte)ZipMethod.Deflate;
        using Archive archive = Volumes.OpenZip(volume, useNativeLibraries ? Volumes.Native : Volumes.Managed);
        Assert.True(archive.MoveNext(out ArchiveEntry entry));
        Assert.Equal(ZipMethod.Deflate, entry.Method);
        Assert.Equal(DecodeResult.Decoded, archive.Decode(entry, [], checkCrc: true));
        using Stream stream = archive.Open(entry, 0);
        Assert.Equal(-1, stream.ReadByte());
    }

    [Fact]
    public void An_empty_archive_has_no_entries()
    {
        using Archive archive = Volumes.OpenZip(new ZipBuilder().Finish());
        Assert.False(archive.MoveNext(out _));
        Assert.False(archive.IsSalvaged);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(65_535)]
    public void A_comment_of_any_length_is_skipped(int length)
    {
        byte[] volume = new ZipBuilder().Add("manifest", [1, 2, 3]).Finish(comment: new string('c', length));
        using Archive archive = Volumes.OpenZip(volume);
        Assert.Single(Volumes.ReadAll(archive));
        Assert.False(archive.IsSalvaged);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Zip64_fields_and_end_records_are_read(bool zip64End)
    {
        byte[] content = Encoding.UTF8.GetBytes(new string('x', 5000));
        byte[] volume = new ZipBuilder()
            .Add("first", [9], stored: true, zip64: true)
            .Add("second", content, zip64: true)
            .Finish(zip64: zip64End);
        using Archive archive = Volumes.OpenZip(volume);
        List<(string Name, byte[] Content)> entries = Volumes.ReadAll(archive);
        Assert.False(archive.IsSalvaged, archive.SalvageReason);
        Assert.Equal(["first", "second"], entries.Select(entry => entry.Name));
        Assert.Equal(content, entries[1].Content);
    }

    [Theory]
    [InlineData(DescriptorKind.Signed)]
    [InlineData(DescriptorKind.Unsigned)]
    [InlineData(DescriptorKind.Signed64)]
    public void Entries_with_their_lengths_after_the_data_are_read(object kind)
    {
        var descriptor = (DescriptorKind)kind;
        byte[] volume = new ZipBuilder()
            .Add("a", [1, 2], descriptor: descriptor)
            .Add("b", [3], stored: true, descriptor: descriptor)
            .Finish();
        using Archive archive = Volumes.OpenZip(volume);
        Assert.Equal(
            [
                [1, 2],
                [3],
            ],
            Volumes.ReadAll(archive).Select(entry => entry.Content)
        );
        Assert.False(archive.IsSalvaged);
    }

    [Fact]
    public void A_stored_entry_is_available_without_a_copy_and_a_deflated_one_is_not()
    {
        byte[] volume = new ZipBuilder().Add("stored", [1, 2, 3], stored: true).Add("deflated", [1, 2, 3]).Finish();
        using Archive archive = Volumes.OpenZip(volume);
        Assert.True(archive.MoveNext(out ArchiveEntry stored));
        Assert.True(archive.TryGetStored(stored, out ReadOnlyMemory<byte> data));
        Assert.Equal([1, 2, 3], data.ToArray());
        Assert.True(archive.MoveNext(out ArchiveEntry deflated));
        Assert.False(archive.TryGetStored(deflated, out _));
    }

    [Fact]
    public void Entries_decode_in_any_order_and_again()
    {
        byte[] volume = new ZipBuilder().Add("a", [1]).Add("b", [2]).Finish();
        using Archive archive = Volumes.OpenZip(volume);
        Assert.True(archive.IsRandomAccess);
        Assert.True(archive.MoveNext(out ArchiveEntry a));
        Assert.True(archive.MoveNext(out ArchiveEntry b));
        byte[] content = new byte[1];
        foreach ((ArchiveEntry entry, byte expected) in new[] { (b, (byte)2), (a, (byte)1), (b, (byte)2) })
        {
            Assert.Equal(DecodeResult.Decoded, archive.Decode(entry, content, checkCrc: true));
            Assert.Equal(expected, content[0]);
        }
    }

    [Fact]
    public void An_entry_encrypted_by_zip_is_refused_by_name()
    {
        using Archive archive = Volumes.OpenZip(
            new ZipBuilder().Add("secret\u0007", [1, 2, 3], encrypted: true).Finish()
        );
        Assert.True(archive.MoveNext(out ArchiveEntry entry));
        var refused = Assert.Throws<UnsupportedMethodException>(() =>
            archive.Decode(entry, new byte[3], checkCrc: false)
        );
        Assert.Equal(
            "The archive entry 'secret?' is encrypted by the zip format itself; "
                + "Duplicati encrypts whole volumes and never writes such entries; they are not read",
            refused.Message
        );
    }

    [Fact]
    public void A_stream_refuses_an_entry_longer_than_the_limit_of_its_reader()
    {
        using Archive archive = Volumes.OpenZip(new ZipBuilder().Add("filelist.json", new byte[101]).Finish());
        Assert.True(archive.MoveNext(out ArchiveEntry entry));
        var refused = Assert.Throws<InvalidDataException>(() => archive.Open(entry, 100));
        Assert.Equal(
            "The archive entry 'filelist.json' claims to have 101 bytes; at most 100 are read",
            refused.Message
        );
    }

    [Fact]
    public void A_wrong_crc_is_reported_before_the_last_byte_is_returned_and_again_after_it()
    {
        byte[] volume = new ZipBuilder().Add("manifest", [1, 2, 3], stored: true).Finish();
        volume[14] ^= 1;
        int central = volume.AsSpan().IndexOf("PK\x01\x02"u8);
        volume[central + 16] ^= 1;
        using Archive archive = Volumes.OpenZip(volume);
        Assert.True(archive.MoveNext(out ArchiveEntry entry));
        Assert.Equal(DecodeResult.CrcMismatch, archive.Decode(entry, new byte[3], checkCrc: true));
        Assert.Equal(DecodeResult.Decoded, archive.Decode(entry, new byte[3], checkCrc: false));

        using Stream stream = archive.Open(entry, 3);
        byte[] buffer = new byte[2];
        Assert.Equal(2, stream.Read(buffer));
        var reported = Assert.Throws<InvalidDataException>(() => stream.Read(buffer));
        Assert.Equal("The archive entry 'manifest' is damaged: its CRC-32 is not the recorded one", reported.Message);
        Assert.Throws<InvalidDataException>(() => stream.Read(buffer));
    }

    private static string NameOf(int index) => $"entry-{index:D6}";

    private static byte[] Write(byte[][] contents, bool seekable, CompressionLevel level)
    {
        using var target = new MemoryStream();
        using (
            var archive = new ZipArchive(
                seekable ? target : new ForwardWriteStream(target),
                ZipArchiveMode.Create,
                leaveOpen: true
            )
        )
        {
            for (int i = 0; i < contents.Length; i++)
            {
                using Stream entry = archive.CreateEntry(NameOf(i), level).Open();
                entry.Write(contents[i]);
            }
        }

        return target.ToArray();
    }

    /// <summary>
    /// A stream that cannot seek, so that the writer must put the lengths after the data.
    /// </summary>
    private sealed class ForwardWriteStream(Stream target) : Stream
    {
        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override void Flush() => target.Flush();

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => target.Write(buffer, offset, count);
    }
}
