using System.IO.Compression;
using System.Security.Cryptography;
using Restore.Catalog;
using Restore.Planning;
using Restore.Shards;
using Restore.Tests.Writing;

namespace Restore.Tests.Shards;

/// <summary>
/// A file that several shards write: what the last step makes of it when something is lost, or in
/// its way.
/// </summary>
public sealed class SharedFilesTests
{
    [Fact]
    public async Task A_file_of_the_users_that_appears_where_a_shared_file_goes_stays()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 4);
        string path = Path.Join(rig.Target, TreeBackup.Huge);
        await Task.WhenAll(rig.RunAsync(1), rig.RunAsync(2), rig.RunAsync(3), rig.RunAsync(4));
        File.WriteAllText(path, "mine");
        RestoreReport report = await rig.FinishAsync();
        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal((IssueKind.Warning, IssueCode.Renamed), (issue.Kind, issue.Code));
        Assert.Equal("mine", File.ReadAllText(path));
        Assert.Equal(rig.Tree.ContentOf(TreeBackup.Huge), File.ReadAllBytes(issue.TargetPath!));
    }

    [Fact]
    public async Task A_shared_file_that_lost_blocks_between_the_steps_names_the_shard_to_restore_again()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 4);
        await Task.WhenAll(rig.RunAsync(1), rig.RunAsync(2), rig.RunAsync(3), rig.RunAsync(4));
        string shared = Directory
            .GetFiles(rig.Target, ".restore-*", SearchOption.AllDirectories)
            .MaxBy(file => new FileInfo(file).Length)!;
        using (FileStream file = File.OpenWrite(shared))
        {
            file.Write(new byte[100]);
        }

        RestoreException refusal = await Assert.ThrowsAsync<RestoreException>(rig.FinishAsync);
        Assert.Equal(RestoreErrorCode.ShardsMissing, refusal.Code);
        ShardStatus again = Assert.Single(rig.Restore.Look(), shard => shard.State == ShardState.Open);
        Assert.EndsWith($"restore these shards again: {again.Number}", refusal.Message, StringComparison.Ordinal);
        await rig.RunAsync(again.Number);
        Assert.Empty((await rig.FinishAsync()).Issues);
        rig.AssertRestored();
    }

    [Fact]
    public async Task A_shared_file_with_a_known_loss_that_lacks_other_blocks_names_the_shard_to_restore_again()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 4);
        RestorePlan plan = rig.Restore.Plan;
        EntryId huge = new(
            PlanSplit.Of(plan.Pass, 4).Shares.Keys.MaxBy(entry => plan.Pass.Content.SizeOf(new EntryId(entry)))
        );
        BlockId gone = plan.Pass.BlockOf(huge, Item.Content(0));
        File.Delete(Path.Join(rig.Tree.Location, plan.Pass.Volumes[plan.Pass.Locations.VolumeOf(gone)].FileName));
        await Task.WhenAll(rig.RunAsync(1), rig.RunAsync(2), rig.RunAsync(3), rig.RunAsync(4));
        string shared = Directory
            .GetFiles(rig.Target, ".restore-*", SearchOption.AllDirectories)
            .MaxBy(file => new FileInfo(file).Length)!;
        using (FileStream file = File.OpenWrite(shared))
        {
            file.Seek(-1, SeekOrigin.End);
            file.WriteByte((byte)(rig.Tree.ContentOf(TreeBackup.Huge)[^1] ^ 1));
        }

        RestoreException refusal = await Assert.ThrowsAsync<RestoreException>(rig.FinishAsync);
        Assert.Equal(RestoreErrorCode.ShardsMissing, refusal.Code);
        ShardStatus again = Assert.Single(rig.Restore.Look(), shard => shard.State == ShardState.Open);
        await rig.RunAsync(again.Number);
        RestoreReport report = await rig.FinishAsync();
        RestoreIssue loss = Assert.Single(
            report.Issues,
            issue => issue.Path.EndsWith(TreeBackup.Huge, StringComparison.Ordinal)
        );
        Assert.Equal(0, loss.LostRanges[0].From);
        AssertOnlyLost(
            loss,
            rig.Tree.ContentOf(TreeBackup.Huge),
            File.ReadAllBytes(Path.Join(rig.Target, TreeBackup.Huge))
        );
    }

    [Fact]
    public async Task A_shared_file_with_a_lost_blocklist_is_there_but_for_what_that_lists()
    {
        const int Listed = 32;
        const int BlockBytes = 1024;
        using RoundTrip trip = new();
        byte[] source = RandomNumberGenerator.GetBytes(400_000);
        File.WriteAllBytes(Path.Join(trip.Source, "big"), source);
        await trip.WriteAsync(trip.Options with { BlockSizeBytes = BlockBytes, VolumeSizeBytes = 30_000 });
        byte[] list = [.. source.Chunk(BlockBytes).Skip(6 * Listed).Take(Listed).SelectMany(SHA256.HashData)];
        string name = Convert.ToBase64String(SHA256.HashData(list)).Replace('+', '-').Replace('/', '_');
        foreach (
            string volume in Directory.GetFiles(trip.Destination).Where(volume => HasEntry(volume, name)).ToArray()
        )
        {
            File.Delete(volume);
        }

        string planFile = Path.Join(trip.Folder, "plan.rplan");
        string target = Path.Join(trip.Folder, "target");
        ExecuteOptions options = new() { SkipFlush = true };
        await using Backup backup = await Backup.OpenAsync(trip.Destination);
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = target });
        await using (FileStream file = File.Create(planFile))
        {
            plan.InShards(3).Save(file);
        }

        for (int shard = 1; shard <= 3; shard++)
        {
            await ShardedRestore
                .Load(planFile)
                .RunAsync(backup, shard, 3, options, TestContext.Current.CancellationToken);
        }

        RestoreReport report = await ShardedRestore.Load(planFile).FinishAsync(options: options);
        RestoreIssue loss = Assert.Single(report.Issues, issue => issue.Path.EndsWith("big", StringComparison.Ordinal));
        Assert.Contains(
            loss.LostRanges,
            range => range.From <= 6 * Listed * BlockBytes && range.To >= 7 * Listed * BlockBytes
        );
        AssertOnlyLost(loss, source, File.ReadAllBytes(Path.Join(target, "big")));

        static bool HasEntry(string volume, string name)
        {
            using ZipArchive archive = ZipFile.OpenRead(volume);
            return archive.Entries.Any(entry => entry.Name == name);
        }
    }

    private static void AssertOnlyLost(RestoreIssue loss, byte[] source, byte[] restored)
    {
        foreach (ByteRange range in loss.LostRanges)
        {
            source.AsSpan((int)range.From, (int)(range.To - range.From)).Clear();
            restored.AsSpan((int)range.From, (int)(range.To - range.From)).Clear();
        }

        Assert.Equal(source, restored);
    }
}
