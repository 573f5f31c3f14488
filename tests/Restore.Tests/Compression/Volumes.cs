using System.Security.Cryptography;
using System.Text;
using Restore.Compression;
using Restore.Format;

namespace Restore.Tests.Compression;

/// <summary>What the tests of archives share: codecs with and without the system's libraries, and archives read as a whole.</summary>
internal static class Volumes
{
    public static Codecs Native { get; } = new();

    public static Codecs Managed { get; } = new(useNativeLibraries: false);

    public static ArchiveKind KindOf(string path) => Path.GetExtension(path) switch
    {
        ".zip" => ArchiveKind.Zip,
        ".tgz" => ArchiveKind.TarGzip,
        ".tzstd" => ArchiveKind.TarZstd,
        _ => ArchiveKind.Unknown,
    };

    public static Archive Open(string path, Codecs codecs) => ArchiveReader.Open(KindOf(path), File.ReadAllBytes(path), codecs);

    public static Archive OpenZip(byte[] bytes, Codecs? codecs = null) => ArchiveReader.Open(ArchiveKind.Zip, bytes, codecs ?? Native);

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

    /// <summary>The raw hash that is the name of a block's entry; null when the name has not the form of one.</summary>
    public static byte[]? HashOf(string entryName)
    {
        byte[] hash = new byte[64];
        bool isHash = Convert.TryFromBase64String(entryName.Replace('-', '+').Replace('_', '/'), hash, out int length);
        return isHash && length is (16 or 20 or 32 or 48 or 64) ? hash[..length] : null;
    }

    public static byte[] Hash(byte[] content, int hashLength) => hashLength switch
    {
        16 => MD5.HashData(content),
        20 => SHA1.HashData(content),
        32 => SHA256.HashData(content),
        48 => SHA384.HashData(content),
        64 => SHA512.HashData(content),
        _ => throw new ArgumentOutOfRangeException(nameof(hashLength), hashLength, "No such hash."),
    };

    /// <summary>Checks that each block of a block volume is what its name says; the number of blocks.</summary>
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
}
