using System.IO.Enumeration;
using System.Security.Cryptography;

namespace Restore.Tests.Support;

/// <summary>
/// A backup on disk of a tree with files of all sizes, folders and links, made by the library's
/// writer; the same for each seed.
/// </summary>
internal sealed class TreeBackup : IDisposable
{
    /// <summary>The file that is longer than all others, if there is one.</summary>
    public const string Huge = "huge.bin";

    private static readonly EnumerationOptions NotThroughLinks = new()
    {
        RecurseSubdirectories = true,
        AttributesToSkip = FileAttributes.ReparsePoint,
    };

    private readonly TempFolder folder = new();

    public string Source => folder.In("source");

    public string Location => folder.In("backup");

    public static async Task<TreeBackup> WriteAsync(
        int files = 60,
        int largeFiles = 4,
        int seed = 1,
        int volumeSizeBytes = 1 << 20,
        int hugeBytes = 0,
        int? concurrency = null
    )
    {
        TreeBackup tree = new();
        Random random = new(seed);
        for (int i = 0; i < files + largeFiles; i++)
        {
            string parent = Directory.CreateDirectory(Path.Join(tree.Source, $"folder {i % 7}", $"{i % 3}")).FullName;
            byte[] content = new byte[i < files ? random.Next(150_000) * (i % 10 == 0 ? 0 : 1) : 1_500_000 + i];
            random.NextBytes(content);
            content.AsSpan(content.Length / 2, content.Length / 8).Clear();
            string path = Path.Join(parent, $"file {i}.bin");
            File.WriteAllBytes(path, content);
            File.SetLastWriteTimeUtc(path, DateTime.UnixEpoch.AddDays(1000 + i));
        }

        if (hugeBytes > 0)
        {
            byte[] content = new byte[hugeBytes];
            random.NextBytes(content);
            content.AsSpan(hugeBytes / 3, hugeBytes / 10).Clear();
            File.WriteAllBytes(Path.Join(tree.Source, Huge), content);
        }

        for (int i = 0; i < 5; i++)
        {
            File.CreateSymbolicLink(Path.Join(tree.Source, $"link {i}"), $"folder {i}/0");
        }

        Directory.CreateDirectory(Path.Join(tree.Source, "empty"));
        foreach (string path in Directory.EnumerateDirectories(tree.Source))
        {
            Directory.SetLastWriteTimeUtc(path, DateTime.UnixEpoch.AddDays(900));
        }

        await new BackupWriter(
            new BackupWriterOptions
            {
                Sources = [tree.Source],
                Destination = tree.Location,
                BlockSizeBytes = 50 << 10,
                VolumeSizeBytes = volumeSizeBytes,
                CompressionLevel = 1,
                Concurrency = concurrency,
            }
        ).WriteAsync();
        return tree;
    }

    /// <summary>The paths of the files, from the source on.</summary>
    public IReadOnlyList<string> Files =>
        [.. Directory.EnumerateFiles(Source, "*.bin", NotThroughLinks).Select(NameOf).Order(StringComparer.Ordinal)];

    public string Largest => Files.MaxBy(path => new FileInfo(Path.Join(Source, path)).Length)!;

    public byte[] ContentOf(string path) => File.ReadAllBytes(Path.Join(Source, path));

    /// <summary>Compares a target with the source.</summary>
    /// <param name="target">The target.</param>
    /// <param name="others">The content of files at the target that are not those of the source
    /// under their names.</param>
    public void AssertRestored(string target, IReadOnlyDictionary<string, byte[]>? others = null)
    {
        others ??= new Dictionary<string, byte[]>();
        SortedDictionary<string, string> expected = Describe(Source);
        foreach ((string path, byte[] content) in others)
        {
            expected[path] = Describe(content, modified: null);
        }

        SortedDictionary<string, string> found = Describe(target);
        foreach (string path in others.Keys.Where(found.ContainsKey))
        {
            found[path] = Describe(File.ReadAllBytes(Path.Join(target, path)), modified: null);
        }

        Assert.Equal(
            expected.Select(entry => $"{entry.Key}: {entry.Value}"),
            found.Select(entry => $"{entry.Key}: {entry.Value}")
        );
    }

    public void Dispose() => folder.Dispose();

    private string NameOf(string path) => Path.GetRelativePath(Source, path);

    private static SortedDictionary<string, string> Describe(string root)
    {
        SortedDictionary<string, string> found = new(StringComparer.Ordinal);
        IEnumerable<FileSystemInfo> present = new FileSystemEnumerable<FileSystemInfo>(
            root,
            (ref FileSystemEntry entry) => entry.ToFileSystemInfo(),
            new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 }
        )
        {
            ShouldRecursePredicate = (ref FileSystemEntry entry) =>
                !entry.Attributes.HasFlag(FileAttributes.ReparsePoint),
        };
        foreach (FileSystemInfo info in present)
        {
            int mode = OperatingSystem.IsWindows() || info.LinkTarget is not null ? 0 : (int)info.UnixFileMode;
            found[Path.GetRelativePath(root, info.FullName)] =
                info.LinkTarget is string link ? $"link to {link}"
                : info is FileInfo ? $"{mode:x} {Describe(File.ReadAllBytes(info.FullName), info.LastWriteTimeUtc)}"
                : $"{mode:x} folder";
        }

        return found;
    }

    private static string Describe(byte[] content, DateTime? modified) =>
        $"{content.Length} bytes, {Convert.ToHexStringLower(SHA256.HashData(content))[..16]}, {modified:O}";
}
