using System.Security.Cryptography;

namespace Restore.Tests.Support;

/// <summary>
/// A backup of a folder with three days of life, and then an attack: the versions from
/// the oldest are 4, 3 and 2 (good), 1 (attacked) and 0 (one more file).
/// </summary>
internal sealed class AttackedBackup : IDisposable
{
    private readonly TempFolder folder = new();
    private readonly Random chance = new(7);
    private int day;

    public string Folder => folder.Path;

    public string Source => Path.Combine(folder.Path, "source");

    public string Store => Path.Combine(folder.Path, "backup");

    public string Target => Path.Combine(folder.Path, "out");

    /// <returns>The files before the attack, with their hashes.</returns>
    public async Task<Dictionary<string, string>> LiveAndEncryptAsync()
    {
        Begin();
        await BackUpAsync();
        foreach (string name in new[] { "docs/new.odt", "docs/other.odt" })
        {
            Write(name, 3000);
            Write("docs/f0.odt", 800 + chance.Next(3000));
            await BackUpAsync();
        }

        Dictionary<string, string> good = Hashes(Source);
        Encrypt();
        await BackUpAsync();
        Write("after.txt", 40);
        await BackUpAsync();
        return good;
    }

    /// <summary>The files of the first version.</summary>
    public void Begin()
    {
        foreach (int name in Enumerable.Range(0, 20))
        {
            Write(
                $"{(name % 2 == 0 ? "docs" : "pictures")}/f{name}.{(name % 2 == 0 ? "odt" : "jpg")}",
                500 + chance.Next(9000)
            );
        }
    }

    /// <summary>The attack: it gives each file a new content and <c>.locked</c> at its end.</summary>
    public void Encrypt()
    {
        foreach (string file in Directory.GetFiles(Source, "*", SearchOption.AllDirectories))
        {
            Write(Path.GetRelativePath(Source, file) + ".locked", (int)new FileInfo(file).Length + 256);
            File.Delete(file);
        }
    }

    public void Write(string name, int length)
    {
        string path = Path.Combine(Source, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        byte[] content = new byte[length];
        chance.NextBytes(content);
        File.WriteAllBytes(path, content);
    }

    public static Dictionary<string, string> Hashes(string root) =>
        Directory
            .GetFiles(root, "*", SearchOption.AllDirectories)
            .ToDictionary(file => Path.GetRelativePath(root, file), Hash);

    public static string Hash(string file) => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(file)));

    public void Dispose() => folder.Dispose();

    public async Task BackUpAsync()
    {
        BackupWriterOptions options = new()
        {
            Sources = [Source],
            Destination = Store,
            TimeProvider = new FakeClock { StartsAt = new DateTimeOffset(2024, 5, 1 + day++, 12, 0, 0, TimeSpan.Zero) },
        };
        await new BackupWriter(options).WriteAsync();
    }
}
