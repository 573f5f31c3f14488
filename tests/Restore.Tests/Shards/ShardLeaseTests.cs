using Restore.Shards;
using Restore.Tests.Ends;

namespace Restore.Tests.Shards;

/// <summary>
/// Who restores a shard: one process at a time as far as that can be known, and no clocks are
/// compared.
/// </summary>
public sealed class ShardLeaseTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);
    private static readonly LeaseTiming Quick = new(TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(1));

    private readonly TempFolder folder = new();

    private string ClaimPath => Path.Join(folder.Path, "1.claim");

    [Fact]
    public async Task A_second_process_waits_until_the_first_one_has_ended_and_counts_on()
    {
        ShardLease first = (await TakeAsync())!;
        TaskCompletionSource waiting = new();
        Task<ShardLease?> second = TakeAsync(() => waiting.TrySetResult());
        await waiting.Task.WaitAsync(Limit, TestContext.Current.CancellationToken);
        Assert.False(second.IsCompleted);
        first.Dispose();
        using ShardLease taken = (await second.WaitAsync(Limit))!;
        Assert.Equal((1, 2), (first.Attempt, taken.Attempt));
    }

    [Theory]
    [InlineData("")]
    [InlineData("\0\0\0\0")]
    [InlineData("\n")]
    public async Task A_claim_that_a_killed_process_made_and_did_not_write_is_not_waited_for(string content)
    {
        File.WriteAllText(ClaimPath, content);
        LeaseTiming patient = Quick with { Quiet = TimeSpan.FromMinutes(10) };
        using ShardLease taken = (
            await ShardLease
                .TakeAsync(ClaimPath, patient, () => false, () => { }, TimeProvider.System, default)
                .WaitAsync(Limit)
        )!;
        Assert.True(taken.Look());
    }

    [Fact]
    public async Task What_a_process_left_that_was_killed_before_its_claim_had_its_name_is_removed_and_not_waited_for()
    {
        File.WriteAllText(ClaimPath + ".0123.tmp", "");
        LeaseTiming patient = Quick with { Quiet = TimeSpan.FromMinutes(10) };
        bool isWaiting = false;
        using ShardLease taken = (
            await ShardLease
                .TakeAsync(ClaimPath, patient, () => false, () => isWaiting = true, TimeProvider.System, default)
                .WaitAsync(Limit)
        )!;
        Assert.Equal((1, false), (taken.Attempt, isWaiting));
        Assert.Equal(
            ["1.claim", "1.claim.lock"],
            Directory.GetFiles(folder.Path).Select(Path.GetFileName).Order(StringComparer.Ordinal)
        );
    }

    [Fact]
    public async Task A_second_process_has_nothing_to_do_when_the_first_one_was_successful()
    {
        bool isDone = false;
        using ShardLease first = (await TakeAsync())!;
        Task<ShardLease?> second = ShardLease.TakeAsync(
            ClaimPath,
            Quick,
            () => Volatile.Read(ref isDone),
            () => { },
            TimeProvider.System,
            default
        );
        Volatile.Write(ref isDone, true);
        Assert.Null(await second.WaitAsync(Limit));
    }

    [Fact]
    public async Task A_process_of_another_machine_that_lives_is_waited_for_whatever_its_clock_and_one_that_is_silent_is_not()
    {
        using CancellationTokenSource life = new();
        Task living = LiveElsewhereAsync(life.Token);
        Task<ShardLease?> second = TakeAsync();
        await Task.Delay(Quick.Quiet * 1.5, TestContext.Current.CancellationToken);
        Assert.False(second.IsCompleted);
        await life.CancelAsync();
        await living.WaitAsync(Limit);
        using ShardLease taken = (await second.WaitAsync(Limit))!;
        Assert.Equal(5, taken.Attempt);
    }

    [Fact]
    public async Task The_shard_of_a_frozen_process_of_the_same_machine_is_taken_over_and_it_learns_it_when_it_thaws()
    {
        FrozenTime frozen = new();
        using ShardLease first = (
            await ShardLease.TakeAsync(ClaimPath, Quick, () => false, () => { }, frozen, default)
        )!;
        using ShardLease second = (await TakeAsync().WaitAsync(Limit))!;
        Assert.Equal((1, 2), (first.Attempt, second.Attempt));
        Assert.Equal(((bool?)false, (bool?)true), (first.Look(), second.Look()));

        // It may not write even before its next sign of life.
        Assert.Equal((false, true), (first.MayWrite(), second.MayWrite()));
        frozen.Thaw();
        Assert.True(first.Lost.IsCancellationRequested);

        // The lock of the first is free now, but the second lives.
        first.Dispose();
        Task<ShardLease?> third = TakeAsync();
        await Task.Delay(Quick.Quiet * 1.5, TestContext.Current.CancellationToken);
        Assert.False(third.IsCompleted);
        second.End();
        using ShardLease last = (await third.WaitAsync(Limit))!;
        Assert.Equal(3, last.Attempt);
    }

    [Fact]
    public async Task Of_two_processes_that_take_over_a_silent_shard_at_the_same_moment_one_has_it()
    {
        File.WriteAllText(ClaimPath, "4 other-machine 0123\n1\n");
        using Barrier moment = new(2);
        List<Task<ShardLease?>> both = [Task.Run(() => TakeAtAsync(moment)), Task.Run(() => TakeAtAsync(moment))];
        Task<ShardLease?> winner = await Task.WhenAny(both).WaitAsync(Limit);
        using ShardLease first = (await winner)!;
        Assert.False(both.TrueForAll(task => task.IsCompleted));
        Assert.True(first.Look());
        first.End();
        both.Remove(winner);
        using ShardLease second = (await both[0].WaitAsync(Limit))!;
        Assert.Equal(first.Attempt + 1, second.Attempt);
    }

    [Fact]
    public async Task A_process_that_learns_only_at_its_end_that_its_shard_was_taken_over_leaves_the_record_to_the_other_one()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 2);
        await using Backup backup = await rig.OpenAsync();
        string claim = rig.In("plan.rplan.shards/1.claim");
        LeaseTiming slow = new(TimeSpan.FromMinutes(5), TimeSpan.FromHours(1));
        ExecuteOptions options = new() { Entries = new Taker(claim) };
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            rig.Restore.With(slow).RunAsync(backup, 1, options: options).WaitAsync(TimeSpan.FromMinutes(1))
        );
        Assert.Equal(RestoreErrorCode.ShardTaken, failure.Code);
        Assert.StartsWith("2 other-machine", File.ReadAllText(claim), StringComparison.Ordinal);
        Assert.Equal(ShardState.Open, rig.Restore.Look()[0].State);
    }

    [Fact]
    public async Task A_process_whose_shard_was_taken_over_learns_it()
    {
        using ShardLease first = (await TakeAsync())!;
        Assert.True(first.Look());
        File.WriteAllText(ClaimPath, "2 other-machine 0123\n1\n");
        Assert.False(first.Look());
        TaskCompletionSource lost = new();
        await using CancellationTokenRegistration _ = first.Lost.Register(lost.SetResult);
        await lost.Task.WaitAsync(Limit);
        first.End();
        Assert.StartsWith("2 other-machine", File.ReadAllText(ClaimPath), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_folder_that_cannot_be_written_is_a_failure_and_no_lock_of_another_process()
    {
        Directory.CreateDirectory(folder.Root);
        if (!Native.Mount(folder.Root, "size=1m"))
        {
            Assert.Skip("A file system can only be mounted by the root user.");
        }

        try
        {
            string path = Path.Join(folder.Root, "1.claim");
            (await ShardLease.TakeAsync(path, Quick, () => false, () => { }, TimeProvider.System, default))!.Dispose();
            Native.Remount(folder.Root, "size=1m", isReadOnly: true);
            await Assert.ThrowsAsync<IOException>(() =>
                ShardLease.TakeAsync(path, Quick, () => false, () => { }, TimeProvider.System, default).WaitAsync(Limit)
            );
        }
        finally
        {
            Native.Unmount(folder.Root);
        }
    }

    public void Dispose() => folder.Dispose();

    private Task<ShardLease?> TakeAsync(Action? waiting = null) =>
        ShardLease.TakeAsync(ClaimPath, Quick, () => false, waiting ?? (() => { }), TimeProvider.System, default);

    /// <summary>Takes the shard when the other one is about to take it too.</summary>
    private Task<ShardLease?> TakeAtAsync(Barrier moment)
    {
        int looks = 0;
        bool hasMet = false;
        return ShardLease.TakeAsync(ClaimPath, Quick, IsDone, () => looks = 0, TimeProvider.System, default);

        bool IsDone()
        {
            // The second look of a round is the last one before the shard is taken.
            if (++looks == 2 && !hasMet)
            {
                hasMet = true;
                moment.SignalAndWait(Limit);
            }

            return false;
        }
    }

    private async Task LiveElsewhereAsync(CancellationToken end)
    {
        for (int beat = 0; !end.IsCancellationRequested; beat++)
        {
            using (FileStream file = new(ClaimPath, FileMode.OpenOrCreate, FileAccess.Write, FileShare.ReadWrite))
            {
                file.Write(System.Text.Encoding.ASCII.GetBytes($"4 other-machine 0123\n{beat}\n"));
            }

            await Task.Delay(10, CancellationToken.None);
        }
    }

    [Theory]
    [InlineData("1.claim")]
    [InlineData("1.claim.lock")]
    public async Task A_shard_is_not_taken_through_a_link(string name)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows lets only some users create links.");
        string other = Path.Join(folder.Path, "other");
        File.WriteAllText(other, "mine");
        File.CreateSymbolicLink(Path.Join(folder.Path, name), other);
        await Assert.ThrowsAsync<IOException>(() => TakeAsync());
        Assert.Equal("mine", File.ReadAllText(other));
    }

    /// <summary>Another process that takes the shard when the first entry is restored.</summary>
    private sealed class Taker(string claim) : IProgress<EntryResult>
    {
        private int entries;

        public void Report(EntryResult value)
        {
            if (Interlocked.Increment(ref entries) == 1)
            {
                File.WriteAllText(claim, "2 other-machine 0123\n1\n");
            }
        }
    }

    /// <summary>The time of a process that is stopped: its timers fire when it goes on.</summary>
    private sealed class FrozenTime : TimeProvider
    {
        private readonly List<Action> timers = [];

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            timers.Add(() => callback(state));
            return System.CreateTimer(_ => { }, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }

        public void Thaw() => timers.ForEach(timer => timer());
    }
}
