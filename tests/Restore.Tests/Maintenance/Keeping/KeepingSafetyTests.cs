using System.IO.Compression;
using System.Text;
using System.Text.Json.Nodes;
using Restore.Tests.Ends;
using Restore.Tests.Trust;

namespace Restore.Tests.Maintenance.Keeping;

/// <summary>
/// What could cost versions that are kept: other writers, and volumes and lists that are only half
/// there.
/// </summary>
public sealed class KeepingSafetyTests
{
    private const int LocalHeaderBytes = 30;
    private const int EndRecordBytes = 22;

    private static readonly CompactOptions Often = new()
    {
        ThresholdPercent = 1,
        VolumeSizeBytes = 20 << 10,
        SmallFileMaxCount = 2,
    };

    [Fact]
    public async Task A_version_that_somebody_adds_while_blocks_are_moved_forbids_the_deletions()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(13, versions: 3);
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 1 });
        string added = Path.Join(kept.Location, "duplicati-20270101T000000Z.dlist.zip");
        int isAdded = 0;
        InterruptedFolder store = new(kept.Location)
        {
            Changing = call =>
            {
                bool isNew =
                    call.StartsWith("put", StringComparison.Ordinal)
                    && call.Contains("dblock", StringComparison.Ordinal);
                if (isNew && Interlocked.Exchange(ref isAdded, 1) == 0)
                {
                    File.WriteAllText(added, "");
                }
            },
        };
        await using Backup backup = await kept.OpenAsync(store);
        CompactPlan plan = await backup.Maintenance.PlanCompactAsync(Often);
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            backup.Maintenance.CompactAsync(plan)
        );
        Assert.Equal(RestoreErrorCode.BackupChanged, failure.Code);
        Assert.NotEmpty(plan.Rewritten);
        Assert.All(
            plan.Rewritten,
            volume => Assert.True(File.Exists(Path.Join(kept.Location, volume.Name)), volume.Name)
        );
        File.Delete(added);
        await kept.AssertRestorableAsync(kept.Times.TakeLast(1));
    }

    [Fact]
    public async Task A_plan_of_a_compact_can_be_executed_by_another_opened_backup_and_only_once()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(14, versions: 3);
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 1 });
        CompactPlan plan;
        await using (Backup first = await kept.OpenAsync())
        {
            plan = await first.Maintenance.PlanCompactAsync(Often);
        }

        int volumes = plan.Dead.Count + plan.Rewritten.Count;
        await using (Backup second = await kept.OpenAsync())
        {
            Assert.Equal(volumes, (await second.Maintenance.CompactAsync(plan)).VolumesDeleted);
        }

        string[] after = [.. Directory.GetFiles(kept.Location).Order()];
        await using Backup third = await kept.OpenAsync();
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            third.Maintenance.CompactAsync(plan)
        );
        Assert.Equal((RestoreErrorCode.BackupChanged, true), (failure.Code, volumes > 0));
        Assert.Equal(after, Directory.GetFiles(kept.Location).Order());
        await kept.AssertRestorableAsync(third, kept.Times.TakeLast(1));
    }

    [Fact]
    public async Task A_plan_that_was_changed_is_refused_by_the_backup_that_made_it()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(14, versions: 3);
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 1 });
        await using Backup backup = await kept.OpenAsync();
        CompactPlan plan = await backup.Maintenance.PlanCompactAsync(Often);
        string[] before = [.. Directory.GetFiles(kept.Location).Order()];

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            backup.Maintenance.CompactAsync(plan with { Dead = [], Rewritten = [] })
        );

        Assert.Equal((RestoreErrorCode.BackupChanged, true), (failure.Code, plan.IsNeeded));
        Assert.Equal(before, Directory.GetFiles(kept.Location).Order());
    }

    [Fact]
    public async Task A_plan_of_a_deletion_can_be_executed_by_another_opened_backup_and_deletes_nothing_elsewhere()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(14, versions: 3);
        using KeptBackup other = await KeptBackup.WriteAsync(15, versions: 2);
        DeletionPlan plan;
        await using (Backup first = await kept.OpenAsync())
        {
            plan = await first.Maintenance.PlanDeletionAsync(new RetentionRules { KeepVersions = 1 });
        }

        string[] before = [.. Directory.GetFiles(other.Location).Order()];
        await using Backup wrong = await other.OpenAsync();
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            wrong.Maintenance.DeleteVersionsAsync(plan)
        );
        Assert.Equal(RestoreErrorCode.BackupChanged, failure.Code);
        Assert.Equal(before, Directory.GetFiles(other.Location).Order());
        await using Backup right = await kept.OpenAsync();
        Assert.Equal(2, (await right.Maintenance.DeleteVersionsAsync(plan)).Deleted.Count);
    }

    [Fact]
    public async Task A_version_whose_list_breaks_off_does_not_stand_in_for_older_ones()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(15, versions: 3);
        string list = Directory.GetFiles(kept.Location, "*.dlist*").Order(StringComparer.Ordinal).Last();
        byte[] bytes = File.ReadAllBytes(list);
        bytes.AsSpan(bytes.Length / 2, 100).Clear();
        File.WriteAllBytes(list, bytes);
        await using Backup backup = await kept.OpenAsync();
        DeletionPlan plan = await backup.Maintenance.PlanDeletionAsync(new RetentionRules { KeepVersions = 1 });
        Assert.Equal([false, false, true], plan.Versions.Select(fate => fate.IsDeleted));
        Assert.Contains("cannot be read", plan.Versions[0].Reason, StringComparison.Ordinal);
        Assert.Contains(plan.Issues, issue => issue.Path == Path.GetFileName(list));
    }

    [Fact]
    public async Task The_lock_of_a_backup_with_a_longer_prefix_is_not_in_the_way_and_stays()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(16, versions: 2);
        string other = Path.Join(kept.Location, "restore-lock.duplicati.old.20260101T000000Z.0123.other");
        File.WriteAllText(other, "");
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 1 });
        await kept.CompactAsync(Often);
        Assert.True(File.Exists(other));
    }

    [Fact]
    public async Task A_volume_of_which_an_index_hides_what_is_in_it_is_not_deleted()
    {
        byte[] hidden = [1, 2, 3];
        byte[] elsewhere = [4, 5, 6];
        using MadeBackup made = new();
        made.File("/data/hidden", hidden);
        made.File("/data/elsewhere", elsewhere);
        made.Write();
        Array.ForEach(Directory.GetFiles(made.Source, "*.dindex*"), File.Delete);
        string volume = Path.GetFileName(Assert.Single(Directory.GetFiles(made.Source, "*.dblock*")));
        string other = $"duplicati-b{new string('3', 32)}.dblock.zip";
        made.WriteArchive(other, [(MadeBackup.Hash(elsewhere).Replace('+', '-').Replace('/', '_'), elsewhere)]);
        WriteIndex(made, '4', volume, [7, 8, 9]);
        WriteIndex(made, '5', other, elsewhere, hidden);
        await using (Backup backup = await Backup.OpenAsync(made.Source))
        {
            await backup.Maintenance.CompactAsync(await backup.Maintenance.PlanCompactAsync(new CompactOptions()));
        }

        Assert.True(File.Exists(Path.Join(made.Source, volume)));
        RestoreReport restored = await made.RestoreAsync();
        Assert.True(restored.IsComplete, string.Join('\n', restored.Issues));
        Assert.Equal(
            hidden,
            File.ReadAllBytes(Assert.Single(Directory.GetFiles(made.Target, "hidden", SearchOption.AllDirectories)))
        );
    }

    [Fact]
    public async Task A_full_disk_is_freed_by_a_deletion_and_a_compact()
    {
        using KeptBackup kept = new(18);
        Directory.CreateDirectory(kept.Location);
        if (!Environment.IsPrivilegedProcess || !Native.Mount(kept.Location, "size=4m"))
        {
            Assert.Skip("A small file system can only be mounted by the root user.");
        }

        try
        {
            for (int i = 0; i < 4; i++)
            {
                await kept.BackupAsync();
            }

            Fill(kept.Location, "filler 1");
            await kept.DeleteAsync(new RetentionRules { KeepVersions = 1 });
            await kept.AssertRestorableAsync(kept.Times.TakeLast(1));
            Assert.Single(Directory.GetFiles(kept.Location, "*.dlist*"));

            Fill(kept.Location, "filler 2");
            CompactReport report = await kept.CompactAsync(
                new CompactOptions
                {
                    ThresholdPercent = 90,
                    VolumeSizeBytes = 20 << 10,
                    SmallFileMaxCount = 100,
                }
            );
            Assert.True(report.VolumesDeleted > 0);
            await kept.AssertRestorableAsync(kept.Times.TakeLast(1));
        }
        finally
        {
            Native.Unmount(kept.Location);
        }
    }

    private static void Fill(string folder, string name)
    {
        using FileStream filler = File.Create(Path.Join(folder, name), 1);
        byte[] page = new byte[4096];
        IOException? full = null;
        while (full is null)
        {
            full = Record.Exception(() => filler.Write(page)) as IOException;
        }

        Assert.Contains("space", full.Message, StringComparison.OrdinalIgnoreCase);
    }

    private static void WriteIndex(MadeBackup made, char id, string volume, params byte[][] claimed)
    {
        JsonObject index = new()
        {
            ["blocks"] = new JsonArray([
                .. claimed.Select(block => new JsonObject
                {
                    ["hash"] = MadeBackup.Hash(block),
                    ["size"] = block.Length,
                }),
            ]),
            ["volumehash"] = MadeBackup.Hash(File.ReadAllBytes(Path.Join(made.Source, volume))),
            ["volumesize"] = new FileInfo(Path.Join(made.Source, volume)).Length,
        };
        made.WriteArchive(
            $"duplicati-i{new string(id, 32)}.dindex.zip",
            [("vol/" + volume, Encoding.UTF8.GetBytes(index.ToJsonString()))]
        );
    }

    [Fact]
    public async Task A_damaged_volume_without_an_index_stays_while_a_block_is_lost()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(17, versions: 2);
        string volume = Directory.GetFiles(kept.Location, "*.dblock*").MaxBy(file => new FileInfo(file).Length)!;
        Array.ForEach(Directory.GetFiles(kept.Location, "*.dindex*"), File.Delete);
        byte[] bytes = File.ReadAllBytes(volume);
        using (ZipArchive archive = new(new MemoryStream(bytes)))
        {
            // A whole number of hashes could be a list of blocks.
            string block = archive.Entries.First(entry => entry.Name != "manifest" && entry.Length % 32 != 0).FullName;
            bytes
                .AsSpan(
                    bytes.AsSpan().IndexOf(Encoding.ASCII.GetBytes(block)) - LocalHeaderBytes,
                    LocalHeaderBytes + block.Length
                )
                .Fill(0x55);
        }

        bytes.AsSpan(bytes.Length - EndRecordBytes).Fill(0x55);
        File.WriteAllBytes(volume, bytes);
        await using Backup backup = await kept.OpenAsync();
        CompactPlan plan = await backup.Maintenance.PlanCompactAsync(
            new CompactOptions { VolumeSizeBytes = 1 << 20, SmallFileMaxCount = 0 }
        );
        Assert.Contains(plan.Issues, issue => issue.Code == IssueCode.BlocksLost);
        CompactReport report = await backup.Maintenance.CompactAsync(plan);
        Assert.True(report.VolumesDeleted > 0);
        Assert.True(File.Exists(volume));
    }
}
