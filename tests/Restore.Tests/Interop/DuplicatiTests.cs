using System.IO.Compression;
using System.Security.Cryptography;
using System.Text.Json;
using System.Text.RegularExpressions;
using Restore.Cli;
using Restore.Tests.Cli;
using Restore.Tests.Maintenance.Keeping;
using Restore.Tests.Trust;
using Restore.Tests.Writing;

namespace Restore.Tests.Interop;

/// <summary>
/// Duplicati itself reads, checks and goes on with what was written, compacted, purged and repaired
/// here. Its exit codes: 0 for right, 1 and 2 for right with warnings, 50 and more for errors.
/// </summary>
[NeedsDuplicati]
public sealed partial class DuplicatiTests
{
    private static readonly CompactOptions Often = new()
    {
        ThresholdPercent = 1,
        VolumeSizeBytes = 20 << 10,
        SmallFileMaxCount = 2,
    };

    public static TheoryData<string?, string, string> Settings() =>
        new()
        {
            { null, "SHA256", "SHA256" },
            { "secret", "SHA256", "SHA256" },
            { null, "SHA512", "SHA256" },
            { "secret", "SHA1", "SHA384" },
            { null, "MD5", "SHA512" },
        };

    [Theory]
    [MemberData(nameof(Settings))]
    public async Task A_backup_of_every_setting_is_one_of_its_own(string? passphrase, string blockHash, string fileHash)
    {
        using RoundTrip trip = new();
        SourceTree.Make(trip.Source, seed: 5, blockSizeBytes: 1024);

        // Duplicati's command line leaves out what it cannot name.
        await File.WriteAllTextAsync(Path.Join(trip.Source, "text"), "text", TestContext.Current.CancellationToken);
        for (int version = 0; version < 2; version++)
        {
            File.WriteAllBytes(Path.Join(trip.Source, "changes"), SourceTree.Bytes(new Random(version), 40_000));
            await trip.WriteAsync(
                trip.Options with
                {
                    Passphrase = passphrase,
                    BlockHash = blockHash,
                    FileHash = fileHash,
                }
            );
        }

        await using Judge judge = new(trip.Destination, trip.Source, passphrase);
        await judge.ReadAsync();
        await judge.GoOnAsync(isUnchanged: true);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("secret")]
    public async Task What_a_deletion_and_a_compact_leave_is_a_backup_to_go_on_with(string? passphrase)
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(71, versions: 5, passphrase);
        await using Judge judge = new(kept.Location, kept.Source, passphrase);
        await judge.RetainAsync("1Y:2D", kept);
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 2 });
        await kept.CompactAsync(Often);
        await judge.ReadAsync();
        await judge.GoOnAsync(isUnchanged: true);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("secret")]
    public async Task What_a_purge_leaves_is_a_backup_to_go_on_with(string? passphrase)
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(72, versions: 3, passphrase);
        PurgeRunTests.Lose(kept.Location, volumes: 2);
        await using (Backup backup = await kept.OpenAsync())
        {
            PurgePlan plan = await backup.Maintenance.PlanPurgeAsync();
            Assert.True(plan.IsNeeded);
            await backup.Maintenance.PurgeAsync(plan);

            // No file is left of these, so a purge does not touch them: what they need is lost for
            // good.
            PurgedVersion[] staying = [.. plan.Versions.Where(version => version.StaysBecause is not null)];
            if (staying.Length > 0)
            {
                await kept.DeleteAsync(
                    new RetentionRules { Versions = [.. staying.Select(version => version.Version.Index)] }
                );
            }
        }

        // Index volumes of what is lost.
        await kept.CompactAsync(new CompactOptions { ThresholdPercent = 100 });
        await using Judge judge = new(kept.Location, kept.Source, passphrase);
        await judge.ReadAsync(comparesSource: false);
        await judge.GoOnAsync(isUnchanged: false);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("secret")]
    public async Task A_database_that_was_made_here_is_one_to_go_on_with(string? passphrase)
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(73, versions: 3, passphrase);
        await using Judge judge = new(kept.Location, kept.Source, passphrase);
        await using (Backup backup = await kept.OpenAsync())
        {
            await backup.Maintenance.WriteDatabaseAsync(judge.DatabasePath);
        }

        await judge.GoOnAsync(isUnchanged: true);
    }

    [Fact]
    public async Task Entries_that_lost_their_metadata_have_some_again()
    {
        byte[] lost = MadeBackup.Metadata(("uid", "7"));
        using MadeBackup made = new();
        made.Folder("/data/", lost);
        made.File("/data/file", [1, 2, 3], lost);
        made.Forget(lost);
        made.Write();
        await using (Backup backup = await Backup.OpenAsync(made.Source))
        {
            await backup.Maintenance.PurgeAsync(await backup.Maintenance.PlanPurgeAsync());
        }

        await using Judge judge = new(made.Source, source: null, passphrase: null);
        await judge.ReadAsync(comparesSource: false);
    }

    [Fact]
    public async Task A_block_of_zeros_that_was_in_no_volume_is_in_one_after_a_repair()
    {
        using MadeBackup made = new();
        byte[] metadata = MadeBackup.Metadata();
        byte[] zeros = new byte[made.BlockSizeBytes];
        made.Folder("/data/", metadata);
        made.File("/data/zeros", zeros, metadata);
        made.File("/data/more", [.. zeros, .. zeros, 1, 2, 3], metadata);
        made.Forget(zeros);
        made.Write();

        // The index has no copy of the list of blocks, so Duplicati replaces it; a repair makes a
        // whole one.
        Array.ForEach(Directory.GetFiles(made.Source, "*.dindex*"), File.Delete);
        await using (Backup backup = await Backup.OpenAsync(made.Source))
        {
            await backup.Maintenance.RepairAsync(made.Source);
        }

        await using Judge judge = new(made.Source, source: null, passphrase: null);
        await judge.ReadAsync(comparesSource: false);
    }

    [Theory]
    [InlineData]
    [InlineData("--include=*.txt")]
    [InlineData("--include=*/a/")]
    [InlineData("--include=*.txt", "--exclude=*/d/")]
    [InlineData("--exclude=*/c/")]
    [InlineData("--skip-files-larger-than=2kb")]
    [InlineData("--symlink-policy=follow")]
    [InlineData("--symlink-policy=ignore")]
    [InlineData("--hardlink-policy=first")]
    public async Task The_same_entries_are_taken_as_by_Duplicati(params string[] options)
    {
        using TempFolder folder = new();
        string source = Directory.CreateDirectory(Path.Join(folder.Path, "source")).FullName;
        foreach (string file in new[] { "a/b/text.txt", "c/text.doc", "d/e/text.txt", "long", "f" })
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.Join(source, file))!);
            File.WriteAllText(Path.Join(source, file), new string('x', file == "long" ? 5000 : 5));
        }

        Directory.CreateDirectory(Path.Join(source, "empty"));
        File.CreateSymbolicLink(Path.Join(source, "dangling"), "nowhere");
        File.CreateSymbolicLink(Path.Join(source, "link"), "a/b/text.txt");
        Directory.CreateSymbolicLink(Path.Join(source, "folder link"), "c");
        string[] sources = [source, Path.Join(source, "long")];

        string ours = Path.Join(folder.Path, "ours");
        CliRun run = await CliRun.OfAsync(["backup", .. sources, ours, "--no-encryption", .. options]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        using DuplicatiProgram program = new();
        string theirs = Directory.CreateDirectory(Path.Join(folder.Path, "theirs")).FullName;
        DuplicatiRun judged = await program.RunAsync([
            "backup",
            "file://" + theirs,
            .. sources,
            "--no-encryption=true",
            $"--dbpath={Path.Join(folder.Path, "sqlite")}",
            .. options,
        ]);
        Assert.True(judged.ExitCode is 0 or 1 or 2, judged.ToString());
        Assert.Equal(Entries(theirs), Entries(ours));

        static string[] Entries(string location)
        {
            using ZipArchive list = ZipFile.OpenRead(Directory.GetFiles(location, "*.dlist.zip").Single());
            using JsonDocument entries = JsonDocument.Parse(list.GetEntry("filelist.json")!.Open());
            return
            [
                .. entries
                    .RootElement.EnumerateArray()
                    .Select(entry => $"{entry.GetProperty("type")} {entry.GetProperty("path")}")
                    .Order(StringComparer.Ordinal),
            ];
        }
    }

    /// <summary>Asks Duplicati about one backup.</summary>
    private sealed partial class Judge(string location, string? source, string? passphrase) : IAsyncDisposable
    {
        private readonly DuplicatiProgram program = new();
        private readonly TempFolder folder = new();

        private string Url => "file://" + location;

        private string[] Common =>
            [passphrase is null ? "--no-encryption=true" : $"--passphrase={passphrase}", "--no-auto-compact=true"];

        public string DatabasePath => Path.Join(folder.Path, "judge.sqlite");

        private string Database => $"--dbpath={DatabasePath}";

        /// <summary>
        /// Everything that changes nothing, with a database that Duplicati makes.
        /// </summary>
        public async Task ReadAsync(bool comparesSource = true)
        {
            string[] before = Directory.GetFiles(location);
            await RightAsync("list", Url, "*", "--no-local-db=true");
            string target = Path.Join(folder.Path, $"restored");
            await RightAsync(
                "restore",
                Url,
                "*",
                "--no-local-db=true",
                $"--restore-path={target}",
                "--restore-permissions=false"
            );
            if (comparesSource)
            {
                Assert.Equal(Files(source!), Files(target));
            }

            await RightAsync("repair", Url, Database);
            await RightAsync("test", Url, "all", "--full-remote-verification=true", Database);
            DuplicatiRun broken = await RightAsync("list-broken-files", Url, Database);
            Assert.DoesNotContain("match", broken.Output, StringComparison.OrdinalIgnoreCase);
            await RightAsync("purge-broken-files", Url, Database);
            await RightAsync("affected", Url, Path.GetFileName(Directory.GetFiles(location, "*.dblock*")[0]), Database);
            Assert.Equal(before.Order(), Directory.GetFiles(location).Order());
        }

        /// <summary>
        /// The next backup, whose checks for consistency run over the whole database.
        /// </summary>
        public async Task GoOnAsync(bool isUnchanged)
        {
            string[] before = Directory.GetFiles(location, "*.dblock*");
            await RightAsync("backup", Url, source!, Database, "--upload-unchanged-backups=true");
            string[] after = Directory.GetFiles(location, "*.dblock*");
            Assert.True(!isUnchanged || before.Length == after.Length, "Duplicati found something changed");
            await RightAsync("test", Url, "all", "--full-remote-verification=true", Database);
        }

        /// <summary>Duplicati deletes the same versions by a policy.</summary>
        public async Task RetainAsync(string policy, KeptBackup kept)
        {
            await RightAsync("repair", Url, Database);
            DuplicatiRun run = await RightAsync(
                "delete",
                Url,
                $"--retention-policy={policy}",
                "--dry-run=true",
                Database
            );
            File.Delete(DatabasePath);
            await using Backup backup = await kept.OpenAsync();
            Assert.True(RetentionPolicy.TryParse(policy, out RetentionPolicy? parsed, out _));
            DeletionPlan plan = await backup.Maintenance.PlanDeletionAsync(new RetentionRules { Policy = parsed });
            Assert.NotEmpty(plan.Deleted);
            Assert.Equal(
                plan.Deleted.Select(version => version.FileListName).Order(StringComparer.Ordinal),
                ListName().Matches(run.Output).Select(match => match.Value).Distinct().Order(StringComparer.Ordinal)
            );
        }

        public ValueTask DisposeAsync()
        {
            program.Dispose();
            folder.Dispose();
            return ValueTask.CompletedTask;
        }

        [GeneratedRegex(@"duplicati-\d{8}T\d{6}Z\.dlist\.zip(\.aes)?")]
        private static partial Regex ListName();

        private async Task<DuplicatiRun> RightAsync(params string[] arguments)
        {
            DuplicatiRun run = await program.RunAsync([.. arguments, .. Common]);
            Assert.True(run.ExitCode is 0 or 1 or 2, $"{string.Join(' ', arguments)}: {run}");
            TestContext.Current.TestOutputHelper?.WriteLine($"{arguments[0]}: exit code {run.ExitCode}");
            return run;
        }

        private static string[] Files(string root) =>
            [
                .. Directory
                    .GetFiles(
                        root,
                        "*",
                        new EnumerationOptions
                        {
                            RecurseSubdirectories = true,
                            AttributesToSkip = FileAttributes.ReparsePoint,
                        }
                    )
                    .Select(file =>
                        $"{Path.GetRelativePath(root, file)} {Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(file)))}"
                    )
                    .Order(StringComparer.Ordinal),
            ];
    }
}
