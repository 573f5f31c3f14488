using Restore.Cli;
using Restore.Tests.Cli;
using Restore.Tests.Writing;

namespace Restore.Tests.Trust;

/// <summary>Files that anyone who can write to the storage can put beside a backup.</summary>
public sealed class ForgedListsTests
{
    private const string Passphrase = "correct horse";
    private const string Exchanged = "may have exchanged their names";
    private const string Renamed = "renamed to pass for";
    private const string ForgedTime = "20260601T000000Z";

    private static readonly DateTimeOffset Now = new(2026, 11, 22, 0, 0, 0, TimeSpan.Zero);

    [Theory]
    [InlineData(null)]
    [InlineData(Passphrase)]
    public async Task A_list_without_encryption_in_an_encrypted_backup_is_no_version_and_is_named(string? passphrase)
    {
        using MadeBackup backup = Encrypted();
        string forged = Forge(backup);
        await using Backup opened = await OpenAsync(backup, new BackupOptions { Passphrase = passphrase });

        Assert.Equal($"duplicati-{MadeBackup.Time}.dlist.zip.aes", Assert.Single(opened.Versions).FileListName);
        RestoreIssue issue = Assert.Single(opened.Issues);
        Assert.Equal((forged, IssueKind.Warning, IssueCode.UnencryptedVolume), (issue.Path, issue.Kind, issue.Code));
    }

    [Fact]
    public async Task The_report_and_the_commands_name_what_is_left_out()
    {
        using MadeBackup backup = Encrypted();
        string forged = Forge(backup);
        string[] access = [backup.Source, $"--passphrase={Passphrase}"];

        CliRun restore = await CliRun.OfAsync([.. access, $"--restore-path={backup.Target}"]);
        Assert.Equal(ExitCodes.Complete, restore.ExitCode);
        Assert.Contains(forged, restore.Output, StringComparison.Ordinal);
        Assert.Contains("--allow-unencrypted", restore.Output, StringComparison.Ordinal);
        Assert.Equal(["file"], Directory.GetFiles(backup.Target).Select(Path.GetFileName));

        foreach (string command in (string[])["versions", "ls", "find"])
        {
            CliRun run = await CliRun.OfAsync([
                command,
                .. access,
                .. command == "find" ? ["file"] : Array.Empty<string>(),
            ]);
            Assert.Equal(ExitCodes.Complete, run.ExitCode);
            Assert.Contains(forged, run.Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task An_option_takes_lists_without_encryption()
    {
        using MadeBackup backup = Encrypted();
        string forged = Forge(backup);
        await using Backup opened = await OpenAsync(
            backup,
            new BackupOptions { Passphrase = Passphrase, AllowUnencrypted = true }
        );
        Assert.Equal(forged, opened.Versions[0].FileListName);
        Assert.Equal(2, opened.Versions.Count);
        Assert.Empty(opened.Issues);

        CliRun run = await CliRun.OfAsync(
            "versions",
            backup.Source,
            $"--passphrase={Passphrase}",
            "--allow-unencrypted"
        );
        Assert.Contains("   0  2026-06-01 00:00:00", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_index_without_encryption_in_an_encrypted_backup_is_left_out_and_blocks_are_found_without_it()
    {
        using MadeBackup backup = Encrypted();
        backup.Passphrase = null;
        backup.Write(ForgedTime);
        foreach (
            string file in Directory
                .GetFiles(backup.Source, "*.dlist.zip")
                .Concat(Directory.GetFiles(backup.Source, "*.dindex.zip.aes"))
        )
        {
            File.Delete(file);
        }

        backup.Passphrase = Passphrase;
        RestoreReport report = await backup.RestoreAsync(new RestoreOptions());
        Assert.Equal(1, report.FilesRestored);
        Assert.Equal(
            IssueCode.UnencryptedVolume,
            Assert.Single(report.Issues, issue => issue.Path.Contains("dindex", StringComparison.Ordinal)).Code
        );
    }

    [Fact]
    public async Task A_backup_whose_lists_all_lack_encryption_while_its_blocks_have_it_is_refused()
    {
        using MadeBackup backup = Encrypted();
        Forge(backup);
        File.Delete(Path.Join(backup.Source, $"duplicati-{MadeBackup.Time}.dlist.zip.aes"));
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            OpenAsync(backup, new BackupOptions { Passphrase = Passphrase })
        );
        Assert.Equal(RestoreErrorCode.FileListsUnencrypted, failure.Code);
    }

    [Fact]
    public async Task A_passphrase_for_a_backup_without_any_encryption_is_a_warning()
    {
        using MadeBackup backup = new();
        backup.File("/data/file", [1, 2, 3], MadeBackup.Metadata());
        backup.Write();
        RestoreReport report = await backup.RestoreAsync(
            new RestoreOptions(),
            new BackupOptions { Passphrase = Passphrase }
        );
        Assert.Equal(1, report.FilesRestored);
        Assert.Equal(
            (IssueKind.Warning, IssueCode.NothingEncrypted),
            (Assert.Single(report.Issues).Kind, report.Issues[0].Code)
        );

        await using Backup opened = await OpenAsync(backup, new BackupOptions());
        Assert.Empty(opened.Issues);
    }

    [Theory]
    [InlineData("20261122T120000Z", false)]
    [InlineData("20261125T000000Z", true)]
    [InlineData("20991231T235959Z", true)]
    public async Task A_version_in_the_future_is_warned_about(string time, bool isWarned)
    {
        using MadeBackup backup = new();
        backup.File("/data/file", [1, 2, 3], MadeBackup.Metadata());
        backup.Write(time);
        await using Backup opened = await OpenAsync(backup, new BackupOptions());
        Assert.Equal(isWarned ? [$"duplicati-{time}.dlist.zip"] : [], opened.Issues.Select(issue => issue.Path));
        Assert.All(opened.Issues, issue => Assert.Contains("in the future", issue.Reason, StringComparison.Ordinal));
    }

    // Lists by age. Each takes the content of the one at its place in the order.
    [Theory]
    [InlineData(new[] { 0, 1, 2 }, new int[0], "")]
    [InlineData(new[] { 1, 0, 2 }, new[] { 0, 1 }, Exchanged)]
    [InlineData(new[] { 2, 1, 0 }, new[] { 0, 2 }, Exchanged)]
    [InlineData(new[] { 1, 2, 0 }, new[] { 1, 2 }, Exchanged)]
    [InlineData(new[] { 0, 0, 2 }, new[] { 1 }, Renamed)]
    public async Task Lists_that_exchanged_their_names_are_warned_about_by_every_command_that_reads_them(
        int[] order,
        int[] warned,
        string how
    )
    {
        DateTimeOffset time = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
        using RoundTrip trip = new();
        for (int i = 0; i < order.Length; i++)
        {
            await File.WriteAllTextAsync(Path.Join(trip.Source, "file"), $"{i}", TestContext.Current.CancellationToken);
            await trip.WriteAsync(trip.Options with { Time = time.AddMinutes(15 * i) });
        }

        string[] lists = [.. trip.VolumesOf("dlist")];
        byte[][] contents = [.. lists.Select(File.ReadAllBytes)];
        for (int i = 0; i < order.Length; i++)
        {
            await File.WriteAllBytesAsync(lists[i], contents[order[i]], TestContext.Current.CancellationToken);
        }

        string[] names = [.. lists.Select(list => Path.GetFileName(list)!)];
        string[] expected = [.. warned.Select(i => names[i])];
        await using (Backup checking = await Backup.OpenAsync(trip.Destination))
        {
            Assert.Equal(expected, Named((await checking.Maintenance.CheckAsync()).Issues));
        }

        await using (Backup drilled = await Backup.OpenAsync(trip.Destination))
        {
            Assert.Equal(
                expected,
                Named(
                    (
                        await drilled.ExecuteAsync(await drilled.PlanDrillAsync(drilled.Versions, new RestoreOptions()))
                    ).Issues
                )
            );
        }

        for (int i = 0; i < order.Length; i++)
        {
            await using Backup backup = await Backup.OpenAsync(trip.Destination);
            RestoreOptions options = new() { Target = Path.Join(trip.Folder, $"{i}") };
            RestoreReport report = await backup.ExecuteAsync(
                await backup.PlanAsync(backup.Versions[order.Length - 1 - i], options)
            );
            Assert.Equal(warned.Contains(i) ? [names[i]] : [], Named(report.Issues));
            Assert.Equal(1, report.FilesRestored);
        }

        IEnumerable<string> Named(IEnumerable<RestoreIssue> issues) =>
            issues
                .Select(issue =>
                {
                    Assert.Equal(IssueKind.Warning, issue.Kind);
                    Assert.Contains(how, issue.Reason, StringComparison.Ordinal);
                    return issue.Path;
                })
                .Order(StringComparer.Ordinal);
    }

    [Theory]
    [InlineData("20260601T000000Z", "20260101T000000Z", true)]
    [InlineData("20260601T000000Z", "20260531T120000Z", false)]
    [InlineData("20260601T000000Z", "20260901T000000Z", false)]
    public async Task A_list_made_before_the_time_in_its_name_is_warned_about(
        string name,
        string created,
        bool isWarned
    )
    {
        using MadeBackup backup = new() { Passphrase = Passphrase, Created = created };
        backup.File("/data/file", [1, 2, 3], MadeBackup.Metadata());
        backup.Write(name);
        RestoreReport report = await backup.RestoreAsync(new RestoreOptions());
        Assert.Equal(1, report.FilesRestored);
        Assert.Equal(isWarned ? [$"duplicati-{name}.dlist.zip.aes"] : [], report.Issues.Select(issue => issue.Path));
        Assert.All(report.Issues, issue => Assert.Contains(Renamed, issue.Reason, StringComparison.Ordinal));

        CliRun list = await CliRun.OfAsync("ls", backup.Source, $"--passphrase={Passphrase}");
        Assert.Equal(isWarned, list.Error.Contains(Renamed, StringComparison.Ordinal));
    }

    [Fact]
    public async Task An_archive_warns_of_links_that_lead_out_if_a_list_need_not_be_authentic()
    {
        using MadeBackup backup = new() { Passphrase = Passphrase };
        backup.Link("/data/out", "../../../etc");
        backup.File("/data/file", [1]);
        backup.Write();
        foreach (bool allows in new[] { false, true })
        {
            await using Backup opened = await OpenAsync(
                backup,
                new BackupOptions { Passphrase = Passphrase, AllowUnauthenticLists = allows }
            );
            using MemoryStream archive = new();
            ExportReport report = await opened.ExportArchiveAsync(opened.Versions[0], archive, ArchiveFormat.Tar);
            Assert.Equal(
                allows,
                report.Issues.Any(issue =>
                    issue.Reason.StartsWith("The link points out of the archive", StringComparison.Ordinal)
                )
            );
        }
    }

    private static Task<Backup> OpenAsync(MadeBackup backup, BackupOptions options) =>
        Backup.OpenAsync(backup.Source, options with { TimeProvider = new FakeClock { StartsAt = Now } });

    private static MadeBackup Encrypted()
    {
        MadeBackup backup = new() { Passphrase = Passphrase };
        backup.File("/data/file", [1, 2, 3], MadeBackup.Metadata());
        return backup.Write();
    }

    private static string Forge(MadeBackup backup)
    {
        backup.Passphrase = null;
        string name = backup.WriteList(ForgedTime, "[{\"type\":\"Folder\",\"path\":\"/data/forged/\"}]"u8.ToArray());
        backup.Passphrase = Passphrase;
        return name;
    }
}
