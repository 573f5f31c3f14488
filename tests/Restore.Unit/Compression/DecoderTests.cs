using System.Buffers.Binary;
using System.Text;
using Restore.Compression;
using Restore.Compression.Methods;
using Restore.Compression.Zip;
using Restore.Interop;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Compression;

public class DecoderTests
{
    [Fact]
    [NeedsLinux]
    public void The_description_names_what_decodes_each_method()
    {
        Assert.Matches(
            "Deflate by libdeflate, BZip2 by SharpCompress, LZMA by SharpCompress, ZStandard by libzstd [0-9.]+, PPMd by SharpCompress",
            Volumes.Native.Description
        );
        Assert.Equal(
            "Deflate by .NET, BZip2 by SharpCompress, LZMA by SharpCompress, ZStandard by SharpCompress, PPMd by SharpCompress",
            Volumes.Managed.Description
        );
    }

    [Fact]
    public void A_library_that_is_not_there_is_not_an_error() =>
        Assert.Null(NativeLibraryFinder.TryLoad<string>(["libno-such-library.so.77"], _ => "loaded"));

    [Fact]
    public void A_library_that_lacks_a_function_is_not_used() =>
        Assert.Null(
            NativeLibraryFinder.TryLoad<string>(
                ["libzstd.so.1", "libz.so.1"],
                _ => throw new EntryPointNotFoundException()
            )
        );

    [Theory]
    [InlineData("zip-zstd")]
    [InlineData("zip-bzip2")]
    [InlineData("zip-lzma")]
    [InlineData("zip-ppmd")]
    [InlineData("plain-1mb")]
    public void A_result_of_another_length_than_the_data_has_is_damage(string fixture)
    {
        using Archive archive = OpenAny(fixture);
        using var decoders = new EntryDecoders(Volumes.Native);
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            foreach (int difference in new[] { -1, 1, 1000 })
            {
                ArchiveEntry lying = entry with { Length = entry.Length + difference };
                Assert.Equal(DecodeResult.Damaged, archive.Decode(lying, new byte[lying.Length], checkCrc: false));
            }
        }
    }

    [Fact]
    public void A_destination_of_another_length_than_the_entry_is_damage()
    {
        using Archive archive = Volumes.OpenZip(new ZipBuilder().Add("a", [1, 2, 3], stored: true).Finish());
        Assert.True(archive.MoveNext(out ArchiveEntry entry));
        Assert.Equal(DecodeResult.Damaged, archive.Decode(entry, new byte[2], checkCrc: false));
        Assert.Equal(DecodeResult.Damaged, archive.Decode(entry, new byte[4], checkCrc: false));
    }

    [Fact]
    public void An_lzma_dictionary_of_four_gibibytes_is_cut_to_the_length_of_the_data()
    {
        byte[] volume = File.ReadAllBytes(
            Directory.EnumerateFiles(Fixtures.Backup("zip-lzma"), "*.dblock.zip").First()
        );
        using Archive archive = Volumes.OpenZip(volume);
        Assert.True(archive.MoveNext(out ArchiveEntry entry));
        Assert.True(ZipLocalHeader.TryRead(volume.AsSpan((int)entry.DataOffset), out ZipLocalHeader header));
        BinaryPrimitives.WriteUInt32LittleEndian(
            volume.AsSpan((int)entry.DataOffset + header.LengthBytes + 5),
            uint.MaxValue
        );
        Assert.Equal(DecodeResult.Decoded, archive.Decode(entry, new byte[entry.Length], checkCrc: true));
    }

    [Fact]
    public void A_zstandard_window_above_128_mebibytes_is_refused_when_it_is_streamed()
    {
        // A frame with a window of 2 GiB and one last block of one raw byte.
        byte[] frame = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xA8, 0x09, 0x00, 0x00, (byte)'x'];
        byte[] modest = [.. frame];
        modest[5] = 0x50;
        Assert.All(
            [Volumes.Native, Volumes.Managed],
            codecs =>
            {
                using IEntryDecoder decoder = codecs.CreateDecoder(CompressionMethods.Zstandard.Id);
                using Stream refused = decoder.Open(frame, 1);
                Assert.Throws<InvalidDataException>(() => refused.ReadByte());

                using Stream read = decoder.Open(modest, 1);
                Assert.Equal('x', read.ReadByte());
                Assert.Equal(-1, read.ReadByte());
            }
        );
    }

    [Theory]
    [InlineData("zip-zstd")]
    [InlineData("zip-bzip2")]
    [InlineData("zip-lzma")]
    [InlineData("zip-ppmd")]
    [InlineData("tzstd")]
    public async Task Reading_asynchronously_and_byte_by_byte_is_the_same(string fixture)
    {
        using Archive archive = OpenAny(fixture);
        Assert.True(archive.MoveNext(out ArchiveEntry entry));
        using var asynchronous = new MemoryStream();
        using (Stream stream = archive.Open(entry, entry.Length))
        {
            await stream.CopyToAsync(asynchronous, TestContext.Current.CancellationToken);
        }

        using Archive again = OpenAny(fixture);
        Assert.True(again.MoveNext(out entry));
        var text = new StringBuilder();
        using (Stream stream = again.Open(entry, entry.Length))
        {
            for (int value; (value = stream.ReadByte()) >= 0; )
            {
                text.Append((char)value);
            }
        }

        Assert.Equal(text.ToString(), Encoding.Latin1.GetString(asynchronous.ToArray()));
    }

    private static Archive OpenAny(string fixture) =>
        Volumes.Open(Directory.EnumerateFiles(Fixtures.Backup(fixture), "*.dblock*").First(), Volumes.Native);
}
