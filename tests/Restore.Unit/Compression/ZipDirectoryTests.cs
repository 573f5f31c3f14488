using Restore.Compression;
using Restore.Compression.Methods;
using Restore.Compression.Zip;

namespace Restore.Tests.Compression;

/// <summary>The directory without the archive, as for a volume that is read in ranges.</summary>
public class ZipDirectoryTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_tail_is_enough_or_asks_for_more_and_never_says_anything_else(bool zip64)
    {
        byte[] volume = new ZipBuilder()
            .AddRaw([])
            .Add("manifest", new byte[500], stored: true)
            .Finish(zip64, comment: "made for a test");
        ZipDirectoryLocation whole = ZipDirectory.Locate(volume, volume.Length)!.Value;
        for (int length = 0; length < volume.Length; length++)
        {
            ZipDirectoryLocation? found = ZipDirectory.Locate(volume.AsSpan(^length..), volume.Length);
            Assert.True(found is null || found == whole);
        }

        Assert.NotNull(ZipDirectory.Locate(volume.AsSpan(^200..), volume.Length));
    }

    [Fact]
    public void A_tail_of_the_greatest_length_is_always_enough()
    {
        byte[] volume = new ZipBuilder()
            .Add("a", new byte[100_000], stored: true)
            .Finish(zip64: true, comment: new string(' ', 65_535));
        Assert.NotNull(ZipDirectory.Locate(volume.AsSpan(^ZipDirectory.MaxTailBytes..), volume.Length));
        Assert.Throws<InvalidDataException>(() => ZipDirectory.Locate(new byte[ZipDirectory.MaxTailBytes], 1L << 40));
    }

    [Fact]
    public void An_entry_is_found_by_its_directory_alone_and_decoded_from_its_range_alone()
    {
        byte[] content = [.. Enumerable.Range(0, 10_000).Select(i => (byte)(i % 7))];
        byte[] volume = new ZipBuilder().Add("other", [1]).Add("wanted", content).Finish(zip64: true);
        ZipDirectoryLocation location = ZipDirectory.Locate(volume, volume.Length)!.Value;
        byte[] directory = volume.AsSpan((int)location.OffsetBytes, (int)location.LengthBytes).ToArray();

        var reader = new ZipDirectoryReader(location);
        Assert.True(reader.MoveNext(directory, out _));
        Assert.True(reader.MoveNext(directory, out ArchiveEntry entry));
        Assert.Equal("wanted"u8, directory.AsSpan(entry.NameOffset, entry.NameLength));
        Assert.False(reader.MoveNext(directory, out _));

        ReadOnlyMemory<byte> range = volume.AsMemory((int)entry.DataOffset);
        Assert.True(ZipLocalHeader.TryRead(range.Span, out ZipLocalHeader header));
        Assert.True(header.BelongsTo(range.Span, entry.Method, "wanted"u8));
        using var decoders = new EntryDecoders(Volumes.Native);
        byte[] decoded = new byte[entry.Length];
        ReadOnlyMemory<byte> data = range.Slice(header.LengthBytes, (int)entry.CompressedLength);
        Assert.Equal(DecodeResult.Decoded, decoders.Decode(entry, data, decoded, checkCrc: true));
        Assert.Equal(content, decoded);
    }
}
