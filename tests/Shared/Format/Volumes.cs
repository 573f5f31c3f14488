using System.IO.Compression;
using Restore.Format;

namespace Restore.Tests.Format;

/// <summary>Shortcuts to the unencrypted zip volumes of the fixtures.</summary>
internal static class Volumes
{
    /// <summary>The usual layout of the small fixtures.</summary>
    public static BlockLayout Small { get; } = new(1024, HashKind.Sha256, HashKind.Sha256);

    /// <summary>
    /// The path of each volume of one kind ("dlist", "dindex", "dblock"), oldest name first.
    /// </summary>
    public static string[] Of(string fixture, string kind) =>
        [.. Directory.GetFiles(Fixtures.Backup(fixture), $"*.{kind}.zip").Order(StringComparer.Ordinal)];

    public static BlockLayout LayoutOf(string volume) => Manifest.Parse(Fixtures.ZipEntry(volume, "manifest")).Layout;

    /// <summary>
    /// The names and contents of a volume's entries that are not over a mebibyte.
    /// </summary>
    public static IEnumerable<(string Name, byte[] Content)> Entries(string volume)
    {
        using ZipArchive archive = ZipFile.OpenRead(volume);
        foreach (ZipArchiveEntry entry in archive.Entries.Where(e => e.Length <= 1 << 20))
        {
            using Stream content = entry.Open();
            using var copy = new MemoryStream();
            content.CopyTo(copy);
            yield return (entry.FullName, copy.ToArray());
        }
    }
}
