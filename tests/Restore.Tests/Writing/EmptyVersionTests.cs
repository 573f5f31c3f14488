using System.IO.Compression;

namespace Restore.Tests.Writing;

/// <summary>
/// A backup that takes no file: mostly a source that is not mounted, or a filter that leaves
/// everything out.
/// </summary>
public sealed class EmptyVersionTests : IDisposable
{
    private readonly RoundTrip trip = new();

    private string Kept => Path.Join(trip.Source, "kept");

    public void Dispose() => trip.Dispose();

    [Fact]
    public async Task The_first_backup_without_a_file_makes_no_version_and_leaves_no_volume()
    {
        Directory.CreateDirectory(Path.Join(trip.Source, "folder"));

        BackupWriterReport report = await trip.WriteAsync();

        Assert.Equal((true, false, null), (report.HasNoFile, report.NothingChanged, report.FileListName));
        Assert.Empty(Directory.GetFiles(trip.Destination));
        File.WriteAllText(Kept, "content");
        Assert.False((await trip.WriteAsync()).HasNoFile);
        trip.AssertLikeSource(await trip.RestoreAsync());
    }

    [Fact]
    public async Task Retention_does_not_count_a_version_without_a_file()
    {
        File.WriteAllText(Kept, "content");
        await trip.WriteAsync();
        SortedDictionary<string, TreeEntry> before = RestoredTree.Read(trip.Source);
        File.Delete(Kept);
        BackupWriterReport second = await trip.WriteAsync();

        Assert.True(second.HasNoFile);
        Assert.NotNull(second.FileListName);
        await DeleteAsync(new RetentionRules { KeepVersions = 1 });
        RoundTrip.AssertSame(before, await trip.RestoreAsync(version: 1));
    }

    [Fact]
    public async Task Retention_does_not_count_a_version_without_a_file_that_says_it_is_complete()
    {
        File.WriteAllText(Kept, "content");
        await trip.WriteAsync();
        SortedDictionary<string, TreeEntry> before = RestoredTree.Read(trip.Source);
        File.Delete(Kept);
        string list = (await trip.WriteAsync()).FileListName!;
        Replace(Path.Join(trip.Destination, list), "fileset", "{\"IsFullBackup\":true}");

        await DeleteAsync(new RetentionRules { KeepVersions = 1 });

        RoundTrip.AssertSame(before, await trip.RestoreAsync(version: 1));
    }

    [Fact]
    public async Task A_version_of_files_that_could_not_be_read_is_written_and_reported()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has names that are not text");
        string missing = Path.Join(trip.Source, "link");
        File.CreateSymbolicLink(missing, new string('n', 300));

        BackupWriterReport report = await trip.WriteAsync(trip.Options with { Symlinks = SymlinkPolicy.Follow });

        Assert.True(report.HasNoFile);
        Assert.NotNull(report.FileListName);
        Assert.True(Assert.Single(report.Issues).IsLoss);
    }

    private static void Replace(string volume, string name, string content)
    {
        using ZipArchive zip = ZipFile.Open(volume, ZipArchiveMode.Update);
        zip.GetEntry(name)!.Delete();
        using StreamWriter entry = new(zip.CreateEntry(name).Open());
        entry.Write(content);
    }

    private async Task DeleteAsync(RetentionRules rules)
    {
        await using Backup backup = await Backup.OpenAsync(trip.Destination);
        DeletionPlan plan = await backup.Maintenance.PlanDeletionAsync(rules);
        await backup.Maintenance.DeleteVersionsAsync(plan);
    }
}
