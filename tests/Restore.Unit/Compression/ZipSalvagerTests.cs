using System.Security.Cryptography;
using FsCheck;
using FsCheck.Fluent;
using Restore.Compression;
using Restore.Compression.Zip;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Compression;

public class ZipSalvagerTests
{
    [Theory]
    [InlineData("damaged/dblock-directory-lost-plain", 0, 0)]
    [InlineData("damaged/dblock-truncated-plain", 1, 60)]
    [InlineData("damaged/dblock-flipped-byte-plain", 1, 1)]
    public void Every_block_outside_the_damage_comes_back(string fixture, int leastLost, int mostLost)
    {
        Dictionary<string, byte[]> sound = BlocksOf("damaged/base-plain");
        Dictionary<string, byte[]> found = BlocksOf(fixture);
        Assert.All(found, block => Assert.Equal(sound[block.Key], block.Value));
        int lost = sound.Count - found.Count;
        Assert.InRange(lost, leastLost, mostLost);
    }

    [Theory]
    [FixtureData("plain-1mb", "many-small", "zip-stored", "zip-sharp-deflate", "zip-bzip2", "zip-lzma", "zip-zstd")]
    public void With_the_directory_overwritten_every_entry_is_still_found(string fixture)
    {
        foreach (string path in Directory.EnumerateFiles(Fixtures.Backup(fixture)))
        {
            using Archive whole = Volumes.Open(path, Volumes.Native);
            List<(string Name, byte[] Content)> expected = Volumes.ReadAll(whole);
            using Archive salvaged = Volumes.OpenZip(WithoutDirectory(File.ReadAllBytes(path)));
            Assert.True(salvaged.IsSalvaged);
            List<(string Name, byte[] Content)> found = Volumes.ReadAll(salvaged);
            Assert.Equal(expected.Select(entry => entry.Name), found.Select(entry => entry.Name));
            Assert.All(expected.Zip(found), pair => Assert.Equal(pair.First.Content, pair.Second.Content));
        }
    }

    [Theory]
    [InlineData(DescriptorKind.None)]
    [InlineData(DescriptorKind.Signed)]
    [InlineData(DescriptorKind.Unsigned)]
    [InlineData(DescriptorKind.Signed64)]
    public void Any_sound_archive_gives_the_same_entries_without_its_directory(object kind) =>
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll<byte[][], bool>(
                (contents, stored) =>
                {
                    var builder = new ZipBuilder();
                    for (int i = 0; i < contents.Length; i++)
                    {
                        builder.Add($"entry-{i}", contents[i], stored, (DescriptorKind)kind);
                    }

                    List<(string Name, byte[] Content)> found = Volumes.ReadWhateverIsThere(
                        builder.WithoutDirectory,
                        Volumes.Native
                    );
                    return found.Count == contents.Length
                        && found.Zip(contents).All(pair => pair.First.Content.AsSpan().SequenceEqual(pair.Second));
                }
            )
        );

    [Fact]
    public void A_stored_zip_archive_inside_an_entry_is_not_taken_for_entries_of_the_volume()
    {
        byte[] inner = new ZipBuilder()
            .Add("inner", [1, 2, 3], stored: true, DescriptorKind.Signed)
            .Add("more", [4])
            .Finish();
        foreach (DescriptorKind kind in Enum.GetValues<DescriptorKind>().Except([DescriptorKind.Unsigned]))
        {
            var builder = new ZipBuilder().Add("outer", inner, stored: true, kind).Add("next", [5]);
            string[] names =
            [
                .. Volumes.ReadWhateverIsThere(builder.WithoutDirectory, Volumes.Native).Select(entry => entry.Name),
            ];
            Assert.Equal(["outer", "next"], names);
        }
    }

    [Fact]
    public void Damage_in_the_middle_costs_only_the_entries_it_touches()
    {
        var builder = new ZipBuilder();
        int[] starts = new int[10];
        for (int i = 0; i < starts.Length; i++)
        {
            starts[i] = builder.Position;
            builder.Add($"entry-{i}", RandomNumberGenerator.GetBytes(1000));
        }

        byte[] volume = builder.WithoutDirectory;
        volume.AsSpan(starts[3] - 20, 200).Clear();
        volume.AsSpan(starts[7] + 18, 4).Fill(0x7F);

        string[] names = [.. Volumes.ReadWhateverIsThere(volume, Volumes.Native).Select(entry => entry.Name)];
        Assert.Equal(["entry-0", "entry-1", "entry-4", "entry-5", "entry-6", "entry-7", "entry-8", "entry-9"], names);
    }

    [Fact]
    public void The_entry_that_a_cut_goes_through_is_left_out()
    {
        var builder = new ZipBuilder()
            .Add("whole", new byte[100], stored: true)
            .Add("cut", new byte[100], stored: true);
        using Archive archive = Volumes.OpenZip(builder.WithoutDirectory[..^1]);
        Assert.True(archive.MoveNext(out ArchiveEntry entry));
        Assert.Equal("whole"u8, archive.NameOf(entry));
        Assert.False(archive.MoveNext(out _));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(8)]
    public void Millions_of_fake_headers_take_time_in_proportion(int flags)
    {
        byte[] lengths = flags == 0 ? [0, 0, 0, 1, 0, 0, 0, 1] : new byte[8];
        byte[] header =
        [
            .. "PK\x03\x04"u8,
            20,
            0,
            (byte)flags,
            0,
            8,
            0,
            .. new byte[8],
            .. lengths,
            1,
            0,
            0,
            0,
            (byte)'x',
        ];
        byte[] volume = new byte[20_000_000];
        for (int at = 0; at <= volume.Length - header.Length; at += header.Length)
        {
            header.CopyTo(volume, at);
        }

        for (int at = volume.Length / 2; at < volume.Length; at += 1000)
        {
            "PK\x07\x08"u8.CopyTo(volume.AsSpan(at));
        }

        // About a second on a slow machine; anything quadratic takes hours.
        long start = TimeProvider.System.GetTimestamp();
        Volumes.ReadWhateverIsThere(volume, Volumes.Native);
        TimeSpan time = TimeProvider.System.GetElapsedTime(start);
        Assert.True(time < TimeSpan.FromMinutes(1), $"It took {time}.");
    }

    private static byte[] WithoutDirectory(byte[] volume)
    {
        int directory = (int)ZipDirectory.Locate(volume, volume.Length)!.Value.OffsetBytes;
        volume.AsSpan(directory).Clear();
        return volume;
    }

    private static Dictionary<string, byte[]> BlocksOf(string fixture)
    {
        var blocks = new Dictionary<string, byte[]>();
        foreach (string path in Directory.EnumerateFiles(Fixtures.Backup(fixture), "*.dblock.zip"))
        {
            foreach (
                (string name, byte[] content) in Volumes.ReadWhateverIsThere(File.ReadAllBytes(path), Volumes.Native)
            )
            {
                if (
                    Volumes.HashOf(name) is byte[] hash
                    && Volumes.Hash(content, hash.Length).AsSpan().SequenceEqual(hash)
                )
                {
                    blocks[name] = content;
                }
            }
        }

        return blocks;
    }
}
