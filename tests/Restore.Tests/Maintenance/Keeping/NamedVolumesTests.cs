using Restore.Cli;
using Restore.Tests.Cli;

namespace Restore.Tests.Maintenance.Keeping;

/// <summary>
/// What a command would have to know is not known while a file of the folder may be a volume that
/// is not there under its name. So nothing is changed by a command that needs a volume of this kind.
/// </summary>
public sealed class NamedVolumesTests
{
    private const string Old = "old";
    private const string New = "new";

    private static readonly CompactOptions Often = new()
    {
        ThresholdPercent = 1,
        VolumeSizeBytes = 20 << 10,
        SmallFileMaxCount = 2,
    };

    public static TheoryData<string> Forms =>
        [".{0}.icloud", "{0}.cloud", "{0}.txt", "{0}.part", "{0}~", "{0}.bak", "{0}.aes", "\u2013{0}.1"];

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task A_file_list_under_another_name_stops_compact_delete_and_a_new_passphrase(string form)
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(41, versions: 3, Old);
        string list = Lists(kept.Location)[0];
        string name = string.Format(null, form, Path.GetFileName(list));
        File.Move(list, Path.Join(kept.Location, name));

        await RefusedAsync(kept, name, backup => backup.Maintenance.PlanCompactAsync(Often));
        await RefusedAsync(
            kept,
            name,
            backup => backup.Maintenance.PlanDeletionAsync(new RetentionRules { KeepVersions = 1 })
        );
        await RefusedAsync(kept, name, backup => backup.Maintenance.ChangePassphraseAsync(New));

        File.Move(Path.Join(kept.Location, name), list);
        await kept.CompactAsync(Often);
        await kept.AssertRestorableAsync(kept.Times);
    }

    [Fact]
    public async Task Compact_goes_on_with_a_block_volume_under_another_name_and_loses_nothing()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(48, versions: 3, Old);
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 1 });
        string volume = Directory.GetFiles(kept.Location, "*.dblock*").MaxBy(file => new FileInfo(file).Length)!;
        File.Move(volume, volume + ".txt");

        CompactReport report = await kept.CompactAsync(Often);
        Assert.True(report.VolumesDeleted > 0);
        File.Move(volume + ".txt", volume);
        await kept.AssertRestorableAsync(kept.Times.TakeLast(1));
    }

    [Fact]
    public async Task The_lists_of_another_backup_are_not_deleted_with_the_versions_of_this_one()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(49, versions: 3, Old);
        string list = Lists(kept.Location)[0];
        string[] foreign = [.. ((string[])["my_", "_"]).Select(mark => mark + Path.GetFileName(list))];
        foreach (string name in foreign)
        {
            File.WriteAllBytes(Path.Join(kept.Location, name), [.. File.ReadAllBytes(list), 0]);
        }

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => kept.OpenAsync());
        Assert.Equal(RestoreErrorCode.SeveralBackups, failure.Code);
        await using Backup backup = await Backup.OpenAsync(
            kept.Location,
            new BackupOptions { Passphrase = Old, Prefix = "duplicati" }
        );
        Assert.Equal(3, backup.Versions.Count);
        DeletionPlan plan = await backup.Maintenance.PlanDeletionAsync(new RetentionRules { KeepVersions = 1 });
        await backup.Maintenance.DeleteVersionsAsync(plan);
        Assert.All(foreign, name => Assert.True(File.Exists(Path.Join(kept.Location, name)), name));
        Assert.Single(Directory.GetFiles(kept.Location, "duplicati-*.dlist*"));
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Nothing_counts_as_lost_while_a_block_volume_has_another_name(string form)
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(42, versions: 2, Old);
        string volume = Directory.GetFiles(kept.Location, "*.dblock*").MaxBy(file => new FileInfo(file).Length)!;
        string name = string.Format(null, form, Path.GetFileName(volume));
        File.Move(volume, Path.Join(kept.Location, name));

        await RefusedAsync(kept, name, backup => backup.Maintenance.PlanPurgeAsync());
        await RefusedAsync(kept, name, backup => backup.Maintenance.ChangePassphraseAsync(New));
        await using Backup backup = await kept.OpenAsync();
        CheckReport report = await backup.Maintenance.CheckAsync();
        Assert.Contains(report.Issues, issue => issue.Volumes.Contains(name));
        Assert.DoesNotContain(report.Issues, issue => issue.Code == IssueCode.BlocksLost);
    }

    [Theory]
    [InlineData("link")]
    [InlineData("folder")]
    [InlineData("empty")]
    public async Task A_volume_whose_place_is_taken_counts_neither_as_lost_nor_as_gone(string what)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows() && what == "link", "Links need a privilege on Windows.");
        using KeptBackup kept = await KeptBackup.WriteAsync(43, versions: 3, Old);
        string copy = kept.Copy();
        string list = Lists(kept.Location)[0];
        string volume = Directory.GetFiles(copy, "*.dblock*").MaxBy(file => new FileInfo(file).Length)!;
        Replace(list, what);
        Replace(volume, what);

        await using (Backup backup = await kept.OpenAsync())
        {
            RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
                backup.Maintenance.PlanCompactAsync(Often)
            );
            Assert.Equal(RestoreErrorCode.NeedsUnknown, failure.Code);
            Assert.Contains(Path.GetFileName(list), failure.Message, StringComparison.Ordinal);
            // A folder stops what changes something, and is no version.
            Assert.Equal(what == "folder" ? 2 : 3, backup.Versions.Count);
        }

        await RefusedAsync(kept, Path.GetFileName(list), backup => backup.Maintenance.ChangePassphraseAsync(New));
        await using Backup other = await kept.OpenAsync(copy);
        Assert.False((await other.Maintenance.PlanPurgeAsync()).IsNeeded);
        Assert.DoesNotContain(
            (await other.Maintenance.CheckAsync()).Issues,
            issue => issue.Code == IssueCode.BlocksLost
        );
    }

    [Fact]
    public async Task A_deleted_version_does_not_come_back_from_copies_of_its_list()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(44, versions: 3, Old);
        string list = Lists(kept.Location)[0];
        string[] copies = [" (1).zip.aes", " (2).zip.aes"];
        foreach (string end in copies)
        {
            File.Copy(list, list.Replace(".zip.aes", end, StringComparison.Ordinal));
        }

        File.Copy(list, Path.Join(kept.Location, "copy_" + Path.GetFileName(list)));
        File.Copy(list, list + ".bak");
        await using (Backup backup = await kept.OpenAsync())
        {
            DeletionPlan plan = await backup.Maintenance.PlanDeletionAsync(new RetentionRules { Versions = [2] });
            Assert.Contains(plan.Issues, issue => issue.Path == Path.GetFileName(list) + ".bak");
            await backup.Maintenance.DeleteVersionsAsync(plan);
        }

        Assert.Equal(3, Lists(kept.Location).Length);
        await RefusedAsync(kept, Path.GetFileName(list) + ".bak", backup => backup.Maintenance.PlanCompactAsync(Often));
        File.Delete(list + ".bak");
        await using Backup left = await kept.OpenAsync();
        Assert.Equal(2, left.Versions.Count);
        await kept.CompactAsync(Often);
        await kept.AssertRestorableAsync(kept.Times.TakeLast(2));
    }

    [Fact]
    public async Task A_copy_of_a_list_stops_a_new_passphrase_and_without_the_list_compact_too()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(45, versions: 2, Old);
        string list = Lists(kept.Location)[0];
        string copy = "copy_" + Path.GetFileName(list);
        File.Copy(list, Path.Join(kept.Location, copy));

        await RefusedAsync(kept, copy, backup => backup.Maintenance.ChangePassphraseAsync(New));
        File.Delete(list);
        await RefusedAsync(kept, copy, backup => backup.Maintenance.ChangePassphraseAsync(New));
        await RefusedAsync(kept, copy, backup => backup.Maintenance.PlanCompactAsync(Often));
        File.Move(Path.Join(kept.Location, copy), list);
        await kept.CompactAsync(Often);
        await kept.AssertRestorableAsync(kept.Times);
    }

    [Fact]
    public async Task Ordinary_strangers_in_the_folder_stop_nothing()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(14, versions: 3, Old);
        string gone = Path.GetFileName(Lists(kept.Location)[0]);
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 1 });
        string[] strangers =
        [
            "README.txt",
            ".DS_Store",
            "desktop.ini",
            "restore.html",
            "duplicati-verification.json",
            "run-20260101T000000Z.log",
            "restore-lock.other.20260101T000000Z.0123.host",
            "incomplete_duplicati=20260101T000000Z.dlist.zip.aes",
            $"._{gone}",
            $"{gone}.par2",
        ];
        foreach (string name in strangers)
        {
            File.WriteAllText(Path.Join(kept.Location, name), "stranger");
        }

        Directory.CreateDirectory(Path.Join(kept.Location, "photos"));
        Assert.True((await kept.CompactAsync(Often)).VolumesDeleted > 0);
        await kept.AssertRestorableAsync(kept.Times.TakeLast(1));
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 1 });
        await using Backup backup = await Backup.OpenAsync(
            kept.Location,
            new BackupOptions { Passphrase = Old, FormerPassphrases = [New] }
        );
        Assert.Empty((await backup.Maintenance.ChangePassphraseAsync(New)).Issues);
    }

    [Fact]
    public async Task The_command_says_what_is_in_the_way_and_what_to_do()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(47, versions: 2, Old);
        string list = Lists(kept.Location)[0];
        File.Move(list, list + ".txt");

        CliRun run = await CliRun.OfAsync("compact", kept.Location, $"--passphrase={Old}", "--yes");

        Assert.Equal(ExitCodes.Failed, run.ExitCode);
        Assert.Contains(Path.GetFileName(list) + ".txt looks like a volume", run.Error, StringComparison.Ordinal);
        Assert.Contains("give it its name", run.Error, StringComparison.Ordinal);
    }

    private static string[] Lists(string folder) =>
        [.. Directory.GetFiles(folder, "*.dlist*").Order(StringComparer.Ordinal)];

    private static void Replace(string file, string what)
    {
        File.Delete(file);
        _ = what switch
        {
            "link" => File.CreateSymbolicLink(file, Path.Join(Path.GetTempPath(), "not mounted", "anywhere")),
            "folder" => Directory.CreateDirectory(file),
            _ => (FileSystemInfo)Empty(file),
        };

        static FileInfo Empty(string file)
        {
            File.WriteAllBytes(file, []);
            return new FileInfo(file);
        }
    }

    private static async Task RefusedAsync(KeptBackup kept, string name, Func<Backup, Task> change)
    {
        string[] before = [.. Directory.GetFileSystemEntries(kept.Location).Order(StringComparer.Ordinal)];
        await using Backup backup = await Backup.OpenAsync(
            kept.Location,
            new BackupOptions { Passphrase = Old, FormerPassphrases = [New] }
        );
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => change(backup));
        Assert.Contains(
            failure.Code,
            (string[])
                [
                    RestoreErrorCode.NeedsUnknown,
                    RestoreErrorCode.LossesUnknown,
                    RestoreErrorCode.PassphraseNotChangeable,
                ]
        );
        Assert.Contains(name, failure.Message, StringComparison.Ordinal);
        Assert.Equal(before, Directory.GetFileSystemEntries(kept.Location).Order(StringComparer.Ordinal));
    }
}
