using Restore.Planning;
using Restore.Shards;

namespace Restore.Tests.Shards;

/// <summary>
/// What shards leave to the last step: each thing once, however many shards there are, and little
/// for each shard.
/// </summary>
public sealed class ShardRecordTests
{
    // A report without issues, its profile and choices.
    private const int BytesOfEmptyRecord = 4096;

    [Fact]
    public async Task Records_and_what_the_last_step_has_to_do_grow_with_the_number_of_shards_and_no_faster()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: null);
        int[] counts = [4, 16, 64];
        (long Bytes, int Entries, int Shares, int Borders)[] left =
        [
            .. await Task.WhenAll(counts.Select(count => LeftByAsync(rig, count))),
        ];

        Assert.Single(left.Select(one => one.Entries).Distinct());
        for (int i = 0; i < counts.Length; i++)
        {
            Assert.InRange(left[i].Shares, 1, left[i].Borders);
            Assert.InRange(left[i].Bytes - left[0].Bytes, 0, (counts[i] - counts[0]) * BytesOfEmptyRecord);
        }
    }

    [Theory]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.UserWrite, UnixFileMode.None)]
    [InlineData(
        UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead,
        UnixFileMode.GroupRead | UnixFileMode.GroupExecute
    )]
    public async Task Records_are_open_to_those_who_may_read_the_plan_and_to_nobody_else(
        UnixFileMode plan,
        UnixFileMode others
    )
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows has no Unix modes.");
            return;
        }

        using ShardRig rig = await ShardRig.WriteAsync(shards: 2);
        File.SetUnixFileMode(rig.PlanFile, plan);
        await rig.RunAsync(1);
        const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
        Assert.Equal(Owner | others, File.GetUnixFileMode(rig.Restore.Files.Folder));
    }

    /// <summary>Restores all shards of a copy of the plan.</summary>
    private static async Task<(long Bytes, int Entries, int Shares, int Borders)> LeftByAsync(ShardRig rig, int count)
    {
        string file = rig.In($"{count}.rplan");
        RestorePlan plan = await SaveAsync(rig, file, count);
        PlanSplit split = PlanSplit.Of(plan.Pass, count);
        await using Backup backup = await rig.OpenAsync();
        ShardedRestore restore = ShardedRestore.Load(file);
        for (int shard = 1; shard <= count; shard++)
        {
            await restore.RunAsync(backup, shard).WaitAsync(TimeSpan.FromMinutes(1));
        }

        ShardFiles files = restore.Files;
        ShardRecord[] records = [.. Enumerable.Range(1, count).Select(shard => files.Read(shard, count)!)];
        long bytes = Directory.GetFiles(files.Folder, "*.done").Sum(path => new FileInfo(path).Length);
        DeferredEntry[] deferred = [.. records.SelectMany(record => record.Deferred)];
        int borders = split.Shares.Values.Sum(file => file.PartOfItem.Append(file.MetadataPart).Distinct().Count());
        Assert.Empty((await restore.FinishAsync().WaitAsync(TimeSpan.FromMinutes(1))).Issues);
        return (bytes, deferred.Count(entry => !entry.IsShare), deferred.Count(entry => entry.IsShare), borders);
    }

    private static async Task<RestorePlan> SaveAsync(ShardRig rig, string file, int count)
    {
        await using Backup backup = await rig.OpenAsync();
        RestoreOptions options = new() { Target = rig.In($"out {count}") };
        RestorePlan plan = (await backup.PlanAsync(backup.Versions[0], options)).InShards(count);
        await using FileStream stream = File.Create(file);
        plan.Save(stream);
        return plan;
    }
}
