using System.IO.Compression;
using System.Security.Cryptography;
using Restore.Maintenance.Purge;
using Restore.Tests.Trust;
using Restore.Tests.Writing;

namespace Restore.Tests.Maintenance.Keeping;

/// <summary>File lists without the entries whose blocks are in no volume.</summary>
public sealed class PurgeRunTests
{
    private const string Lock = "restore-lock";

    [Theory]
    [InlineData(31, null)]
    [InlineData(32, "secret")]
    public async Task Afterwards_every_version_restores_without_loss_and_has_all_that_was_whole(
        int seed,
        string? passphrase
    )
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(seed, versions: 3, passphrase);
        Lose(kept.Location, volumes: 2);
        Dictionary<string, string>[] whole = await WholeAsync(kept, kept.Location, isComplete: false);
        int lists = Directory.GetFiles(kept.Location, "*.dlist*").Length;
        await using (Backup backup = await kept.OpenAsync())
        {
            PurgePlan plan;
            await using (Backup first = await kept.OpenAsync())
            {
                plan = await first.Maintenance.PlanPurgeAsync();
            }

            Assert.True(plan.Versions.Sum(version => version.Removed) > 0);
            Assert.All(plan.Versions, version => Assert.Null(version.StaysBecause));
            PurgeReport report = await backup.Maintenance.PurgeAsync(plan);
            Assert.Equal(
                plan.Versions.Select(version => version.Version.FileListName).Order(),
                report.Replaced.Select(list => list.Deleted).Order()
            );
            Assert.DoesNotContain(report.Issues, issue => issue.Kind is not IssueKind.Warning);
            Assert.Equal(0, backup.Pool.OutstandingBuffers);
        }

        await AssertPurgedAsync(kept, kept.Location, whole, lists);
    }

    /// <summary>
    /// In the first backup one volume has nothing but a list of blocks, in the second one no file
    /// of a version outlives a volume.
    /// </summary>
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task Whatever_volume_is_gone_no_block_is_lost_afterwards_unless_a_version_stays(int seed)
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(seed, versions: 3, "secret", size: 3);
        BackupOptions options = new() { Passphrase = "secret" };
        foreach (string volume in Directory.GetFiles(kept.Location, "*.dblock*"))
        {
            using TempFolder copy = new();
            foreach (string file in Directory.GetFiles(kept.Location).Where(file => file != volume))
            {
                File.Copy(file, Path.Combine(copy.Path, Path.GetFileName(file)));
            }

            PurgePlan plan;
            await using (Backup backup = await Backup.OpenAsync(copy.Path, options))
            {
                plan = await backup.Maintenance.PlanPurgeAsync();
                await backup.Maintenance.PurgeAsync(plan);
            }

            await using Backup purged = await Backup.OpenAsync(copy.Path, options);
            CheckReport check = await purged.Maintenance.CheckAsync();
            Assert.Equal(plan.Versions.Any(version => version.StaysBecause is not null), check.LostBlocks > 0);
        }
    }

    [Theory]
    [InlineData(null)]
    [InlineData("secret")]
    public async Task Entries_that_lost_their_metadata_get_an_empty_one_that_a_volume_has(string? passphrase)
    {
        byte[] lost = MadeBackup.Metadata(("uid", "7"));
        using MadeBackup made = new() { Passphrase = passphrase };
        made.Folder("/data/", lost);
        made.File("/data/file", [1, 2, 3], lost);
        made.Forget(lost);
        made.Write();
        await using (Backup backup = await Backup.OpenAsync(made.Source, new BackupOptions { Passphrase = passphrase }))
        {
            PurgePlan plan = await backup.Maintenance.PlanPurgeAsync();
            Assert.Equal(2, Assert.Single(plan.Versions).WithoutMetadata);
            PurgeReport report = await backup.Maintenance.PurgeAsync(plan);
            Assert.Single(report.Replaced);
            Assert.Equal(5, Directory.GetFiles(made.Source).Length);
            Assert.Equal(0, backup.Pool.OutstandingBuffers);
        }

        await using Backup purged = await Backup.OpenAsync(made.Source, new BackupOptions { Passphrase = passphrase });
        List<BackupEntry> entries = [];
        await foreach (BackupEntry entry in purged.ListAsync(purged.Versions[0]))
        {
            entries.Add(entry);
        }

        Assert.Equal(2, entries.Count);
        CheckReport check = await purged.Maintenance.CheckAsync();
        Assert.Equal(0, check.LostBlocks);

        // The file, and the two bytes of empty metadata: each entry refers to a block that a volume
        // has.
        Assert.Equal(2, check.Blocks);
        Assert.Empty(check.WithoutIndex);
        RestoreReport restored = await made.RestoreAsync();
        Assert.True(restored.IsComplete, string.Join('\n', restored.Issues));
    }

    [Fact]
    public async Task A_list_of_blocks_of_which_only_an_index_volume_has_a_copy_is_in_a_volume_again()
    {
        using MadeBackup made = new();
        byte[] content = RandomNumberGenerator.GetBytes(made.BlockSizeBytes + 1);
        byte[] list = [.. content.Chunk(made.BlockSizeBytes).SelectMany(SHA256.HashData)];
        made.File("/data/long", content);
        made.File("/data/lost", [1, 2, 3]);
        made.Forget(list);
        made.Forget([1, 2, 3]);
        made.Write();
        string index = Assert.Single(Directory.GetFiles(made.Source, "*.dindex*"));
        using (ZipArchive archive = ZipFile.Open(index, ZipArchiveMode.Update))
        {
            using Stream copy = archive
                .CreateEntry("list/" + MadeBackup.Hash(list).Replace('+', '-').Replace('/', '_'))
                .Open();
            copy.Write(list);
        }

        await using (Backup backup = await Backup.OpenAsync(made.Source))
        {
            PurgePlan plan = await backup.Maintenance.PlanPurgeAsync();
            Assert.Equal(["/data/lost"], Assert.Single(plan.Versions).RemovedPaths);
            await backup.Maintenance.PurgeAsync(plan);
        }

        File.Delete(index);
        await using Backup purged = await Backup.OpenAsync(made.Source);
        Assert.Equal(0, (await purged.Maintenance.CheckAsync()).LostBlocks);
        RestoreReport restored = await made.RestoreAsync();
        Assert.True(restored.IsComplete, string.Join('\n', restored.Issues));
    }

    [Fact]
    public async Task A_block_of_zeros_that_was_lost_with_others_is_in_a_volume_again()
    {
        using MadeBackup made = new();
        byte[] zeros = new byte[made.BlockSizeBytes];
        made.File("/data/zeros", zeros);
        made.File("/data/lost", [1, 2, 3]);
        made.Forget(zeros);
        made.Forget([1, 2, 3]);
        made.File("/data/kept", [4, 5, 6]);
        made.Write();
        await using (Backup backup = await Backup.OpenAsync(made.Source))
        {
            Assert.Equal(1, Assert.Single((await backup.Maintenance.PlanPurgeAsync()).Versions).Removed);
            await backup.Maintenance.PurgeAsync(await backup.Maintenance.PlanPurgeAsync());
        }

        await using Backup purged = await Backup.OpenAsync(made.Source);
        Assert.Empty((await purged.Maintenance.CheckAsync()).Issues);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Interrupted_at_any_change_nothing_is_lost_and_the_next_purge_cleans_up(bool isDone)
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(33, versions: 2);
        Lose(kept.Location, volumes: 1);
        Dictionary<string, string>[] whole = await WholeAsync(kept, kept.Location, isComplete: false);
        bool isInterrupted = true;
        for (int changes = 0; isInterrupted; changes++)
        {
            string copy = kept.Copy();
            InterruptedFolder store = new(copy, changes, isDone);
            await using (Backup backup = await kept.OpenAsync(store))
            {
                PurgePlan plan = await backup.Maintenance.PlanPurgeAsync();
                Exception? failure = await Record.ExceptionAsync(() => backup.Maintenance.PurgeAsync(plan));
                Assert.True(store.IsInterrupted || failure is null, $"{failure}");
                isInterrupted = store.IsInterrupted;
            }

            Dictionary<string, string>[] left = await WholeAsync(kept, copy, isComplete: false);
            Assert.All(whole, version => Assert.Contains(left, other => version.All(other.Contains)));
            await using (Backup backup = await kept.OpenAsync(copy))
            {
                await new BackupMaintenance(backup) { BreakLock = true }.PurgeAsync(
                    await backup.Maintenance.PlanPurgeAsync()
                );
            }

            await AssertPurgedAsync(kept, copy, whole, lists: 2);
            Directory.Delete(copy, recursive: true);
        }
    }

    [Fact]
    public async Task Old_lists_go_only_when_the_store_has_all_new_ones()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(34, versions: 2);
        Lose(kept.Location, volumes: 1);
        InterruptedFolder store = new(kept.Location);
        await using Backup backup = await kept.OpenAsync(store);
        await backup.Maintenance.PurgeAsync(await backup.Maintenance.PlanPurgeAsync());
        string[] calls = [.. store.Calls.Where(call => !call.Contains(Lock, StringComparison.Ordinal))];
        string[] lists = [.. calls.Where(call => call.Contains(".dlist.", StringComparison.Ordinal))];
        Assert.Equal(["put", "put", "delete", "delete"], lists.Select(call => call.Split(' ')[0]));
        Assert.Equal(calls.OrderByDescending(call => call.StartsWith("put", StringComparison.Ordinal)), calls);
        Assert.StartsWith("put " + Lock, store.Calls[0], StringComparison.Ordinal);
        Assert.StartsWith("delete " + Lock, store.Calls[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Of_a_sound_backup_nothing_is_replaced()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(35, versions: 1);
        await using Backup backup = await kept.OpenAsync();
        PurgePlan plan = await backup.Maintenance.PlanPurgeAsync();
        Assert.Equal((0L, 0, false), (plan.LostBlocks, plan.Versions.Count, plan.IsNeeded));
    }

    [Fact]
    public async Task What_cannot_be_read_is_not_lost()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(36, versions: 1);
        Lose(kept.Location, volumes: 1);
        Array.ForEach(Directory.GetFiles(kept.Location, "*.dindex*"), File.Delete);
        File.WriteAllBytes(Directory.GetFiles(kept.Location, "*.dblock*")[0], []);
        Assert.Contains("dblock.zip cannot be read", await RefusalAsync(kept), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_version_of_which_no_content_is_left_stays()
    {
        using MadeBackup made = new();
        made.Folder("/data/");
        made.File("/data/empty", []);
        made.File("/data/only", [1, 2, 3]);
        made.Write();
        Array.ForEach(Directory.GetFiles(made.Source, "*.dblock*"), File.Delete);
        string[] before = Directory.GetFiles(made.Source);
        await using Backup backup = await Backup.OpenAsync(made.Source);
        PurgePlan plan = await backup.Maintenance.PlanPurgeAsync();
        Assert.Equal(
            "no file would be left of the version; delete it instead",
            Assert.Single(plan.Versions).StaysBecause
        );
        PurgeReport report = await backup.Maintenance.PurgeAsync(plan);
        Assert.Contains(
            report.Issues,
            issue => issue.Reason.Contains("no file would be left", StringComparison.Ordinal)
        );
        Assert.Equal(before.Order(), Directory.GetFiles(made.Source).Order());
    }

    [Fact]
    public async Task What_may_be_in_a_damaged_volume_or_come_from_a_parity_file_is_not_lost()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(37, versions: 1);
        Array.ForEach(Directory.GetFiles(kept.Location, "*.dindex*"), File.Delete);
        string volume = Directory.GetFiles(kept.Location, "*.dblock*").MaxBy(file => new FileInfo(file).Length)!;
        using (FileStream cut = File.OpenWrite(volume))
        {
            cut.SetLength(cut.Length / 2);
        }

        Assert.Contains(
            $"{Path.GetFileName(volume)} is damaged, and no index volume",
            await RefusalAsync(kept),
            StringComparison.Ordinal
        );
        File.Move(volume, volume + ".par2");
        Assert.Contains(
            $"{Path.GetFileName(volume)} is missing, and has a parity file",
            await RefusalAsync(kept),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_list_without_a_free_second_stays_until_the_next_purge()
    {
        DateTimeOffset time = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
        using RoundTrip trip = new();
        foreach (int second in (int[])[-60, 0, 2, 3])
        {
            await File.WriteAllBytesAsync(
                Path.Join(trip.Source, $"{second}"),
                RandomNumberGenerator.GetBytes(second == 0 ? 40_000 : 10)
            );
            await trip.WriteAsync(trip.Options with { Time = time.AddSeconds(second) });
        }

        Lose(trip.Destination, volumes: 1);
        foreach (int replaced in (int[])[2, 1, 0])
        {
            await using Backup backup = await Backup.OpenAsync(trip.Destination, new BackupOptions());
            PurgeReport report = await backup.Maintenance.PurgeAsync(await backup.Maintenance.PlanPurgeAsync());
            Assert.Equal(replaced, report.Replaced.Count);
            Assert.Equal(
                replaced == 2,
                report.Issues.Any(issue => issue.Reason.Contains("there is no free second", StringComparison.Ordinal))
            );
        }

        Assert.Equal(4, trip.VolumesOf("dlist").Count());
    }

    [Fact]
    public void A_new_list_is_never_past_the_next_version()
    {
        DateTimeOffset time = new(2026, 1, 1, 0, 0, 10, TimeSpan.Zero);
        Assert.Equal(time.AddSeconds(1), PurgeWork.FreeTimes(time, [time])[0]);
        Assert.Equal(time.AddSeconds(-1), PurgeWork.FreeTimes(time, [time, time.AddSeconds(1)])[0]);
        Assert.Equal([time.AddSeconds(1)], PurgeWork.FreeTimes(time, [time.AddSeconds(-1), time, time.AddSeconds(2)]));
        Assert.Empty(PurgeWork.FreeTimes(time, [time.AddSeconds(-1), time, time.AddSeconds(1)]));
    }

    internal static void Lose(string folder, int volumes) =>
        Array.ForEach(
            [
                .. Directory
                    .GetFiles(folder, "*.dblock*")
                    .OrderByDescending(file => new FileInfo(file).Length)
                    .ThenBy(file => file)
                    .Take(volumes),
            ],
            File.Delete
        );

    private static async Task<string> RefusalAsync(KeptBackup kept)
    {
        await using Backup backup = await kept.OpenAsync();
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            backup.Maintenance.PlanPurgeAsync()
        );
        Assert.Equal(RestoreErrorCode.LossesUnknown, failure.Code);
        return failure.Message;
    }

    /// <summary>
    /// The files of each version that come back whole, oldest version first, with their hashes.
    /// </summary>
    private static async Task<Dictionary<string, string>[]> WholeAsync(
        KeptBackup kept,
        string location,
        bool isComplete
    )
    {
        List<Dictionary<string, string>> versions = [];
        await using Backup backup = await kept.OpenAsync(location);
        foreach (BackupVersion version in backup.Versions.Reverse())
        {
            string target = Path.Join(kept.Folder, "whole");
            RestorePlan plan = await backup.PlanAsync(version, new RestoreOptions { Target = target });
            RestoreReport report = await backup.ExecuteAsync(plan, new ExecuteOptions { SkipFlush = true });
            Assert.True(report.IsComplete || !isComplete, string.Join('\n', report.Issues));
            HashSet<string?> lost =
            [
                .. report
                    .Issues.Where(issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing)
                    .Select(issue => issue.TargetPath),
            ];
            versions.Add(
                Directory
                    .GetFiles(target, "*", SearchOption.AllDirectories)
                    .Where(file => !lost.Contains(file))
                    .ToDictionary(
                        file => Path.GetRelativePath(target, file),
                        file => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(file)))
                    )
            );
            Directory.Delete(target, recursive: true);
        }

        return [.. versions];
    }

    private static async Task AssertPurgedAsync(
        KeptBackup kept,
        string location,
        Dictionary<string, string>[] whole,
        int lists
    )
    {
        Assert.Equal(lists, Directory.GetFiles(location, "*.dlist*").Length);
        Dictionary<string, string>[] purged = await WholeAsync(kept, location, isComplete: true);
        Assert.Equal(whole.Select(Text), purged.Select(Text));
        await using Backup backup = await kept.OpenAsync(location);
        Assert.Empty((await backup.Maintenance.PlanPurgeAsync()).Versions);
    }

    private static string Text(Dictionary<string, string> files) =>
        string.Join(
            '\n',
            files.OrderBy(file => file.Key, StringComparer.Ordinal).Select(file => $"{file.Key} {file.Value}")
        );
}
