using System.IO.Compression;

namespace Restore.Tests.Maintenance.Keeping;

/// <summary>A compact keeps what versions need, whatever happens to it.</summary>
public sealed class CompactRunTests
{
    private static readonly CompactOptions Often = new()
    {
        ThresholdPercent = 1,
        VolumeSizeBytes = 20 << 10,
        SmallFileMaxCount = 2,
    };

    [Theory]
    [InlineData(null)]
    [InlineData("secret")]
    public async Task After_a_deletion_it_wins_space_and_all_versions_restore(string? passphrase)
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(1, versions: 5, passphrase);
        long before = Directory.GetFiles(kept.Location).Sum(file => new FileInfo(file).Length);
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 2 });
        await kept.AssertRestorableAsync(kept.Times.TakeLast(2));

        await using Backup backup = await kept.OpenAsync();
        CompactPlan plan = await backup.Maintenance.PlanCompactAsync(Often);
        Assert.NotEmpty(plan.Dead);
        Assert.NotEmpty(plan.Rewritten);
        CompactReport report = await backup.Maintenance.CompactAsync(plan);
        Assert.DoesNotContain(report.Issues, issue => issue.Kind != IssueKind.Warning);
        Assert.Equal(plan.Dead.Count + plan.Rewritten.Count, report.VolumesDeleted);
        Assert.InRange(report.BytesWritten, plan.BytesToWrite / 2, plan.BytesToWrite * 2);
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
        await kept.AssertRestorableAsync(kept.Times.TakeLast(2));
        Assert.InRange(
            Directory.GetFiles(kept.Location).Sum(file => new FileInfo(file).Length),
            1,
            before - report.BytesDeleted + report.BytesWritten
        );
        await AssertCleanAsync(kept, kept.Location);
    }

    [Fact]
    public async Task Blocks_are_moved_compressed_as_they_were()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(2, versions: 4);
        Dictionary<string, (long, uint)> before = Entries(kept.Location);
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 1 });
        await using Backup backup = await kept.OpenAsync();
        CompactReport report = await backup.Maintenance.CompactAsync(await backup.Maintenance.PlanCompactAsync(Often));
        Assert.True(report.BlocksMoved > 0);
        Dictionary<string, (long, uint)> after = Entries(kept.Location);
        Assert.All(after, entry => Assert.Equal(before[entry.Key], entry.Value));
        Assert.Contains(after.Values, entry => entry.Item1 < 1000);
    }

    [Fact]
    public async Task What_it_leaves_is_whole_for_a_check_and_a_database_and_the_next_version()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(3, versions: 4, "secret");
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 2 });
        await kept.CompactAsync(Often);
        await using (Backup backup = await kept.OpenAsync())
        {
            CheckReport check = await backup.Maintenance.CheckAsync();
            Assert.Equal((0L, 0L, 2), (check.LostBlocks, check.RepeatedBlocks, check.Versions));
            Assert.Empty(check.WithoutIndex);
            Assert.Empty(check.Issues);
            DatabaseReport database = await backup.Maintenance.WriteDatabaseAsync(
                Path.Join(kept.Folder, "made.sqlite")
            );
            Assert.Equal((0L, 2), (database.LostBlocks, database.Versions));
        }

        await kept.BackupAsync();
        await kept.AssertRestorableAsync(kept.Times.TakeLast(3));
    }

    [Theory]
    [InlineData(false, null)]
    [InlineData(true, null)]
    [InlineData(true, "secret")]
    public async Task Interrupted_at_any_change_every_version_restores_and_the_next_compact_cleans_up(
        bool isDone,
        string? passphrase
    )
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(4, versions: 3, passphrase);
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 2 });
        bool isInterrupted = true;
        for (int changes = 0; isInterrupted; changes += passphrase is null ? 1 : 3)
        {
            string copy = kept.Copy();
            InterruptedFolder store = new(copy, changes, isDone);
            await using (Backup backup = await kept.OpenAsync(store))
            {
                CompactPlan plan = await backup.Maintenance.PlanCompactAsync(Often);
                Exception? failure = await Record.ExceptionAsync(() => backup.Maintenance.CompactAsync(plan));

                // If only the lock could not be removed any more, everything is done.
                Assert.True(store.IsInterrupted || failure is null, $"{failure}");
                isInterrupted = store.IsInterrupted;
            }

            string what = $"after {changes} changes, {(isDone ? "the next one done" : "the next one not done")}";
            await kept.AssertRestorableAsync(kept.Times.TakeLast(2), copy, what);
            await kept.CompactAsync(Often, copy);
            await kept.AssertRestorableAsync(kept.Times.TakeLast(2), copy, "cleaned up " + what);
            await AssertCleanAsync(kept, copy);
            Directory.Delete(copy, recursive: true);
        }
    }

    [Fact]
    public async Task Nothing_is_deleted_before_all_new_volumes_are_there()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(5, versions: 3);
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 1 });
        InterruptedFolder store = new(kept.Location);
        await using Backup backup = await kept.OpenAsync(store);
        CompactPlan plan = await backup.Maintenance.PlanCompactAsync(Often);
        await backup.Maintenance.CompactAsync(plan);
        string[] calls = [.. store.Calls.Where(call => !call.Contains("restore-lock", StringComparison.Ordinal))];
        Assert.Contains(calls, call => call.StartsWith("put", StringComparison.Ordinal));
        HashSet<string> rewritten = [.. plan.Rewritten.Select(volume => "delete " + volume.Name)];
        int lastPut = Array.FindLastIndex(calls, call => call.StartsWith("put", StringComparison.Ordinal));
        Assert.True(Array.FindIndex(calls, rewritten.Contains) > lastPut);

        // What no version needs goes first: it makes room on a full disk.
        Assert.Equal(
            plan.Dead.Count,
            calls
                .Take(Array.FindIndex(calls, call => call.StartsWith("put", StringComparison.Ordinal)))
                .Count(call => call.Contains(".dblock.", StringComparison.Ordinal))
        );
        Assert.Contains("restore-lock", store.Calls[0], StringComparison.Ordinal);
        Assert.Equal("delete" + store.Calls[0]["put".Length..], store.Calls[^1]);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("secret")]
    public async Task A_damaged_volume_stays_and_nothing_gets_worse(string? passphrase)
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(6, versions: 4, passphrase);
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 2 });
        string[] half;
        await using (Backup backup = await kept.OpenAsync())
        {
            half =
            [
                .. (await backup.Maintenance.PlanCompactAsync(Often)).Rewritten.Take(2).Select(volume => volume.Name),
            ];
        }

        foreach (string name in half)
        {
            byte[] bytes = File.ReadAllBytes(Path.Join(kept.Location, name));
            bytes.AsSpan(bytes.Length / 4, bytes.Length / 2).Fill(0x55);
            File.WriteAllBytes(Path.Join(kept.Location, name), bytes);
        }

        // The order of blocks in a volume differs from run to run: all that versions need of it can
        // be in the sound half. Then the volume may go.
        (string[] lostBefore, string[] damaged) = await LostAsync(kept);
        Assert.NotEmpty(lostBefore);
        Assert.NotEmpty(damaged);
        for (int round = 0; round < 2; round++)
        {
            string[] leaving;
            await using (Backup backup = await kept.OpenAsync())
            {
                CompactPlan plan = await backup.Maintenance.PlanCompactAsync(Often);
                leaving = [.. plan.Rewritten.Concat(plan.Dead).Select(volume => volume.Name).Intersect(damaged)];
            }

            // What the first round wrote can leave too few small volumes for the second, which then
            // leaves a damaged one alone.
            Assert.True(round > 0 || leaving.Length == damaged.Length);
            CompactReport report = await kept.CompactAsync(Often);
            Assert.All(
                leaving,
                name =>
                    Assert.Contains(report.Issues, issue => issue.Path == name && issue.Code == IssueCode.BlocksLost)
            );
            Assert.All(damaged, name => Assert.True(File.Exists(Path.Join(kept.Location, name))));
            Assert.Equal(lostBefore, (await LostAsync(kept)).Entries);
        }
    }

    [Fact]
    public async Task A_copy_is_not_deleted_if_the_other_one_is_damaged()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(7, versions: 2);
        string copy = kept.Copy();
        InterruptedFolder store = new(copy, changes: 3);
        await using (Backup backup = await kept.OpenAsync(store))
        {
            CompactPlan plan = await backup.Maintenance.PlanCompactAsync(
                new CompactOptions { VolumeSizeBytes = 1 << 20, SmallFileMaxCount = 0 }
            );
            Assert.NotNull(await Record.ExceptionAsync(() => backup.Maintenance.CompactAsync(plan)));
        }

        // All blocks are in new volumes too; these count, and one of them is damaged now.
        string made = Directory.GetFiles(copy, "*.dblock*").MaxBy(file => new FileInfo(file).Length)!;
        byte[] bytes = File.ReadAllBytes(made);
        bytes.AsSpan(bytes.Length / 2, 3000).Clear();
        File.WriteAllBytes(made, bytes);
        CompactReport report = await kept.CompactAsync(Often, copy);
        Assert.Contains(report.Issues, issue => issue.Code == IssueCode.BlocksLost);
        await kept.AssertRestorableAsync(kept.Times, copy);
    }

    [Fact]
    public async Task A_file_list_that_cannot_be_read_forbids_it()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(8, versions: 3);
        string list = Directory.GetFiles(kept.Location, "*.dlist*").Order(StringComparer.Ordinal).First();
        File.WriteAllBytes(list, File.ReadAllBytes(list)[..^100]);
        string[] before = Directory.GetFiles(kept.Location);
        await using Backup backup = await kept.OpenAsync();
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            backup.Maintenance.PlanCompactAsync(Often)
        );
        Assert.Equal(RestoreErrorCode.NeedsUnknown, failure.Code);
        Assert.Contains(
            $"1 file list cannot be read (version 2, {Path.GetFileName(list)})",
            failure.Message,
            StringComparison.Ordinal
        );
        Assert.Equal(before, Directory.GetFiles(kept.Location));

        // Its version is the oldest, and goes only by name.
        DeletionPlan plan = await backup.Maintenance.PlanDeletionAsync(new RetentionRules { KeepVersions = 1 });
        Assert.Equal([false, true, false], plan.Versions.Select(fate => fate.IsDeleted));
        Assert.Contains("cannot be read", plan.Versions[2].Reason, StringComparison.Ordinal);
        Assert.Contains(plan.Issues, issue => issue.Path == Path.GetFileName(list));
        Assert.True(
            (await backup.Maintenance.PlanDeletionAsync(new RetentionRules { Versions = [2] })).Versions[2].IsDeleted
        );
    }

    [Fact]
    public async Task A_wrong_passphrase_changes_nothing()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(9, versions: 2, "secret");
        string[] before = Directory.GetFiles(kept.Location);
        await using Backup backup = await Backup.OpenAsync(kept.Location, new BackupOptions { Passphrase = "another" });
        Func<Task>[] attempts =
        [
            () => backup.Maintenance.PlanCompactAsync(Often),
            () => backup.Maintenance.PlanDeletionAsync(new RetentionRules { KeepVersions = 1 }),
        ];
        foreach (Func<Task> attempt in attempts)
        {
            Assert.Equal(RestoreErrorCode.WrongPassphrase, (await Assert.ThrowsAsync<RestoreException>(attempt)).Code);
        }

        Assert.Equal(before, Directory.GetFiles(kept.Location));
    }

    [Fact]
    public async Task A_store_that_only_takes_new_files_and_a_locked_backup_are_left_alone()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(10, versions: 3);
        await using (Backup backup = await kept.OpenAsync(new InterruptedFolder(kept.Location) { CanDelete = false }))
        {
            await RefusesAsync(backup, RestoreErrorCode.StoreAppendOnly);
        }

        string locked = Path.Join(kept.Location, "restore-lock.duplicati.20260101T000000Z.0123.other");
        File.WriteAllText(locked, "");
        await using (Backup backup = await kept.OpenAsync())
        {
            await RefusesAsync(backup, RestoreErrorCode.BackupLocked);
            DeletionPlan plan = await backup.Maintenance.PlanDeletionAsync(new RetentionRules { KeepVersions = 2 });
            Assert.Single((await new BackupMaintenance(backup) { BreakLock = true }.DeleteVersionsAsync(plan)).Deleted);
        }

        Assert.False(File.Exists(locked));
        await kept.AssertRestorableAsync(kept.Times.TakeLast(2));
    }

    [Fact]
    public async Task A_backup_that_changed_after_the_plan_is_left_alone()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(11, versions: 3);
        await kept.DeleteAsync(new RetentionRules { Versions = [2] });
        await using Backup backup = await kept.OpenAsync();
        CompactPlan plan = await backup.Maintenance.PlanCompactAsync(Often);
        DeletionPlan deletion = await backup.Maintenance.PlanDeletionAsync(new RetentionRules { KeepVersions = 1 });
        await kept.BackupAsync();
        Assert.Equal(
            RestoreErrorCode.BackupChanged,
            (await Assert.ThrowsAsync<RestoreException>(() => backup.Maintenance.CompactAsync(plan))).Code
        );
        File.Delete(Path.Join(kept.Location, deletion.Versions[0].Version.FileListName));
        Assert.Equal(
            RestoreErrorCode.BackupChanged,
            (await Assert.ThrowsAsync<RestoreException>(() => backup.Maintenance.DeleteVersionsAsync(deletion))).Code
        );
    }

    [Fact]
    public async Task A_backup_without_waste_has_nothing_to_compact()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(12, versions: 2);
        await using Backup backup = await kept.OpenAsync();
        CompactPlan plan = await backup.Maintenance.PlanCompactAsync(
            new CompactOptions
            {
                VolumeSizeBytes = 20 << 10,
                SmallFileMaxCount = 100,
                ThresholdPercent = 50,
            }
        );
        Assert.False(plan.IsNeeded);
        Assert.Equal(0, plan.BytesToDelete);
    }

    private static async Task RefusesAsync(Backup backup, string code)
    {
        DeletionPlan deletion = await backup.Maintenance.PlanDeletionAsync(new RetentionRules { KeepVersions = 1 });
        Assert.Equal(
            code,
            (await Assert.ThrowsAsync<RestoreException>(() => backup.Maintenance.DeleteVersionsAsync(deletion))).Code
        );
        CompactPlan plan = await backup.Maintenance.PlanCompactAsync(Often);
        Assert.Equal(
            code,
            (await Assert.ThrowsAsync<RestoreException>(() => backup.Maintenance.CompactAsync(plan))).Code
        );
    }

    /// <summary>Fails if a compact left anything that another one would have to remove.</summary>
    private static async Task AssertCleanAsync(KeptBackup kept, string location)
    {
        await using Backup backup = await kept.OpenAsync(location);
        CheckReport check = await backup.Maintenance.CheckAsync();
        Assert.Equal((0L, 0L), (check.LostBlocks, check.RepeatedBlocks));
        Assert.Empty(check.WithoutIndex);
        Assert.DoesNotContain(check.Issues, issue => issue.Reason.Contains("missing", StringComparison.Ordinal));
        Assert.Empty(Directory.GetFiles(location, "restore-lock.*"));
        CompactPlan plan = await backup.Maintenance.PlanCompactAsync(Often with { SmallFileMaxCount = 100 });
        Assert.Empty(plan.Dead);
        Assert.Empty(plan.IndexVolumes);
    }

    /// <summary>The files that are lost in any version.</summary>
    private static async Task<(string[] Entries, string[] Volumes)> LostAsync(KeptBackup kept)
    {
        await using Backup backup = await kept.OpenAsync();
        RestoreReport drill = await backup.ExecuteAsync(
            await backup.PlanDrillAsync(backup.Versions, new RestoreOptions())
        );
        return (
            [
                .. drill
                    .Issues.Where(issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing)
                    .Select(issue => $"{issue.Path} {issue.Versions}")
                    .Order(),
            ],
            [.. drill.LostVolumes.Select(volume => volume.Name)]
        );
    }

    /// <summary>The compressed length and the CRC-32 of each block.</summary>
    private static Dictionary<string, (long, uint)> Entries(string location)
    {
        Dictionary<string, (long, uint)> entries = [];
        foreach (string file in Directory.GetFiles(location, "*.dblock*"))
        {
            using ZipArchive archive = ZipFile.OpenRead(file);
            foreach (ZipArchiveEntry entry in archive.Entries.Where(entry => entry.Name != "manifest"))
            {
                entries[entry.FullName] = (entry.CompressedLength, entry.Crc32);
            }
        }

        return entries;
    }
}
