namespace Restore.Tests.Docs;

/// <summary>
/// The machine of the pages, below a temporary folder: Ann's files, four versions of them in
/// /mnt/backup, and the passphrase in /root/secret.
/// </summary>
public sealed class ExampleMachine : IAsyncLifetime
{
    public const string Passphrase = "correct horse";

    private static readonly string[] Files =
    [
        "notes.txt",
        "taxes-2025.ods",
        "thesis.odt",
        "photos/2025/a.jpg",
        "Documents/letter.odt",
    ];

    private readonly TempFolder folder = new();

    public async ValueTask InitializeAsync()
    {
        foreach (string file in Files)
        {
            string path = Here("/home/ann/" + file);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            await File.WriteAllTextAsync(path, file);
        }

        Directory.CreateDirectory(Here("/tmp"));
        Directory.CreateDirectory(Here("/root"));
        await File.WriteAllTextAsync(Here("/root/secret"), Passphrase + "\n");
        await File.WriteAllTextAsync(Here("/root/new-secret"), "another " + Passphrase + "\n");
        for (int day = 1; day <= 4; day++)
        {
            await File.WriteAllTextAsync(Here("/home/ann/notes.txt"), $"day {day}");
            await new BackupWriter(
                new BackupWriterOptions
                {
                    Sources = [Here("/home/ann")],
                    Destination = Here("/mnt/backup"),
                    Passphrase = Passphrase,
                    BlockSizeBytes = 10 << 10,
                    Time = new DateTimeOffset(2026, 1, day, 12, 0, 0, TimeSpan.Zero),
                }
            ).WriteAsync();
        }

        Directory.CreateDirectory(Here("/mnt/old-disk/var/lib/Duplicati"));
        Dictionary<string, string> options = new() { ["passphrase"] = Passphrase, ["keep-versions"] = "30" };
        ServerJob job = new(1, "Photos", "file://" + Here("/mnt/backup"), options, [Here("/home/ann") + "/"], "");
        ServerJob.WriteDatabase(Here("/mnt/old-disk/var/lib/Duplicati/Duplicati-server.sqlite"), job);
        await File.WriteAllTextAsync(Here("/mnt/photos.json"), job.ToExport());
    }

    /// <summary>The environment variables of this machine.</summary>
    public string? Variable(string name) =>
        name switch
        {
            "PASSPHRASE" => Passphrase,
            "DUPLICATI_HOME" => Here("/mnt/old-disk/var/lib/Duplicati"),
            _ => null,
        };

    /// <summary>The same argument with the paths that it has on this machine.</summary>
    public string Here(string argument)
    {
        if (argument.StartsWith("tests/fixtures/", StringComparison.Ordinal))
        {
            return Path.Combine(Fixtures.RepositoryRoot(), argument);
        }

        int path = argument.StartsWith('/') ? 0 : argument.IndexOf("=/", StringComparison.Ordinal) + 1;
        return path > 0 || argument.StartsWith('/')
            ? argument[..path] + folder.Path + argument[path..]
            : argument.Replace("=out/", $"={folder.Path}/out/", StringComparison.Ordinal);
    }

    public ValueTask DisposeAsync()
    {
        folder.Dispose();
        return ValueTask.CompletedTask;
    }
}
