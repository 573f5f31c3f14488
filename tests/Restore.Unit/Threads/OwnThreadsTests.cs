using Restore.Tests.Csp;
using Restore.Threads;

namespace Restore.Tests.Threads;

public sealed class OwnThreadsTests
{
    private readonly OwnThreads threads = new();

    [Fact]
    public Task Work_does_not_run_on_the_thread_pool_and_its_caller_continues_there() =>
        Task.Run(async () =>
        {
            (bool isPool, bool isCurrent) = await threads
                .RunAsync(() => (Thread.CurrentThread.IsThreadPoolThread, threads.IsCurrent))
                .ConfigureAwait(false);
            Assert.Equal((false, true), (isPool, isCurrent));
            Assert.Equal((true, false), (Thread.CurrentThread.IsThreadPoolThread, threads.IsCurrent));
        });

    [Fact]
    public async Task Work_that_awaited_something_returns_to_the_threads() =>
        await threads.RunAsync(async () =>
        {
            await Task.Delay(1, TestContext.Current.CancellationToken).ConfigureAwait(false);
            Assert.False(threads.IsCurrent);
            await threads.ReturnAsync();
            Assert.True(threads.IsCurrent);
        });

    [Fact]
    public async Task A_wait_that_was_begun_for_the_threads_ends_on_them() =>
        await threads.RunAsync(async () =>
        {
            TaskCompletionSource<int> source = new(TaskCreationOptions.RunContinuationsAsynchronously);
            Task completing = Task.Run(() => source.SetResult(7));
            Assert.Equal(7, await threads.ReturnAfter(new ValueTask<int>(source.Task)));
            Assert.True(threads.IsCurrent);
            await threads.ReturnAfter(new ValueTask(Task.Delay(1, TestContext.Current.CancellationToken)));
            Assert.True(threads.IsCurrent);
            Assert.Null(SynchronizationContext.Current);
            await completing.ConfigureAwait(false);
        });

    [Fact]
    public async Task A_wait_that_fails_throws_there() =>
        await threads.RunAsync(async () =>
        {
            TaskCompletionSource source = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _ = Task.Run(() => source.SetException(new IOException()));
            await Assert.ThrowsAsync<IOException>(async () => await threads.ReturnAfter(new ValueTask(source.Task)));
        });

    [Fact]
    public async Task Work_runs_on_the_thread_pool_if_the_system_gives_no_thread()
    {
        OwnThreads without = new(_ => throw new InsufficientMemoryException());
        int[] results = await Task.WhenAll(
            Enumerable
                .Range(0, 20)
                .Select(number =>
                    without.RunAsync(async () =>
                    {
                        Assert.True(without.IsCurrent);
                        await Task.Delay(1, TestContext.Current.CancellationToken).ConfigureAwait(false);
                        await without.ReturnAsync();
                        Assert.True(without.IsCurrent);
                        return number;
                    })
                )
        );
        Assert.Equal(Enumerable.Range(0, 20), results);
        Assert.False(without.IsCurrent);
    }

    [Fact]
    public async Task Other_threads_of_the_library_are_not_these() =>
        Assert.False(await new OwnThreads().RunAsync(() => threads.IsCurrent));

    [Fact]
    public async Task A_failure_of_the_work_is_the_failure_of_the_call()
    {
        await Assert
            .ThrowsAsync<IOException>(() => threads.RunAsync(() => throw new IOException("The disk has a bad sector")))
            .Soon();
        Assert.True(await threads.RunAsync(() => threads.IsCurrent).Soon());
    }

    [Fact]
    public async Task No_work_waits_for_other_work()
    {
        // Each piece of work ends when all have begun.
        const int Pieces = 40;
        using Barrier all = new(Pieces);
        bool[] met = await Task.WhenAll(
            Enumerable.Range(0, Pieces).Select(_ => threads.RunAsync(() => all.SignalAndWait(TimeSpan.FromSeconds(30))))
        );
        Assert.All(met, Assert.True);
    }

    [Fact]
    public async Task All_of_much_short_work_is_done_by_few_threads()
    {
        int[][] ids = await Task.WhenAll(
                Enumerable
                    .Range(0, 4)
                    .Select(_ =>
                        Task.Run(async () =>
                        {
                            List<int> used = [];
                            for (int i = 0; i < 5000; i++)
                            {
                                used.Add(await threads.RunAsync(() => Environment.CurrentManagedThreadId));
                            }

                            return used.ToArray();
                        })
                    )
            )
            .Soon();
        Assert.Equal(20_000, ids.Sum(used => used.Length));
        Assert.InRange(ids.SelectMany(used => used).Distinct().Count(), 1, 100);
    }

    [Fact]
    public async Task A_thread_without_work_ends()
    {
        Thread thread = await threads.RunAsync(() => Thread.CurrentThread);
        Assert.True(thread.IsBackground);
        Assert.True(await Task.Run(() => thread.Join(TimeSpan.FromSeconds(60))));
        Assert.True(await threads.RunAsync(() => threads.IsCurrent).Soon());
    }
}
