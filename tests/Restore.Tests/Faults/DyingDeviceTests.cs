using Restore.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support;

namespace Restore.Tests.Faults;

/// <summary>
/// A device that fails every call from some moment on, and stores that change while they are read:
/// a clear end, and the next run completes.
/// </summary>
[Trait("Suite", "mount")]
public sealed class DyingDeviceTests
{
    private const int InputOutputError = 5;
    private const int AccessDenied = 13;

    [Theory]
    [InlineData(Flow.Network, 0)]
    [InlineData(Flow.Network, 5)]
    [InlineData(Flow.Network, 40)]
    [InlineData(Flow.Legacy, 0)]
    [InlineData(Flow.Legacy, 40)]
    public async Task A_target_whose_calls_all_fail_ends_clearly_and_the_next_run_completes(Flow flow, int first)
    {
        using FaultMount mount = await FaultMount.MountAsync();
        using FaultTree tree = new();
        string backing = Path.Combine(mount.Backing, "target");
        string target = Path.Combine(mount.Mounted, "target");
        tree.Prepare(backing);
        await mount.ResetAsync();
        await mount.FailAsync("any", first + 1, InputOutputError, int.MaxValue);
        FaultRun run = await tree.RestoreAsync(target, flow);
        await mount.ResetAsync();
        Assert.Contains(run.ExitCode, (int[])[ExitCodes.Incomplete, ExitCodes.TargetNotWritable]);
        Assert.Empty(tree.Wrong(backing, run, mostLost: int.MaxValue, mayLeaveParts: true));

        FaultRun second = await tree.RestoreAsync(target, flow);
        Assert.True(second.ExitCode == ExitCodes.Complete, second.ToString());
        Assert.Empty(tree.Wrong(backing, second, mostLost: 0));
    }

    /// <summary>
    /// As the soak found with seeds 21387 and 21615: a record stayed, and nothing said so.
    /// </summary>
    [Fact]
    public async Task A_target_that_cannot_be_listed_is_reported_because_records_cannot_be_found()
    {
        using FaultMount mount = await FaultMount.MountAsync();
        using FaultTree tree = new();
        string backing = Path.Combine(mount.Backing, "target");
        string target = Path.Combine(mount.Mounted, "target");
        tree.Prepare(backing);
        File.WriteAllText(Path.Combine(backing, ".restore-0123456789abcdef.unfinished"), "");
        await mount.ResetAsync();
        await mount.FailAsync("opendir", 1, InputOutputError, int.MaxValue);
        FaultRun run = await tree.RestoreAsync(target, Flow.Network);
        await mount.ResetAsync();
        Assert.Contains(
            run.Issues,
            issue =>
                issue.Reason.StartsWith(
                    "The record of an interrupted restore cannot be found",
                    StringComparison.Ordinal
                )
        );
        Assert.Empty(tree.Wrong(backing, run, mostLost: 0));

        FaultRun second = await tree.RestoreAsync(target, Flow.Network);
        Assert.True(second.ExitCode == ExitCodes.Complete, second.ToString());
        Assert.Empty(tree.Wrong(backing, second, mostLost: 0));
    }

    /// <summary>
    /// As the soak found with seed 100866: the file by which the device is tried stayed, and no
    /// later run removed it.
    /// </summary>
    [Fact]
    public async Task What_a_target_did_not_remove_is_removed_by_the_next_run()
    {
        using FaultMount mount = await FaultMount.MountAsync();
        using FaultTree tree = new();
        string backing = Path.Combine(mount.Backing, "target");
        string target = Path.Combine(mount.Mounted, "target");
        tree.Prepare(backing);
        await mount.ResetAsync();
        await mount.FailAsync("unlink", 1, InputOutputError, int.MaxValue);
        _ = await tree.RestoreAsync(target, Flow.Network);
        await mount.ResetAsync();

        FaultRun second = await tree.RestoreAsync(target, Flow.Network);
        Assert.True(second.ExitCode == ExitCodes.Complete, second.ToString());
        Assert.Empty(tree.Wrong(backing, second, mostLost: 0));
    }

    [Fact]
    public async Task A_damaged_file_that_cannot_get_its_own_name_is_removed_by_the_next_run()
    {
        using FaultMount mount = await FaultMount.MountAsync();
        using FaultTree tree = new();
        string backing = Path.Combine(mount.Backing, "target");
        RestoreOptions options = new() { Target = Path.Combine(mount.Mounted, "target"), Overwrite = true };
        tree.Prepare(backing);
        ScriptedStore store = tree.Store(isLocal: true);
        byte[] volume = store[store.Names.Single(name => name.Contains("dblock", StringComparison.Ordinal))];
        for (int at = 1000; at < volume.Length - 20_000; at += 200_000)
        {
            // Each large block is damaged.
            volume[at] ^= 1;
        }

        await mount.ResetAsync();
        await mount.FailAsync("rename", 1, AccessDenied, int.MaxValue);
        FaultRun run = await FaultTree.RestoreAsync(store, options);
        Assert.NotEqual(0, (await mount.CountAsync())["failed"]);
        await mount.ResetAsync();
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Contains(
            run.Issues,
            issue => issue.Reason.StartsWith("The record of the restore stays", StringComparison.Ordinal)
        );

        FaultRun second = await FaultTree.RestoreAsync(tree.Store(isLocal: true), options);
        Assert.True(second.ExitCode == ExitCodes.Complete, second.ToString());
        Assert.Empty(tree.Wrong(backing, second, mostLost: 0));
    }

    [Fact]
    public async Task The_file_by_which_an_earlier_run_tried_the_device_is_removed_without_a_record_too()
    {
        using TempFolder folder = new();
        using FaultTree tree = new();
        tree.Prepare(folder.Root);
        File.WriteAllText(folder.In(".restore-takes-data"), "Restore tries whether the device takes data\n");
        FaultRun run = await tree.RestoreAsync(folder.Root, Flow.Network);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.ToString());
        Assert.Empty(tree.Wrong(folder.Root, run, mostLost: 0));
    }

    [Theory]
    [InlineData("")]
    [InlineData("?")]
    public async Task A_file_of_the_users_that_only_has_the_name_of_ours_stays(string content)
    {
        using TempFolder folder = new();
        using FaultTree tree = new();
        tree.Prepare(folder.Root);
        string own = folder.In(".restore-takes-data");
        File.WriteAllText(own, content);
        FaultRun run = await tree.RestoreAsync(folder.Root, Flow.Network);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.ToString());
        Assert.Equal(content, File.ReadAllText(own));
    }

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task A_store_whose_reads_all_fail_is_reported_and_the_next_run_completes(Flow flow)
    {
        using TempFolder folder = new();
        using FaultTree tree = new();
        tree.Prepare(folder.Root);
        RestoreSetup options = new RestoreOptions { Target = folder.Root, Overwrite = true }.By(flow);
        ScriptedStore store = tree.Store(isLocal: true);
        store.BeforeRead = (name, _) =>
            name.Contains("dblock", StringComparison.Ordinal)
                ? throw new IOException($"{name} could not be read: input/output error")
                : ValueTask.CompletedTask;
        FaultRun run = await FaultTree.RestoreAsync(store, options);
        Assert.Contains(run.ExitCode, (int[])[ExitCodes.Incomplete, ExitCodes.Failed]);
        Assert.Empty(tree.Wrong(folder.Root, run, mostLost: int.MaxValue, mayLeaveParts: true));

        FaultRun second = await FaultTree.RestoreAsync(tree.Store(isLocal: true), options);
        Assert.True(second.ExitCode == ExitCodes.Complete, second.ToString());
        Assert.Empty(tree.Wrong(folder.Root, second, mostLost: 0));
    }

    /// <summary>
    /// As if the backup were compacted: after the listing a volume is replaced by another one with
    /// the same blocks.
    /// </summary>
    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task Volumes_that_are_replaced_during_the_run_are_reported_as_lost_and_the_next_run_completes(
        Flow flow
    )
    {
        using TempFolder folder = new();
        using FaultTree tree = new();
        tree.Prepare(folder.Root);
        RestoreSetup options = new RestoreOptions { Target = folder.Root, Overwrite = true }.By(flow);
        ScriptedStore store = tree.Store(isLocal: false);
        string volume = store.Names.Single(name => name.Contains("dblock", StringComparison.Ordinal));
        string index = store.Names.Single(name => name.Contains("dindex", StringComparison.Ordinal));
        bool isCompacted = false;
        store.BeforeRead = (name, _) =>
        {
            if (name == volume && !isCompacted)
            {
                isCompacted = true;
                store[volume.Replace('1', '3')] = store[volume];
                store.Remove(volume);
                store.Remove(index);
            }

            return ValueTask.CompletedTask;
        };
        FaultRun run = await FaultTree.RestoreAsync(store, options);
        Assert.True(isCompacted);
        Assert.Contains(run.ExitCode, (int[])[ExitCodes.Incomplete, ExitCodes.Failed]);
        Assert.Empty(tree.Wrong(folder.Root, run, mostLost: int.MaxValue, mayLeaveParts: true));

        FaultRun second = await FaultTree.RestoreAsync(store, options);
        Assert.True(second.ExitCode == ExitCodes.Complete, second.ToString());
        Assert.Empty(tree.Wrong(folder.Root, second, mostLost: 0));
    }
}
