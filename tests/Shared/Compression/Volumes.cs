using System.Security.Cryptography;
using System.Text;
using Restore.Compression;
using Restore.Format;

namespace Restore.Tests.Compression;

/// <summary>
/// What the tests of archives share: codecs with and without the system's libraries, and archives
/// read as a whole.
/// </summary>
internal static class Volumes
{
    private const int MaxContentBytes = 4 << 20;

    public static Codecs Native { get; } = new();

    public static Codecs Managed { get; } = new(useNativeLibraries: false);

    public static ArchiveKind KindOf(string path) =>
        Path.GetExtension(path) switch
        {
            ".zip" => ArchiveKind.Zip,
            ".tgz" => ArchiveKind.TarGzip,
            ".tzstd" => ArchiveKind.TarZstd,
            _ => ArchiveKind.Unknown,
        };

    public static Archive Open(string path, Codecs codecs) =>
        ArchiveReader.Open(KindOf(path), File.ReadAllBytes(path), codecs);

    public static Archive OpenZip(byte[] bytes, Codecs? codecs = null) =>
        ArchiveReader.Open(ArchiveKind.Zip, bytes, codecs ?? Native);

    /// <summary>Walks an archive and decodes each entry as it comes.</summary>
    public static List<(string Name, byte[] Content)> ReadAll(Archive archive)
    {
        var entries = new List<(string, byte[])>();
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            string name = Encoding.UTF8.GetString(archive.NameOf(entry));
            byte[] content = new byte[entry.Length];
            Assert.Equal(DecodeResult.Decoded, archive.Decode(entry, content, checkCrc: true));
            entries.Add((name, content));
        }

        return entries;
    }

    /// <summary>
    /// Reads all that can be read of an archive that may be damaged or hostile. The exceptions of
    /// the contract are an answer; any other comes through, and so fails the test.
    /// </summary>
    /// <returns>The entries that decoded with the right CRC.</returns>
    public static List<(string Name, byte[] Content)> ReadWhateverIsThere(
        byte[] volume,
        Codecs codecs,
        ArchiveKind kind = ArchiveKind.Zip
    )
    {
        var sound = new List<(string, byte[])>();
        try
        {
            using Archive archive = ArchiveReader.Open(kind, volume, codecs);
            while (archive.MoveNext(out ArchiveEntry entry))
            {
                if (entry.Length <= MaxContentBytes && TryRead(archive, entry, out byte[] content))
                {
                    sound.Add((Encoding.UTF8.GetString(archive.NameOf(entry)), content));
                }
            }
        }
        catch (InvalidDataException)
        {
            return sound;
        }

        return sound;
    }

    /// <summary>
    /// The raw hash that is the name of a block's entry; null when the name has not the form of
    /// one.
    /// </summary>
    public static byte[]? HashOf(string entryName)
    {
        byte[] hash = new byte[64];
        bool isHash = Convert.TryFromBase64String(entryName.Replace('-', '+').Replace('_', '/'), hash, out int length);
        return isHash && length is (16 or 20 or 32 or 48 or 64) ? hash[..length] : null;
    }

    public static byte[] Hash(byte[] content, int hashLength) =>
        hashLength switch
        {
            16 => MD5.HashData(content),
            20 => SHA1.HashData(content),
            32 => SHA256.HashData(content),
            48 => SHA384.HashData(content),
            64 => SHA512.HashData(content),
            _ => throw new ArgumentOutOfRangeException(nameof(hashLength), hashLength, "No such hash"),
        };

    /// <summary>
    /// Checks that each block of a block volume is what its name says; the number of blocks.
    /// </summary>
    public static int CheckBlocks(IEnumerable<(string Name, byte[] Content)> entries)
    {
        int blocks = 0;
        foreach ((string name, byte[] content) in entries)
        {
            if (HashOf(name) is byte[] hash)
            {
                Assert.Equal(hash, Hash(content, hash.Length));
                blocks++;
            }
        }

        return blocks;
    }

    /// <summary>
    /// Checks that every entry of every volume of a backup decodes, and that each block is what its
    /// name says.
    /// </summary>
    public static void CheckBackup(string fixture, Codecs codecs)
    {
        int blocks = 0;
        foreach (
            string path in Directory
                .EnumerateFiles(Fixtures.Backup(fixture))
                .Where(path => KindOf(path) != ArchiveKind.Unknown)
        )
        {
            using Archive archive = Open(path, codecs);
            List<(string Name, byte[] Content)> entries = ReadAll(archive);
            Assert.False(archive.IsSalvaged, archive.SalvageReason);
            Assert.Contains(entries, entry => entry.Name == "manifest");
            Assert.DoesNotContain(entries, entry => entry.Name == ".eof-header");
            blocks += path.Contains(".dblock.", StringComparison.Ordinal) ? CheckBlocks(entries) : 0;
        }

        Assert.True(blocks > 0, "The fixture has no blocks.");
    }

    private static bool TryRead(Archive archive, in ArchiveEntry entry, out byte[] content)
    {
        content = new byte[entry.Length];
        try
        {
            DecodeResult result = archive.Decode(entry, content, checkCrc: true);
            byte[]? streamed = archive.IsRandomAccess ? TryStream(archive, entry) : content;

            // The other way round does not hold: zlib lets data pass whose end is not marked, if
            // only its length and CRC are right.
            Assert.True(
                result != DecodeResult.Decoded || content.AsSpan().SequenceEqual(streamed),
                "Decoded at once and as a stream are different."
            );
            return result == DecodeResult.Decoded;
        }
        catch (UnsupportedMethodException)
        {
            return false;
        }
    }

    private static byte[]? TryStream(Archive archive, in ArchiveEntry entry)
    {
        try
        {
            using Stream stream = archive.Open(entry, MaxContentBytes);
            using var copy = new MemoryStream();
            stream.CopyTo(copy);
            return copy.ToArray();
        }
        catch (InvalidDataException)
        {
            return null;
        }
    }
}
