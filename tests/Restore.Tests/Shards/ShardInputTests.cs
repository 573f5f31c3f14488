using System.Security.Cryptography;
using Restore.Tests.Ends;

namespace Restore.Tests.Shards;

/// <summary>
/// What does not fit together is refused with a sentence and a code, and nothing is lost by it.
/// </summary>
public sealed class ShardInputTests
{
    [Fact]
    public async Task A_pipe_in_place_of_a_plan_makes_nobody_wait()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no such pipes.");
        using TempFolder folder = new();
        string pipe = Path.Join(folder.Path, "job.rplan");
        Native.Fifo(pipe);
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            Task.Run(() => ShardedRestore.Load(pipe))
                .WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken)
        );
        Assert.Equal(RestoreErrorCode.PlanDamaged, failure.Code);
    }

    [Fact]
    public async Task A_record_of_another_plan_is_refused_by_shard_and_last_step()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 2);
        await rig.RunAsync(1);
        await rig.PlanAsync(2, options => options with { RestorePermissions = true });
        await AssertRefusedAsync(
            RestoreErrorCode.ShardPlanOther,
            "The record of shard 1 is one of another plan",
            () => rig.RunAsync(1)
        );
        await AssertRefusedAsync(
            RestoreErrorCode.ShardPlanOther,
            "The record of shard 1 is one of another plan",
            rig.FinishAsync
        );
    }

    [Fact]
    public async Task A_plan_of_another_backup_is_refused()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 2);
        using TreeBackup other = await TreeBackup.WriteAsync(files: 3, largeFiles: 0);
        await using Backup backup = await Backup.OpenAsync(other.Location);
        await AssertRefusedAsync(
            RestoreErrorCode.PlanBackupOther,
            "The plan belongs to another backup",
            () => rig.Restore.RunAsync(backup, 1)
        );
    }

    [Fact]
    public async Task A_version_that_is_gone_is_refused_and_a_new_one_is_not()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 2);
        string list = Assert.Single(Directory.GetFiles(rig.Tree.Location, "*.dlist.zip"));
        await new BackupWriter(
            new BackupWriterOptions
            {
                Sources = [rig.Tree.Source],
                Destination = rig.Tree.Location,
                BlockSizeBytes = 50 << 10,
            }
        ).WriteAsync();
        Assert.True((await rig.RunAsync(1))!.IsComplete);
        File.Delete(list);
        await AssertRefusedAsync(
            RestoreErrorCode.PlanVersionGone,
            "The version of the plan, of ",
            () => rig.RunAsync(2)
        );
    }

    [Fact]
    public async Task Another_number_of_shards_is_refused()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 3);
        await AssertRefusedAsync(
            RestoreErrorCode.ShardCountWrong,
            "The plan has 3 shards, not 4",
            () => rig.RunAsync(1, count: 4)
        );
        await AssertRefusedAsync(
            RestoreErrorCode.ShardCountWrong,
            "There is no shard 4, only 1 to 3",
            () => rig.RunAsync(4)
        );
        using ShardRig open = await ShardRig.WriteAsync(shards: null);
        await AssertRefusedAsync(
            RestoreErrorCode.ShardCountWrong,
            "The plan has no number of shards, and none was given",
            () => open.RunAsync(1)
        );
        await open.RunAsync(1, count: 3);
        await AssertRefusedAsync(
            RestoreErrorCode.ShardCountWrong,
            "Shard 1 was restored as one of 3 shards, not of 2",
            () => open.RunAsync(1, count: 2)
        );

        // What is restored knows the number.
        await open.RunAsync(2);
        await open.RunAsync(3);
        Assert.Empty((await open.FinishAsync()).Issues);
        open.AssertRestored();
    }

    [Fact]
    public async Task A_shard_that_wrote_to_another_folder_of_the_same_name_is_found_by_the_last_step()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 2);
        await rig.RunAsync(1);
        Directory.Move(rig.Target, rig.In("elsewhere"));
        await rig.RunAsync(2);
        await AssertRefusedAsync(RestoreErrorCode.ShardTargetOther, "Shard 1 was restored on ", rig.FinishAsync);
        await rig.RunAsync(1);
        Assert.Empty((await rig.FinishAsync()).Issues);
        rig.AssertRestored();
    }

    [Fact]
    public async Task A_wrong_or_missing_passphrase_ends_a_shard_before_it_writes()
    {
        using TempFolder folder = new();
        FixtureTests.FixtureBackup fixture = FixtureTests.FixtureCatalog.BackupsOf("aes-100kb").Single();
        string file = Path.Join(folder.Path, "plan.rplan");
        await using (Backup right = await Backup.OpenAsync(fixture.Location, fixture.Options()))
        {
            await using FileStream stream = File.Create(file);
            (await right.PlanAsync(right.Versions[0], new RestoreOptions { Target = folder.Root }))
                .InShards(2)
                .Save(stream);
        }

        await using Backup wrong = await Backup.OpenAsync(fixture.Location, new BackupOptions { Passphrase = "wrong" });
        await using Backup none = await Backup.OpenAsync(fixture.Location);
        await AssertRefusedAsync(
            RestoreErrorCode.WrongPassphrase,
            "The passphrase is not",
            () => ShardedRestore.Load(file).RunAsync(wrong, 1)
        );
        await AssertRefusedAsync(
            RestoreErrorCode.PassphraseMissing,
            "",
            () => ShardedRestore.Load(file).RunAsync(none, 1)
        );
        Assert.False(Directory.Exists(folder.Root));
    }

    [Fact]
    public async Task The_last_step_names_the_shards_that_are_missing_or_failed()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 3);
        await rig.RunAsync(2);
        File.WriteAllText(rig.In("file"), "");
        await AssertRefusedAsync(
            RestoreErrorCode.ShardsMissing,
            "2 of 3 shards are not restored: 1, 3",
            rig.FinishAsync
        );
        Assert.Equal(
            [ShardState.Open, ShardState.Done, ShardState.Open],
            rig.Restore.Look().Select(shard => shard.State)
        );
    }

    [Fact]
    public async Task A_shard_that_failed_says_why_and_can_be_restored_again()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 2);
        File.WriteAllText(rig.Target, "a file where the folder goes");
        await AssertRefusedAsync(RestoreErrorCode.TargetUnusable, "The target cannot be used", () => rig.RunAsync(1));
        RestoreException early = await Assert.ThrowsAsync<RestoreException>(rig.FinishAsync);
        Assert.Contains("shard 1 failed: The target cannot be used", early.Message, StringComparison.Ordinal);
        File.Delete(rig.Target);
        Assert.True((await rig.RunAsync(1))!.IsComplete);
    }

    [Fact]
    public async Task A_damaged_record_is_reported()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 1);
        await rig.RunAsync(1);
        string record = Path.Join(rig.PlanFile + ".shards", "1.done");
        byte[] bytes = File.ReadAllBytes(record);
        bytes[^10] ^= 1;
        File.WriteAllBytes(record, bytes);
        await AssertRefusedAsync(
            RestoreErrorCode.ShardRecordDamaged,
            "The record of shard 1 cannot be used: its hash is wrong",
            rig.FinishAsync
        );
    }

    [Fact]
    public async Task A_record_in_the_place_of_another_one_is_reported()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 2);
        await rig.RunAsync(1);
        File.Copy(Path.Join(rig.PlanFile + ".shards", "1.done"), Path.Join(rig.PlanFile + ".shards", "2.done"));
        await AssertRefusedAsync(
            RestoreErrorCode.ShardRecordDamaged,
            "The record of shard 2 cannot be used: it is that of shard 1",
            rig.FinishAsync
        );
    }

    [Fact]
    public void A_file_that_is_no_plan_or_is_not_there_is_refused()
    {
        using TempFolder folder = new();
        string file = Path.Join(folder.Path, "plan.rplan");
        Assert.Equal(
            RestoreErrorCode.LocationNotFound,
            Assert.Throws<RestoreException>(() => ShardedRestore.Load(file)).Code
        );
        File.WriteAllText(file, "something else, and long enough to have a checksum at its end");
        RestoreException damaged = Assert.Throws<RestoreException>(() => ShardedRestore.Load(file));
        Assert.Equal((RestoreErrorCode.PlanDamaged, file), (damaged.Code, damaged.Where));
    }

    [Fact]
    public async Task A_plan_with_an_impossible_number_of_shards_is_refused()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 3);
        byte[] plan = File.ReadAllBytes(rig.PlanFile);
        byte[] number = "\"Shards\":3"u8.ToArray();
        plan[plan.AsSpan().IndexOf(number) + number.Length - 1] = (byte)'0';
        SHA256.HashData(plan.AsSpan(..^SHA256.HashSizeInBytes)).CopyTo(plan.AsSpan(^SHA256.HashSizeInBytes..));
        File.WriteAllBytes(rig.PlanFile, plan);
        RestoreException refusal = Assert.Throws<RestoreException>(() => rig.Restore);
        Assert.Equal(RestoreErrorCode.PlanDamaged, refusal.Code);
        Assert.Contains("Its number of shards is impossible", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_legacy_flow_restores_no_shard()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 3);
        await using Backup backup = await rig.OpenAsync();
        await AssertRefusedAsync(
            RestoreErrorCode.OptionInvalid,
            "The legacy flow cannot restore a shard",
            () => rig.Restore.RunAsync(backup, 1, options: new ExecuteOptions { Legacy = true })
        );
    }

    [Fact]
    public async Task A_folder_beside_the_plan_in_which_nothing_can_be_locked_is_reported()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 2);
        Directory.CreateDirectory(Path.Join(rig.PlanFile + ".shards", "1.claim.lock"));
        await AssertRefusedAsync(
            RestoreErrorCode.OutputNotWritable,
            "The folder beside the plan cannot be written",
            () => rig.RunAsync(1)
        );
    }

    private static async Task AssertRefusedAsync(string code, string start, Func<Task> action)
    {
        RestoreException refusal = await Assert.ThrowsAsync<RestoreException>(action);
        Assert.Equal(code, refusal.Code);
        Assert.StartsWith(start, refusal.Message, StringComparison.Ordinal);
    }
}
