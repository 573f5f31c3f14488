using System.Security.Cryptography;
using Microsoft.Data.Sqlite;

namespace Restore.Tests.Catalog.Database;

/// <summary>A copy of a fixture with its database, to change and to restore from.</summary>
internal sealed class DatabaseWorkspace : IDisposable
{
    /// <summary>
    /// What Wine and Windows cannot have: links, and a name with a quotation mark and a line feed.
    /// </summary>
    private static readonly string[] NotOnWindows = ["dangling", "link-to-dir", "link-to-file", "quote\" and\nnewline"];

    public static readonly EntryFilter PossibleHere = !OperatingSystem.IsWindows()
        ? EntryFilter.All
        : EntryFilter.Parse(
            [],
            NotOnWindows
                .SelectMany(name => new[] { $"*/{name}", $"*/{name}/" })
                .Select(path => new FilterRule(Include: false, path))
        );

    private readonly TempFolder folder = new();
    private readonly string fixture;

    public DatabaseWorkspace(string fixture = "with-database", string database = "database")
    {
        this.fixture = fixture;
        Copy(Fixtures.Backup(fixture), Volumes);
        Copy(Path.Join(Fixtures.Folder(fixture), database), Path.GetDirectoryName(Database)!);
    }

    public DatabaseWorkspace(DatabaseWorkspace other)
    {
        fixture = other.fixture;
        Copy(other.Volumes, Volumes);
        Copy(Path.GetDirectoryName(other.Database)!, Path.GetDirectoryName(Database)!);
    }

    public string Volumes => Path.Join(folder.Path, "backup");

    public string Database => Path.Join(folder.Path, "database", "backup.sqlite");

    public string Target => folder.Root;

    public BackupOptions Options =>
        new() { DatabasePath = Database, Passphrase = Fixtures.Info(fixture).GetProperty("passphrase").GetString() };

    /// <summary>Changes the database as its owner could.</summary>
    public void Sql(string sql)
    {
        using SqliteConnection connection = new($"Data Source={Database};Pooling=False");
        connection.Open();
        using SqliteCommand command = connection.CreateCommand();
        command.CommandText = sql;
        command.ExecuteNonQuery();
    }

    public long Number(string sql)
    {
        using SqliteConnection connection = new($"Data Source={Database};Mode=ReadWrite;Pooling=False");
        connection.Open();
        using SqliteCommand command = connection.CreateCommand();
        command.CommandText = sql;
        return (long)command.ExecuteScalar()!;
    }

    public Task<Backup> OpenAsync() => Backup.OpenAsync(Volumes, Options);

    /// <summary>
    /// Why the database cannot be used. With file lists that is a warning, and the volumes are
    /// read; without them nothing can be opened.
    /// </summary>
    public async Task<RestoreException> FailToOpenAsync()
    {
        await using (Backup backup = await OpenAsync())
        {
            RestorePlan plan = await backup.PlanAsync(backup.GetVersion(0), new RestoreOptions { Target = Target });
            RestoreIssue warning = Assert.Single(plan.Issues, issue => issue.Code == IssueCode.DatabaseUnusable);
            Assert.Equal(IssueKind.Warning, warning.Kind);
        }

        string aside = Directory.CreateDirectory(Path.Join(folder.Path, "aside")).FullName;
        string[] lists = Directory.GetFiles(Volumes, "*.dlist.*");
        Array.ForEach(lists, list => File.Move(list, Path.Join(aside, Path.GetFileName(list))));
        try
        {
            return await Assert.ThrowsAsync<RestoreException>(OpenAsync);
        }
        finally
        {
            Array.ForEach(lists, list => File.Move(Path.Join(aside, Path.GetFileName(list)), list));
        }
    }

    public async Task<RestoreReport> RestoreAsync(int version = 0)
    {
        await using Backup backup = await OpenAsync();
        RestoreOptions options = new()
        {
            Target = Target,
            RestorePermissions = !OperatingSystem.IsWindows(),
            Filter = PossibleHere,
        };
        RestorePlan plan = await backup.PlanAsync(backup.GetVersion(version), options);
        return await backup.ExecuteAsync(plan);
    }

    /// <summary>Restores a version and compares it with what is expected.</summary>
    public async Task<RestoreReport> RestoreWhollyAsync(int version = 0)
    {
        RestoreReport report = await RestoreAsync(version);
        Assert.DoesNotContain(
            report.Issues,
            issue => issue.Kind is not (IssueKind.Warning or IssueKind.Metadata) || issue.MetadataLost
        );
        AssertTree(version);
        return report;
    }

    public void AssertTree(int version, Func<string, bool>? isSkipped = null) =>
        RestoredTree.AssertEqual(
            Path.Join(Fixtures.Folder(fixture), $"expected-{version}.json"),
            Target,
            OperatingSystem.IsWindows() ? TreeChecks.Times : TreeChecks.Times | TreeChecks.Modes,
            path =>
                isSkipped?.Invoke(path) == true
                || (
                    OperatingSystem.IsWindows()
                    && NotOnWindows.Any(name => path.EndsWith(name, StringComparison.Ordinal))
                )
        );

    /// <summary>The files beside the database with their sizes, times and hashes.</summary>
    public string Fingerprint() =>
        string.Join(
            '\n',
            Directory
                .GetFiles(Path.GetDirectoryName(Database)!)
                .Order(StringComparer.Ordinal)
                .Select(file =>
                    $"{Path.GetFileName(file)} {File.GetLastWriteTimeUtc(file):O} {Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(file)))}"
                )
        );

    public string Volume(string part) =>
        Directory.GetFiles(Volumes).Single(file => Path.GetFileName(file).Contains(part, StringComparison.Ordinal));

    public void DeleteVolumes(string part) => Array.ForEach(Directory.GetFiles(Volumes, $"*{part}*"), File.Delete);

    public void Dispose() => folder.Dispose();

    private static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (string file in Directory.GetFiles(from))
        {
            string copy = Path.Join(to, Path.GetFileName(file));
            File.Copy(file, copy);
            File.SetAttributes(copy, FileAttributes.Normal);
        }
    }
}
