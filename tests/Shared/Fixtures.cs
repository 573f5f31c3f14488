using System.IO.Compression;
using System.Text.Json;

namespace Restore.Tests;

/// <summary>The backups that tests run on: <c>tests/fixtures</c>.</summary>
internal static class Fixtures
{
    /// <summary>The folder of a fixture ("plain-1mb", "damaged/base-plain").</summary>
    public static string Folder(string name)
    {
        string folder = Path.Combine(RepositoryRoot(), "tests", "fixtures", name);
        return Directory.Exists(folder)
            ? folder
            : throw new DirectoryNotFoundException($"There is no fixture {name}: {folder}");
    }

    /// <summary>The backup destination of a fixture: a flat folder of volumes.</summary>
    public static string Backup(string name) => Path.Combine(Folder(name), "backup");

    /// <summary>
    /// The fixture.json of a fixture: options, passphrase, versions, what is wrong with it.
    /// </summary>
    public static JsonElement Info(string name)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(Folder(name), "fixture.json")));
        return document.RootElement.Clone();
    }

    /// <summary>The content of one entry of an unencrypted zip volume.</summary>
    public static byte[] ZipEntry(string volumePath, string entryName)
    {
        using ZipArchive archive = ZipFile.OpenRead(volumePath);
        ZipArchiveEntry entry =
            archive.GetEntry(entryName) ?? throw new FileNotFoundException($"{volumePath} has no entry {entryName}.");
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

        return folder
            ?? throw new DirectoryNotFoundException($"No folder above {AppContext.BaseDirectory} has Restore.sln.");
    }
}
