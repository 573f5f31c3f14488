using System.IO.Compression;
using System.Text.Json.Nodes;
using Restore.Cli;
using Restore.Tests.Cli;
using Restore.Tests.Encryption;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Maintenance;

/// <summary>
/// File lists that the store has lost and the local database still knows, from backups and
/// databases of Duplicati.
/// </summary>
public sealed class FileListRepairTests : IDisposable
{
    private readonly TempFolder folder = new();

    private string Place => folder.Root;

    public void Dispose() => folder.Dispose();

    [Theory]
    [InlineData("with-database")]
    [InlineData("with-database-recreated")]
    public async Task Each_lost_list_is_written_again_with_the_entries_that_Duplicati_wrote(string fixture)
    {
        FixtureBackup backup = Copied(fixture);
        foreach (string list in Lists())
        {
            string before = await EntriesOfAsync(backup, list);
            File.Delete(list);

            FileListRepairReport report = await RepairAsync(backup);

            Assert.Empty(report.Issues);
            Assert.Equal(Path.GetFileName(list), Assert.Single(report.Made));
            Assert.Equal(before, await EntriesOfAsync(backup, list));
        }
    }

    [Fact]
    public async Task All_lists_come_back_when_none_is_left_and_every_version_verifies()
    {
        FixtureBackup backup = Copied("with-database");
        string[] lists = Lists();
        Array.ForEach(lists, File.Delete);

        FileListRepairReport report = await RepairAsync(backup);

        Assert.Equal(lists.Length, report.Made.Count);
        Assert.Equal(lists, Lists());
        CliRun run = await CliRun.OfAsync(
            "verify",
            Place,
            "--all-versions",
            "--passphrase",
            backup.Options().Passphrase!
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
    }

    [Fact]
    public async Task A_dry_run_names_the_versions_and_writes_nothing()
    {
        FixtureBackup backup = Copied("with-database");
        File.Delete(Lists()[0]);
        string[] files = Directory.GetFiles(Place);

        FileListRepairReport report = await RepairAsync(backup, isDryRun: true);

        Assert.Single(report.Versions);
        Assert.Empty(report.Made);
        Assert.Equal(files.Order(), Directory.GetFiles(Place).Order());
    }

    [Fact]
    public async Task A_version_without_any_whole_file_gets_no_list_because_it_was_deleted()
    {
        FixtureBackup backup = Copied("with-database");
        File.Delete(Lists()[0]);
        Array.ForEach(Directory.GetFiles(Place, "*.dblock*"), File.Delete);
        Array.ForEach(Directory.GetFiles(Place, "*.dindex*"), File.Delete);

        FileListRepairReport report = await RepairAsync(backup);

        Assert.Empty(report.Made);
        Assert.Contains(
            report.Issues,
            issue =>
                issue.Kind == IssueKind.Missing && issue.Reason.Contains("deleted on purpose", StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task The_command_repair_writes_the_lists_before_it_updates_the_database()
    {
        FixtureBackup backup = Copied("with-database");
        string database = Path.Join(folder.Path, "copy.sqlite");
        File.Copy(Path.Join(backup.Folder, backup.Databases[0]), database);
        string list = Lists()[0];
        File.Delete(list);
        string[] options = ["--dbpath", database, "--passphrase", backup.Options().Passphrase!];

        CliRun dry = await CliRun.OfAsync(["repair", Place, "--dry-run", .. options]);
        Assert.Contains("only in the database", dry.Output, StringComparison.Ordinal);
        Assert.False(File.Exists(list));

        CliRun run = await CliRun.OfAsync(["repair", Place, .. options]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.True(File.Exists(list));

        CliRun versions = await CliRun.OfAsync(["versions", Place, .. options]);
        Assert.Equal(2, versions.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.DoesNotContain("not in the folder", versions.Error, StringComparison.Ordinal);
    }

    private FixtureBackup Copied(string fixture)
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).First();
        Directory.CreateDirectory(Place);
        foreach (string file in Directory.GetFiles(backup.Location))
        {
            File.Copy(file, Path.Join(Place, Path.GetFileName(file)), overwrite: true);
        }

        return backup;
    }

    private string[] Lists() => [.. Directory.GetFiles(Place, "*.dlist*").Order(StringComparer.Ordinal)];

    private async Task<FileListRepairReport> RepairAsync(FixtureBackup backup, bool isDryRun = false)
    {
        await using Backup opened = await Backup.OpenAsync(Place, backup.Options(backup.Databases[0]));
        FileListRepairReport report = await opened.Maintenance.RestoreFileListsAsync(isDryRun);
        Assert.Equal(0, opened.Pool.OutstandingBuffers);
        return report;
    }

    /// <summary>
    /// The entries of a list as normalized JSON, whatever the order and the white space of the
    /// file.
    /// </summary>
    private async Task<string> EntriesOfAsync(FixtureBackup backup, string list)
    {
        Deciphered plain = await Ciphering.DecryptAes(await File.ReadAllBytesAsync(list), backup.Options().Passphrase!);
        Assert.True(plain.Authentic, plain.Defect);
        using ZipArchive archive = new(new MemoryStream(plain.Text));
        await using Stream json = await archive
            .GetEntry("filelist.json")!
            .OpenAsync(TestContext.Current.CancellationToken);
        JsonArray entries = (await JsonNode.ParseAsync(json))!.AsArray();
        return string.Join('\n', entries.Select(entry => entry!.ToJsonString()).Order(StringComparer.Ordinal));
    }
}
