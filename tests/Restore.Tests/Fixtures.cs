using System.IO.Compression;
using System.Text.Json;

namespace Restore.Tests;

/// <summary>
/// Finds the backups that tests run on: <c>tests/fixtures</c> of this repository, and for the large ones <c>shared/fixtures</c> beside the clone.
/// </summary>
internal static class Fixtures
{
    /// <summary>The fixtures that are too large for the repository. Tests on them say so with a data row or an attribute of their own.</summary>
    public static string[] Large { get; } = ["interleaved", "many-small", "one-big"];

    /// <summary>The folder of a fixture ("plain-1mb", "damaged/base-plain"); null if this machine does not have the fixture.</summary>
    public static string? Find(string name)
    {
        string root = RepositoryRoot();
        string[] candidates = [Path.Combine(root, "tests", "fixtures", name), Path.Combine(root, "..", "shared", "fixtures", name)];
        return candidates.Where(Directory.Exists).Select(Path.GetFullPath).FirstOrDefault();
    }

    /// <summary>Those of these fixtures that this machine has: only the large ones can be missing.</summary>
    public static IEnumerable<string> Present(params IEnumerable<string> names) => names.Where(name => !Large.Contains(name) || Find(name) is not null);

    /// <summary>The folder of a fixture, which must be there.</summary>
    public static string Folder(string name) =>
        Find(name) ?? throw new DirectoryNotFoundException($"The fixture {name} is neither in tests/fixtures nor in ../shared/fixtures");

    /// <summary>The backup destination of a fixture: a flat folder of volumes.</summary>
    public static string Backup(string name) => Path.Combine(Folder(name), "backup");

    /// <summary>The fixture.json of a fixture: options, passphrase, versions, what is wrong with it.</summary>
    public static JsonElement Info(string name)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(Folder(name), "fixture.json")));
        return document.RootElement.Clone();
    }

    /// <summary>The content of one entry of an unencrypted zip volume.</summary>
    public static byte[] ZipEntry(string volumePath, string entryName)
    {
        using ZipArchive archive = ZipFile.OpenRead(volumePath);
        ZipArchiveEntry entry = archive.GetEntry(entryName) ?? throw new FileNotFoundException($"{volumePath} has no entry {entryName}.");
        using Stream content = entry.Open();
        using var copy = new MemoryStream();
        content.CopyTo(copy);
        return copy.ToArray();
    }

    /// <summary>The folder of this clone: the one that has Restore.sln.</summary>
    public static string RepositoryRoot()
    {
        string? folder = AppContext.BaseDirectory;
        while (folder is not null && !File.Exists(Path.Combine(folder, "Restore.sln")))
        {
            folder = Path.GetDirectoryName(folder);
        }

        return folder ?? throw new DirectoryNotFoundException($"No folder above {AppContext.BaseDirectory} has Restore.sln.");
    }
}
