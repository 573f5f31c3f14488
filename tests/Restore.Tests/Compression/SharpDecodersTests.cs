using System.Buffers.Binary;
using Restore.Compression;
using Restore.Compression.Zip;
using Restore.Format;

namespace Restore.Tests.Compression;

/// <summary>What decodes without any library of the system.</summary>
public class SharpDecodersTests
{
    [Theory]
    [InlineData("zip-ppmd")]
    [InlineData("zip-bzip2")]
    [InlineData("zip-lzma")]
    [InlineData("zip-zstd")]
    [InlineData("tzstd")]
    public void The_rare_methods_decode_without_a_library_of_the_system(string fixture) =>
        Volumes.CheckBackup(fixture, Volumes.Managed);

    [Theory]
    [InlineData("zip-ppmd")]
    [InlineData("zip-bzip2")]
    [InlineData("zip-lzma")]
    [InlineData("zip-zstd")]
    public void Damage_anywhere_is_found_with_a_result_of_the_contract(string fixture)
    {
        byte[] volume = File.ReadAllBytes(Directory.EnumerateFiles(Fixtures.Backup(fixture), "*.dblock.zip").First());
        HashSet<string> right = [.. Contents(volume)];
        Assert.NotEmpty(right);
        var random = new Random(1);
        int damagedEntries = 0;
        for (int run = 0; run < 100; run++)
        {
            byte[] damaged = [.. volume];
            damaged[random.Next(damaged.Length)] ^= (byte)random.Next(1, 256);
            List<string> sound = Contents(damaged);
            Assert.All(sound, content => Assert.Contains(content, right));
            damagedEntries += right.Count - sound.Distinct().Count();
        }

        Assert.True(damagedEntries > 0, "No damage hit an entry");
    }

    [Fact]
    public void A_ppmd_model_of_more_than_128_mebibytes_is_refused()
    {
        (byte[] volume, ArchiveEntry entry, int data) = FirstEntry("zip-ppmd");
        BinaryPrimitives.WriteUInt16LittleEndian(volume.AsSpan(data), (128 << 4) | 7);

        AssertRefused(volume, entry, "The header of the PPMd data is damaged, or asks for more than 128 MiB to decode");
    }

    [Fact]
    public void An_lzma_dictionary_of_more_than_128_mebibytes_is_refused()
    {
        (byte[] volume, ArchiveEntry entry, int data) = FirstEntry("zip-lzma");
        BinaryPrimitives.WriteUInt32LittleEndian(volume.AsSpan(data + 5), uint.MaxValue);

        AssertRefused(
            volume,
            entry with
            {
                Length = (128 << 20) + 1,
            },
            "The LZMA data needs more than 128 MiB to decode"
        );
    }

    /// <summary>The hashes of the contents that decode with the right CRC.</summary>
    private static List<string> Contents(byte[] volume) =>
        [
            .. Volumes
                .ReadWhateverIsThere(volume, Volumes.Managed)
                .Select(entry => Convert.ToHexString(Volumes.Hash(entry.Content, 32))),
        ];

    private static (byte[] Volume, ArchiveEntry Entry, int DataOffset) FirstEntry(string fixture)
    {
        byte[] volume = File.ReadAllBytes(Directory.EnumerateFiles(Fixtures.Backup(fixture), "*.dblock.zip").First());
        using Archive archive = Volumes.OpenZip(volume);
        Assert.True(archive.MoveNext(out ArchiveEntry entry));
        Assert.True(ZipLocalHeader.TryRead(volume.AsSpan((int)entry.DataOffset), out ZipLocalHeader header));
        return (volume, entry, (int)entry.DataOffset + header.LengthBytes);
    }

    private static void AssertRefused(byte[] volume, ArchiveEntry entry, string message)
    {
        using Archive archive = Volumes.OpenZip(volume);
        Assert.True(archive.MoveNext(out _));
        var refused = Assert.Throws<InvalidDataException>(() => archive.Open(entry, long.MaxValue).CopyTo(Stream.Null));
        Assert.Equal(message, refused.Message);
    }
}
