namespace Restore.Tests.Writing;

/// <summary>A source, a destination and a target in a folder of their own.</summary>
internal sealed class RoundTrip : IDisposable
{
    private readonly TempFolder folder = new();
    private int targets;

    public RoundTrip() => Directory.CreateDirectory(Source);

    public string Source => Path.Combine(folder.Path, "source");

    public string Destination => Path.Combine(folder.Path, "backup");

    public string Folder => folder.Path;

    /// <summary>Options that suit small sources: blocks of 1 KiB.</summary>
    public BackupWriterOptions Options =>
        new()
        {
            Sources = [Source],
            Destination = Destination,
            BlockSizeBytes = 1024,
            VolumeSizeBytes = 1 << 20,
        };

    public IEnumerable<string> VolumesOf(string kind) =>
        Directory.GetFiles(Destination, $"*.{kind}.*").Order(StringComparer.Ordinal);

    public Task<BackupWriterReport> WriteAsync(BackupWriterOptions? options = null) =>
        new BackupWriter(options ?? Options).WriteAsync();

    /// <summary>
    /// Restores a version to a new folder through the library's front door; the report must say
    /// that nothing is lost.
    /// </summary>
    public async Task<string> RestoreAsync(int version = 0, string? passphrase = null, bool warns = false)
    {
        string target = Path.Combine(folder.Path, $"target{targets++}");
        await using Backup backup = await Backup.OpenAsync(Destination, new BackupOptions { Passphrase = passphrase });
        RestoreOptions options = new()
        {
            Target = target,
            RestorePermissions = true,
            AllowRestoreOutsideTargetDirectory = true,
        };
        RestorePlan plan = await backup.PlanAsync(backup.GetVersion(version), options);
        RestoreReport report = await backup.ExecuteAsync(plan);
        Assert.True(report.IsComplete, string.Join('\n', report.Issues));
        Assert.True(warns || report.Issues.Count == 0, string.Join('\n', report.Issues));
        return target;
    }

    /// <summary>Fails when a folder is not what the source is now.</summary>
    public void AssertLikeSource(string target) => AssertSame(RestoredTree.Read(Source), target);

    /// <summary>Fails when a folder is not what a tree was.</summary>
    public static void AssertSame(IReadOnlyDictionary<string, TreeEntry> wanted, string target)
    {
        ExpectedTree expected = new("", IsComplete: true, [.. wanted.Values]);
        string[] differences =
        [
            .. RestoredTree.Differences(expected, RestoredTree.Read(target), TreeChecks.All & ~TreeChecks.Root),
        ];
        Assert.True(differences.Length == 0, string.Join('\n', differences.Take(20)));
    }

    public void Dispose() => folder.Dispose();
}
