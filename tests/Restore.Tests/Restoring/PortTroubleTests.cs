using Restore.Restoring;
using Restore.Tests.Ends;

namespace Restore.Tests.Restoring;

/// <summary>
/// Failures of the store, the target and the listener, in the middle of a process's work.
/// </summary>
public sealed class PortTroubleTests
{
    private const string Backup = "aes-100kb";

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task A_store_that_cannot_be_used_any_more_ends_the_run(int read)
    {
        using NetworkRig rig = new(Backup);
        RestoreException failure = new(RestoreErrorCode.StoreLost, "The store is gone");
        OnBlockVolume(rig, read, _ => throw failure);
        Assert.Same(
            failure,
            await Record.ExceptionAsync(() => rig.RunAsync(_ => null).WaitAsync(TimeSpan.FromSeconds(60)))
        );
        rig.AssertAllGivenBack();
        rig.AssertNothingHalfDone();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public async Task A_volume_that_cannot_be_read_costs_its_files_only(int read)
    {
        using NetworkRig rig = new(Backup);
        string volume = rig
            .Store.Names.Where(name => name.Contains(".dblock.", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal)
            .ElementAt(read);
        rig.Store.BeforeRead = (name, _) =>
            name == volume ? throw new IOException("The disk has a bad sector") : ValueTask.CompletedTask;
        RestoreReport report = await rig.RunAsync(_ => null).WaitAsync(TimeSpan.FromSeconds(60));
        Assert.False(report.IsComplete);
        Assert.Contains(
            report.Issues,
            issue => issue.Path == volume && issue.Reason.Contains("bad sector", StringComparison.Ordinal)
        );
        Assert.True(report.FilesRestored > 0);
        rig.AssertAllGivenBack();
    }

    [Theory]
    [InlineData(typeof(IOException))]
    [InlineData(typeof(UnauthorizedAccessException))]
    public async Task A_file_list_that_cannot_be_read_ends_the_run_with_its_name(Type failure)
    {
        using NetworkRig rig = new(Backup);
        OnFile(rig, ".dlist.", failure);
        RestoreException end = await Assert.ThrowsAsync<RestoreException>(() => rig.PlanAsync());
        Assert.Equal(RestoreErrorKind.Failed, end.Kind);
        Assert.Matches("^The file list of version 0 of 20[0-9-]{8} [0-9:]{8} UTC cannot be (used|read): ", end.Message);
        rig.AssertAllGivenBack();
    }

    [Theory]
    [InlineData(typeof(IOException))]
    [InlineData(typeof(UnauthorizedAccessException))]
    public async Task Unreadable_index_volumes_cost_only_a_look_into_block_volumes(Type failure)
    {
        using NetworkRig rig = new(Backup);
        OnFile(rig, ".dindex.", failure);
        RestoreReport report = await rig.RunAsync(_ => null).WaitAsync(TimeSpan.FromSeconds(60));
        Assert.True(report.IsComplete);
        Assert.Contains(
            report.Issues,
            issue => issue.Reason.StartsWith("The index volume cannot be used: ", StringComparison.Ordinal)
        );
        rig.AssertAllGivenBack();
        rig.AssertWhole();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task A_store_that_never_answers_is_left_on_cancellation(int read)
    {
        using NetworkRig rig = new(Backup);
        using CancellationTokenSource cancel = new();
        OnBlockVolume(
            rig,
            read,
            async token =>
            {
                await cancel.CancelAsync();
                await Task.Delay(Timeout.Infinite, token);
            }
        );
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            rig.RunAsync(_ => null, cancellationToken: cancel.Token).WaitAsync(TimeSpan.FromSeconds(60))
        );
        rig.AssertAllGivenBack();
        rig.AssertNothingHalfDone();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task A_read_that_fails_once_costs_nothing(int read)
    {
        using NetworkRig rig = new(Backup);
        OnBlockVolume(rig, read, _ => throw new IOException("The disk has a bad sector"));
        RestoreReport report = await rig.RunAsync(_ => null).WaitAsync(TimeSpan.FromSeconds(60));
        Assert.True(report.IsComplete);
        rig.AssertAllGivenBack();
        rig.AssertWhole();
    }

    [Fact]
    public async Task A_slow_store_makes_no_difference_but_time()
    {
        using NetworkRig rig = new(Backup);
        rig.Store.BeforeRead = async (_, token) => await Task.Delay(30, token);
        Assert.Empty((await rig.RunAsync(_ => null)).Issues);
        rig.AssertAllGivenBack();
        rig.AssertWhole();
    }

    [Fact]
    public async Task A_volume_deleted_after_the_listing_loses_only_its_files()
    {
        using NetworkRig rig = new(Backup);
        RestorePlan plan = await rig.PlanAsync();
        rig.Store.Remove(plan.Volumes[0].Name);
        RestoreReport report = await rig.ExecuteAsync(plan);
        Assert.False(report.IsComplete);
        Assert.Contains(report.Issues, issue => issue.Path == plan.Volumes[0].Name);
        rig.AssertAllGivenBack();
    }

    [Fact]
    public async Task A_listener_that_throws_ends_the_run_in_good_order()
    {
        using NetworkRig rig = new(Backup);
        RestorePlan plan = await rig.PlanAsync();
        ExecuteOptions options = new() { Progress = new Thrower() };
        Exception? thrown = await Record.ExceptionAsync(() =>
            rig.ExecuteAsync(plan, options).WaitAsync(TimeSpan.FromSeconds(60))
        );
        Assert.NotNull(thrown);
        rig.AssertAllGivenBack();
        rig.AssertNothingHalfDone();
    }

    [Fact]
    public async Task A_target_that_is_full_ends_the_run_with_the_right_error_and_without_half_files()
    {
        using TempFolder folder = new();
        string mount = Path.Combine(folder.Path, "small");
        Directory.CreateDirectory(mount);
        if (!Environment.IsPrivilegedProcess || !Native.Mount(mount, "size=300k"))
        {
            Assert.Skip("A small file system can be mounted by root only.");
        }

        try
        {
            FixtureTests.FixtureBackup fixture = FixtureTests.FixtureCatalog.BackupsOf(Backup).Single();
            RestoreOptions options = FixtureTests.FixtureRestore.Whole(Path.Combine(mount, "out"));
            RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
                FixtureTests.FixtureRestore.RunAsync(fixture, 0, options).WaitAsync(TimeSpan.FromSeconds(60))
            );
            Assert.Equal(RestoreErrorKind.TargetNotWritable, failure.Kind);
            Assert.Empty(OpenFiles.Below(mount));
        }
        finally
        {
            Native.Unmount(mount);
        }
    }

    private static void OnFile(NetworkRig rig, string kind, Type failure) =>
        rig.Store.BeforeRead = (name, _) =>
            name.Contains(kind, StringComparison.Ordinal)
                ? throw (Exception)Activator.CreateInstance(failure)!
                : ValueTask.CompletedTask;

    private static void OnBlockVolume(NetworkRig rig, int read, Func<CancellationToken, ValueTask> act)
    {
        int count = 0;
        rig.Store.BeforeRead = (name, token) =>
            name.Contains(".dblock.", StringComparison.Ordinal) && Interlocked.Increment(ref count) == read
                ? act(token)
                : ValueTask.CompletedTask;
    }

    private sealed class Thrower : IProgress<RestoreProgress>
    {
        public void Report(RestoreProgress value)
        {
            if (value.Phase == RestorePhase.Restoring && value.FilesDone > 0)
            {
                throw new TroubleException();
            }
        }
    }
}
