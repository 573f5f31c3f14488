using System.Security.Cryptography;
using Restore.Cli;
using Restore.Encryption;
using Restore.Tests.Cli;
using Restore.Tests.Maintenance.Keeping;

namespace Restore.Tests.Maintenance;

/// <summary>A backup gets another passphrase, volume by volume.</summary>
public sealed class PassphraseChangeTests
{
    /// <summary>The options that these tests cover.</summary>
    internal static readonly string[] Options = ["--new-passphrase", "--new-passphrase-file", "--former-passphrase"];

    private const string Old = "former secret";
    private const string New = "new secret";

    [Fact]
    public async Task All_versions_restore_with_the_new_passphrase_and_no_volume_opens_with_the_former_one()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(21, versions: 3, Old);
        string before = kept.Copy();
        int volumes = Volumes(kept.Location).Length;

        PassphraseChangeReport report = await ChangeAsync(kept.Location);

        Assert.Empty(report.Issues);
        Assert.Empty(report.Left);
        Assert.Equal((volumes, volumes, 0), (report.ToChange, report.Changed, report.ChangedBefore));
        Assert.Equal(volumes, Volumes(kept.Location).Length);
        Assert.Empty(
            Volumes(kept.Location).Select(Path.GetFileName).Intersect(Volumes(before).Select(Path.GetFileName))
        );
        foreach (string volume in Volumes(kept.Location))
        {
            Assert.False(await OpensAsync(volume, Old), volume);
            Assert.True(await OpensAsync(volume, New), volume);
        }

        await AssertSameAsync(before, kept.Location, New);
        await using Backup backup = await OpenAsync(kept.Location, New);
        CheckReport check = await backup.Maintenance.CheckVolumesAsync();
        Assert.Empty(check.Issues);
        Assert.Empty(check.WithoutIndex);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Interrupted_at_any_change_everything_is_there_under_both_passphrases_and_the_same_command_completes_it(
        bool isDone
    )
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(22, versions: 2, Old);
        bool isInterrupted = true;
        for (int changes = 0; isInterrupted; changes += 2)
        {
            string copy = kept.Copy();
            InterruptedFolder store = new(copy, changes, isDone);
            await using (
                Backup backup = await Backup.OpenAsync(
                    store,
                    new BackupOptions { Passphrase = Old, FormerPassphrases = [New] }
                )
            )
            {
                Exception? failure = await Record.ExceptionAsync(() => backup.Maintenance.ChangePassphraseAsync(New));
                Assert.True(store.IsInterrupted || failure is null, $"{failure}");
                isInterrupted = store.IsInterrupted;
            }

            string what = $"after {changes} changes";
            await AssertSameAsync(kept.Location, copy, New, Old, what);
            await AssertSameAsync(kept.Location, copy, Old, New, what);
            PassphraseChangeReport report = await ChangeAsync(copy);
            Assert.True(report.Left.Count + report.Issues.Count == 0, $"{what}: {string.Join('\n', report.Issues)}");
            Assert.Equal(Volumes(kept.Location).Length, Volumes(copy).Length);
            await AssertSameAsync(kept.Location, copy, New, what: "completed " + what);
            await using (Backup backup = await OpenAsync(copy, New))
            {
                Assert.Empty((await backup.Maintenance.CheckAsync()).Issues);
            }

            Directory.Delete(copy, recursive: true);
        }
    }

    [Fact]
    public async Task A_second_run_has_nothing_to_do()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(23, versions: 2, Old);
        await ChangeAsync(kept.Location);
        string[] files = Volumes(kept.Location);

        PassphraseChangeReport report = await ChangeAsync(kept.Location);

        Assert.Equal((0, 0, files.Length), (report.ToChange, report.Changed, report.ChangedBefore));
        Assert.Equal(files, Volumes(kept.Location));
    }

    [Fact]
    public async Task A_damaged_block_volume_stays_with_its_index_volume_and_is_reported()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(24, versions: 2, Old);
        string damaged = Volumes(kept.Location).First(file => file.Contains(".dblock.", StringComparison.Ordinal));
        byte[] bytes = File.ReadAllBytes(damaged);
        bytes[bytes.Length / 2] ^= 1;
        File.WriteAllBytes(damaged, bytes);

        PassphraseChangeReport report = await ChangeAsync(kept.Location);

        Assert.Equal(Path.GetFileName(damaged), Assert.Single(report.Issues).Path);
        Assert.Equal(IssueKind.Damaged, report.Issues[0].Kind);
        Assert.Equal(2, report.Left.Count);
        Assert.Contains(report.Left, name => name.Contains(".dindex.", StringComparison.Ordinal));
        Assert.Equal(bytes, File.ReadAllBytes(damaged));
        foreach (string file in Volumes(kept.Location).Where(file => !report.Left.Contains(Path.GetFileName(file))))
        {
            Assert.True(await OpensAsync(file, New), file);
        }
    }

    [Fact]
    public async Task Without_a_lost_block_volume_the_rest_gets_the_new_passphrase_and_the_losses_stay_the_same()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(27, versions: 2, Old);
        string[] blocks =
        [
            .. Volumes(kept.Location).Where(file => file.Contains(".dblock.", StringComparison.Ordinal)),
        ];
        File.Delete(blocks.MaxBy(file => new FileInfo(file).Length)!);
        string before = kept.Copy();

        PassphraseChangeReport report = await ChangeAsync(kept.Location);

        Assert.Empty(report.Issues);
        Assert.Empty(report.Left);
        await using Backup old = await OpenAsync(before, Old);
        await using Backup changed = await OpenAsync(kept.Location, New);
        Assert.Equal(old.Versions.Count, changed.Versions.Count);
        List<string> losses = [];
        foreach (BackupVersion version in old.Versions)
        {
            string[] expected = await LossesAsync(old, version.Index);
            Assert.Equal(expected, await LossesAsync(changed, version.Index));
            losses.AddRange(expected);
        }

        Assert.NotEmpty(losses);

        static async Task<string[]> LossesAsync(Backup backup, int version)
        {
            RestorePlan plan = await backup.PlanDrillAsync([backup.Versions[version]], new RestoreOptions());
            RestoreReport report = await backup.ExecuteAsync(plan);
            return
            [
                .. report.Issues.Where(issue => issue.IsLoss).Select(issue => issue.Path).Order(StringComparer.Ordinal),
            ];
        }
    }

    [Fact]
    public async Task What_cannot_be_changed_is_refused_before_anything_is_written()
    {
        using KeptBackup open = await KeptBackup.WriteAsync(25, versions: 1);
        await RefusesAsync(open.Location, RestoreErrorCode.PassphraseNotChangeable);
        using KeptBackup kept = await KeptBackup.WriteAsync(25, versions: 1, Old);
        await RefusesAsync(kept.Location, RestoreErrorCode.PassphraseNotChangeable, next: "");
        await RefusesAsync(kept.Location, RestoreErrorCode.PassphraseNotChangeable, next: Old);
        await RefusesAsync(kept.Location, RestoreErrorCode.PassphraseNotText, next: "half \uD800");
        await RefusesAsync(kept.Location, RestoreErrorCode.PassphraseNotText, next: "bytes \uFFFD");
        await RefusesAsync(kept.Location, RestoreErrorCode.WrongPassphrase, former: "wrong");
        await using (
            Backup backup = await Backup.OpenAsync(
                new InterruptedFolder(kept.Location) { CanDelete = false },
                new BackupOptions { Passphrase = Old, FormerPassphrases = [New] }
            )
        )
        {
            RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
                backup.Maintenance.ChangePassphraseAsync(New)
            );
            Assert.Equal(RestoreErrorCode.StoreAppendOnly, failure.Code);
        }

        string gpg = Path.Join(kept.Location, "duplicati-b0123456789abcdef0123456789abcdef.dblock.zip.gpg");
        File.WriteAllText(gpg, "not read");
        await RefusesAsync(kept.Location, RestoreErrorCode.PassphraseNotChangeable);
    }

    [Fact]
    public async Task The_command_asks_changes_completes_and_shows_neither_passphrase()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(26, versions: 2, Old);
        string before = kept.Copy();
        string[] command = ["repair", kept.Location, $"--passphrase={Old}", $"--new-passphrase={New}"];

        CliRun dry = await CliRun.OfAsync([.. command, "--dry-run"]);
        Assert.True(dry.ExitCode == ExitCodes.Complete, dry.Error);
        Assert.Contains($"{Volumes(before).Length} volumes", dry.Output, StringComparison.Ordinal);
        CliRun unanswered = await CliRun.OfAsync(command);
        Assert.Equal(ExitCodes.Usage, unanswered.ExitCode);
        Assert.Equal(Volumes(before).Select(Path.GetFileName), Volumes(kept.Location).Select(Path.GetFileName));

        string database = Path.Join(kept.Folder, "local.sqlite");
        CliRun run = await CliRun.OfAsync([.. command, "--yes", "--verbose", $"--dbpath={database}"]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.True(File.Exists(database));
        Assert.All(
            [dry, unanswered, run],
            one => Assert.DoesNotContain(New, one.Output + one.Error, StringComparison.Ordinal)
        );
        Assert.All(
            [dry, unanswered, run],
            one => Assert.DoesNotContain(Old, one.Output + one.Error, StringComparison.Ordinal)
        );
        await AssertSameAsync(before, kept.Location, New);

        string newer = Path.Join(kept.Folder, "newer secret");
        File.WriteAllText(newer, "newer secret\n");
        CliRun again = await CliRun.OfAsync(
            "repair",
            kept.Location,
            $"--passphrase={New}",
            $"--new-passphrase-file={newer}",
            "--yes",
            $"--dbpath={database}"
        );
        Assert.True(again.ExitCode == ExitCodes.Complete, again.Output + again.Error);
        await AssertSameAsync(before, kept.Location, "newer secret");

        CliRun verify = await CliRun.OfAsync(
            "verify",
            before,
            "--passphrase=third",
            $"--former-passphrase={Old}",
            "--all-versions"
        );
        Assert.True(verify.ExitCode == ExitCodes.Complete, verify.Output + verify.Error);
        Assert.Equal("BackupOptions", new BackupOptions { FormerPassphrases = [Old] }.ToString());
    }

    [Theory]
    [InlineData("--purge-broken-files", "--new-passphrase changes the passphrase and nothing else")]
    [InlineData("--index-folder=/tmp", "--new-passphrase changes the passphrase and nothing else")]
    [InlineData("--rebuild-missing-dblock-files", "--new-passphrase changes the passphrase and nothing else")]
    [InlineData("--new-passphrase-file=/no/such/file", "--new-passphrase and --new-passphrase-file are both given")]
    [InlineData("--new-passphrase=", "The new passphrase is empty")]
    public async Task Options_that_contradict_it_are_refused(string option, string error)
    {
        CliRun run = await CliRun.OfAsync("repair", "/no/such/folder", $"--new-passphrase={New}", option);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(error, run.Error, StringComparison.Ordinal);
    }

    private static string[] Volumes(string folder) =>
        [.. Directory.GetFiles(folder, "duplicati-*").Order(StringComparer.Ordinal)];

    private static Task<Backup> OpenAsync(string folder, string passphrase, params string[] former) =>
        Backup.OpenAsync(folder, new BackupOptions { Passphrase = passphrase, FormerPassphrases = former });

    private static async Task<PassphraseChangeReport> ChangeAsync(string folder, string former = Old, string next = New)
    {
        await using Backup backup = await OpenAsync(folder, former, next);
        PassphraseChangeReport report = await new BackupMaintenance(backup) { BreakLock = true }.ChangePassphraseAsync(
            next
        );
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
        return report;
    }

    private static async Task RefusesAsync(string folder, string code, string former = Old, string next = New)
    {
        string[] before = Directory.GetFiles(folder);
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => ChangeAsync(folder, former, next));
        Assert.Equal(code, failure.Code);
        Assert.Equal(before, Directory.GetFiles(folder));
    }

    private static async Task<bool> OpensAsync(string volume, string passphrase)
    {
        try
        {
            using AesCryptSession session = await AesCryptSession.OpenAsync(
                await File.ReadAllBytesAsync(volume),
                passphrase,
                new KeyBudget(5_000_000),
                CancellationToken.None
            );
            return true;
        }
        catch (PassphraseException)
        {
            return false;
        }
    }

    /// <summary>
    /// Fails unless each version of the untouched backup restores the same from the other one.
    /// </summary>
    private static async Task AssertSameAsync(
        string untouched,
        string folder,
        string passphrase,
        string? former = null,
        string what = ""
    )
    {
        await using Backup expected = await OpenAsync(untouched, Old);
        await using Backup backup = await OpenAsync(folder, passphrase, former is null ? [] : [former]);
        foreach (BackupVersion version in expected.Versions)
        {
            BackupVersion[] found =
            [
                .. backup.Versions.Where(other => other.Time - version.Time is { TotalSeconds: >= 0 and < 20 }),
            ];
            Assert.True(found.Length > 0, $"{what}: no version of {version.Time}");
            string right = await RestoredAsync(expected, version, what);
            foreach (BackupVersion one in found)
            {
                Assert.Equal(right, await RestoredAsync(backup, one, what));
            }
        }
    }

    /// <summary>The paths and hashes of the files of a version.</summary>
    private static async Task<string> RestoredAsync(Backup backup, BackupVersion version, string what)
    {
        using TempFolder target = new();
        RestorePlan plan = await backup.PlanAsync(version, new RestoreOptions { Target = target.Path });
        RestoreReport report = await backup.ExecuteAsync(plan, new ExecuteOptions { SkipFlush = true });
        Assert.True(report.IsComplete, $"{what}: {string.Join('\n', report.Issues)}");
        return string.Join(
            '\n',
            Directory
                .GetFiles(target.Path, "*", SearchOption.AllDirectories)
                .Order(StringComparer.Ordinal)
                .Select(file =>
                    $"{Path.GetRelativePath(target.Path, file)} {Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(file)))}"
                )
        );
    }
}
