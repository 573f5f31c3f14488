using System.Buffers.Binary;
using Restore.Compression;
using Restore.Format;

namespace Restore.Tests.Compression;

/// <summary>
/// Volumes damaged at random: every returned block is sound, and only exceptions of the contract
/// are thrown.
/// </summary>
public class DamageTests
{
    private const int Runs = 150;

    public static TheoryData<string, bool> Backups =>
        new()
        {
            { "plain-1mb", true },
            { "plain-1mb", false },
            { "zip-sharp-deflate", true },
            { "zip-stored", true },
            { "zip-bzip2", true },
            { "zip-lzma", true },
            { "zip-zstd", true },
            { "tgz", true },
            { "tzstd", true },
        };

    [Theory]
    [MemberData(nameof(Backups))]
    public void Changed_bytes_are_found_or_do_not_matter(string fixture, bool useNativeLibraries) =>
        Try(
            fixture,
            useNativeLibraries,
            (volume, random) =>
            {
                for (int changes = random.Next(1, 4); changes > 0; changes--)
                {
                    volume[random.Next(volume.Length)] ^= (byte)random.Next(1, 256);
                }

                return volume;
            }
        );

    [Theory]
    [MemberData(nameof(Backups))]
    public void Cut_and_padded_volumes_give_only_sound_entries(string fixture, bool useNativeLibraries) =>
        Try(
            fixture,
            useNativeLibraries,
            (volume, random) =>
            {
                byte[] cut = volume[..random.Next(volume.Length)];
                return random.Next(2) == 0 ? cut : [.. cut, .. new byte[random.Next(2000)]];
            }
        );

    [Theory]
    [MemberData(nameof(Backups))]
    public void Numbers_at_their_limits_are_survived_anywhere(string fixture, bool useNativeLibraries) =>
        Try(
            fixture,
            useNativeLibraries,
            (volume, random) =>
            {
                uint[] limits = [0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFF, (uint)volume.Length];

                // Most structures are at the ends.
                int at =
                    random.Next(3) == 0
                        ? random.Next(volume.Length - 4)
                        : volume.Length - 4 - random.Next(Math.Min(300, volume.Length - 4));
                BinaryPrimitives.WriteUInt32LittleEndian(volume.AsSpan(at), limits[random.Next(limits.Length)]);
                return volume;
            }
        );

    private static void Try(string fixture, bool useNativeLibraries, Func<byte[], Random, byte[]> damage)
    {
        string path = Directory
            .EnumerateFiles(Fixtures.Backup(fixture), "*.dblock*")
            .OrderBy(path => new FileInfo(path).Length)
            .First();
        ArchiveKind kind = Volumes.KindOf(path);
        byte[] sound = File.ReadAllBytes(path);
        Codecs codecs = useNativeLibraries ? Volumes.Native : Volumes.Managed;
        Dictionary<string, byte[]> expected = Volumes
            .ReadWhateverIsThere(sound, codecs, kind)
            .ToDictionary(entry => entry.Name, entry => entry.Content);
        for (int seed = 0; seed < Runs; seed++)
        {
            byte[] damaged = damage([.. sound], new Random(seed));
            foreach ((string name, byte[] content) in Volumes.ReadWhateverIsThere(damaged, codecs, kind))
            {
                // A tar archive has no checksum per entry: there the name must show it. A name
                // itself may be damaged anywhere.
                bool isSame =
                    !expected.TryGetValue(name, out byte[]? original) || original.AsSpan().SequenceEqual(content);
                Assert.True(isSame || kind != ArchiveKind.Zip, $"Seed {seed}: {name} came back with other content.");
            }
        }
    }
}
