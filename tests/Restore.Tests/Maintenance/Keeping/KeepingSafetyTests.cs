using System.IO.Compression;
using System.Text;

namespace Restore.Tests.Maintenance.Keeping;

/// <summary>What could cost versions that are kept: other writers, and volumes and lists that are only half there.</summary>
public sealed class KeepingSafetyTests
{
    private const int LocalHeaderBytes = 30;
    private const int EndRecordBytes = 22;

    private static readonly CompactOptions Often = new() { ThresholdPercent = 1, VolumeSizeBytes = 20 << 10, SmallFileMaxCount = 2 };

    [Fact]
    public async Task A_version_that_somebody_adds_while_blocks_are_moved_forbids_the_deletions()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(13, versions: 3);
        await kept.DeleteAsync(new RetentionRules { KeepVersions = 1 });
        string[] before = Directory.GetFiles(kept.Location);
        string added = Path.Join(kept.Location, "duplicati-20270101T000000Z.dlist.zip");
        int isAdded = 0;
        InterruptedFolder store = new(kept.Location)
        {
            Changing = call =>
            {
                if (call.Contains("dblock", StringComparison.Ordinal) && Interlocked.Exchange(ref isAdded, 1) == 0)
                {
                    File.WriteAllText(added, "");
                }
            },
        };
        await using Backup backup = await kept.OpenAsync(store);
        CompactPlan plan = await backup.PlanCompactAsync(Often);
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => backup.CompactAsync(plan));
        Assert.Equal(RestoreErrorCode.BackupChanged, failure.Code);
        Assert.All(before, file => Assert.True(File.Exists(file), file));
        File.Delete(added);
        await kept.AssertRestorableAsync(kept.Times.TakeLast(1));
    }

    [Fact]
    public async Task A_plan_of_another_opened_backup_is_refused()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(14, versions: 1);
        await using Backup first = await kept.OpenAsync();
        CompactPlan plan = await first.PlanCompactAsync(Often);
        await using Backup second = await kept.OpenAsync();
        await Assert.ThrowsAsync<ArgumentException>(() => second.CompactAsync(plan));
    }

    [Fact]
    public async Task A_version_whose_list_breaks_off_does_not_stand_in_for_older_ones()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(15, versions: 3);
        string list = Directory.GetFiles(kept.Location, "*.dlist.*").Order(StringComparer.Ordinal).Last();
        byte[] bytes = File.ReadAllBytes(list);
        bytes.AsSpan(bytes.Length / 2, 100).Clear();
        File.WriteAllBytes(list, bytes);
        await using Backup backup = await kept.OpenAsync();
        DeletionPlan plan = await backup.PlanDeletionAsync(new RetentionRules { KeepVersions = 1 });
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
    public async Task A_damaged_volume_without_an_index_stays_while_a_block_is_lost()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(17, versions: 2);
        string volume = Directory.GetFiles(kept.Location, "*.dblock.*").MaxBy(file => new FileInfo(file).Length)!;
        Array.ForEach(Directory.GetFiles(kept.Location, "*.dindex.*"), File.Delete);
        byte[] bytes = File.ReadAllBytes(volume);
        using (ZipArchive archive = new(new MemoryStream(bytes)))
        {
            // A whole number of hashes could be a list of blocks.
            string block = archive.Entries.First(entry => entry.Name != "manifest" && entry.Length % 32 != 0).FullName;
            bytes.AsSpan(bytes.AsSpan().IndexOf(Encoding.ASCII.GetBytes(block)) - LocalHeaderBytes, LocalHeaderBytes + block.Length).Fill(0x55);
        }

        bytes.AsSpan(bytes.Length - EndRecordBytes).Fill(0x55);
        File.WriteAllBytes(volume, bytes);
        await using Backup backup = await kept.OpenAsync();
        CompactPlan plan = await backup.PlanCompactAsync(new CompactOptions { VolumeSizeBytes = 1 << 20, SmallFileMaxCount = 0 });
        Assert.Contains(plan.Issues, issue => issue.Code == IssueCode.BlocksLost);
        CompactReport report = await backup.CompactAsync(plan);
        Assert.True(report.VolumesDeleted > 0);
        Assert.True(File.Exists(volume));
    }
}
