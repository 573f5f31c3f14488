using Restore.Cli;
using Restore.Tests.Cli;

namespace Restore.Tests.Maintenance.Keeping;

/// <summary>
/// A volume that is not there under its name, while a file stands for it or looks like it: it is
/// not lost, so nothing is deleted or rewritten as if it were.
/// </summary>
public sealed class StandInTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<string> Forms() => ["icloud", "txt", "part", "cloud", "empty", "link"];

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Nothing_is_compacted_while_a_file_stands_for_a_list(string form)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows() && form == "link", "Links need a privilege on Windows.");
        using KeptBackup kept = await KeptBackup.WriteAsync(71, versions: 3, "secret");
        string list = First(kept, "dlist");
        string restored = Replace(list, form);
        string[] before = Files(kept);
        await using (Backup backup = await kept.OpenAsync())
        {
            RestoreException refusal = await Assert.ThrowsAsync<RestoreException>(() =>
                backup.Maintenance.PlanCompactAsync(
                    new CompactOptions { ThresholdPercent = 1 },
                    cancellationToken: Token
                )
            );
            Assert.Equal(RestoreErrorCode.NeedsUnknown, refusal.Code);
            Assert.Contains(Path.GetFileName(list), refusal.Message, StringComparison.Ordinal);
        }

        Assert.Equal(before, Files(kept));
        Return(list, restored);
        await using Backup whole = await kept.OpenAsync();
        _ = await whole.Maintenance.PlanCompactAsync(new CompactOptions(), cancellationToken: Token);
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Nothing_is_purged_while_a_file_stands_for_a_block_volume(string form)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows() && form == "link", "Links need a privilege on Windows.");
        using KeptBackup kept = await KeptBackup.WriteAsync(72, versions: 2, "secret");
        string volume = First(kept, "dblock");
        _ = Replace(volume, form);
        string[] before = Files(kept);
        await using (Backup backup = await kept.OpenAsync())
        {
            if (form is "empty" or "link")
            {
                // It is there, and its index volume says what should be in it.
                Assert.Empty((await backup.Maintenance.PlanPurgeAsync(cancellationToken: Token)).Versions);
                return;
            }

            RestoreException refusal = await Assert.ThrowsAsync<RestoreException>(() =>
                backup.Maintenance.PlanPurgeAsync(cancellationToken: Token)
            );
            Assert.Equal(RestoreErrorCode.LossesUnknown, refusal.Code);
            Assert.Contains(Path.GetFileName(volume), refusal.Message, StringComparison.Ordinal);
        }

        CliRun check = await CliRun.OfAsync("check", kept.Location, "--passphrase=secret");
        Assert.Equal(ExitCodes.Incomplete, check.ExitCode);
        Assert.DoesNotContain("--purge-broken-files", check.Output + check.Error, StringComparison.Ordinal);
        Assert.Equal(before, Files(kept));
    }

    [Fact]
    public async Task A_newer_version_without_a_readable_list_is_said_and_nothing_is_removed_from_the_target()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(75, versions: 2, "secret");
        using TempFolder folder = new();
        string newest = Directory.GetFiles(kept.Location, "*.dlist.*").Order(StringComparer.Ordinal).Last();
        File.Move(newest, $"{newest}.txt");
        Directory.CreateDirectory(folder.Root);
        File.WriteAllText(folder.In("new"), "only the newest version has it");
        CliRun run = await CliRun.OfAsync(
            kept.Location,
            "--passphrase=secret",
            $"--restore-path={folder.Root}",
            "--overwrite",
            "--delete",
            "--yes"
        );
        Assert.Equal(ExitCodes.Failed, run.ExitCode);
        Assert.Contains(Path.GetFileName(newest), run.Error, StringComparison.Ordinal);
        Assert.True(File.Exists(folder.In("new")));
        CliRun check = await CliRun.OfAsync("check", kept.Location, "--passphrase=secret");
        Assert.Equal(ExitCodes.Incomplete, check.ExitCode);
    }

    [Fact]
    public async Task The_passphrase_stays_while_a_renamed_list_or_a_copy_would_keep_it()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(73, versions: 2, "secret");
        string list = First(kept, "dlist");
        foreach (bool isCopy in (bool[])[false, true])
        {
            string other = isCopy ? list.Replace(".zip.aes", " (1).zip.aes", StringComparison.Ordinal) : list + ".txt";
            File.Copy(list, other);
            if (!isCopy)
            {
                File.Delete(list);
            }

            string[] before = Files(kept);
            CliRun run = await CliRun.OfAsync(
                "repair",
                kept.Location,
                "--passphrase=secret",
                "--new-passphrase=other",
                "--yes"
            );
            Assert.NotEqual(ExitCodes.Complete, run.ExitCode);
            Assert.Contains(Path.GetFileName(other), run.Error, StringComparison.Ordinal);
            Assert.Equal(before, Files(kept));
            File.Move(other, list, overwrite: true);
        }
    }

    [Fact]
    public async Task A_deleted_version_does_not_come_back_from_copies_of_its_list()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(74, versions: 2, "secret");
        string list = First(kept, "dlist");
        foreach (string mark in (string[])[" (1)", " (2)", " - Copy"])
        {
            File.Copy(list, list.Replace(".zip.aes", $"{mark}.zip.aes", StringComparison.Ordinal));
        }

        CliRun run = await CliRun.OfAsync("delete", kept.Location, "--passphrase=secret", "--version=1", "--yes");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Single(Directory.GetFiles(kept.Location, "*.dlist*"));
        await using Backup left = await kept.OpenAsync();
        Assert.Single(left.Versions);
    }

    private static string First(KeptBackup kept, string kind) =>
        Directory.GetFiles(kept.Location, $"*.{kind}.*").Order(StringComparer.Ordinal).First();

    private static string[] Files(KeptBackup kept) =>
        [.. Directory.GetFiles(kept.Location).Order(StringComparer.Ordinal)];

    /// <summary>Replaces a volume by what a cloud, a program or a user leaves of it.</summary>
    /// <returns>Where its content is.</returns>
    private static string Replace(string volume, string form)
    {
        (string folder, string name) = (Path.GetDirectoryName(volume)!, Path.GetFileName(volume));
        string aside = Path.Combine(Path.GetDirectoryName(folder)!, name);
        string place = form switch
        {
            "icloud" => Path.Combine(folder, $".{name}.icloud"),
            "txt" or "part" => $"{volume}.{form}",
            _ => aside,
        };
        File.Move(volume, place);
        switch (form)
        {
            case "cloud":
                File.WriteAllBytes($"{volume}.cloud", []);
                break;
            case "empty":
                File.WriteAllBytes(volume, []);
                break;
            case "link":
                File.CreateSymbolicLink(volume, "/not/mounted");
                break;
        }

        return place;
    }

    private static void Return(string volume, string content)
    {
        File.Delete(volume);
        File.Move(content, volume);
        File.Delete($"{volume}.cloud");
    }
}
