using Restore.Storage.Local;

namespace Restore.Tests.Storage;

/// <summary>Calls of a file system that are left behind, and return all the same.</summary>
public sealed class LocalCallsTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task A_call_that_returns_late_leaves_the_memory_of_its_caller_alone()
    {
        using ManualResetEventSlim returns = new();
        TaskCompletionSource<bool> delivered = new();
        byte[] memory = new byte[4];
        Task<int> read = new LocalCalls(TimeSpan.FromMilliseconds(20), TimeProvider.System).RunAsync(call =>
        {
            returns.Wait(Limit);
            try
            {
                call.Deliver([1, 2, 3, 4], memory);
                delivered.SetResult(true);
            }
            catch (TimeoutException)
            {
                delivered.SetResult(false);
            }

            return memory.Length;
        });
        await Task.WhenAny(read, Task.Delay(Limit, TestContext.Current.CancellationToken));
        Assert.True(read.IsFaulted);
        returns.Set();
        Assert.False(await delivered.Task.WaitAsync(Limit, TestContext.Current.CancellationToken));
        Assert.Equal(new byte[4], memory);
        TimeoutException failure = await Assert.ThrowsAsync<TimeoutException>(() => read);
        Assert.StartsWith("There was no answer for 0.02 s", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_call_that_is_not_left_behind_gives_its_result_and_its_failure()
    {
        LocalCalls calls = new(Timeout.InfiniteTimeSpan, TimeProvider.System);
        byte[] memory = new byte[2];
        Assert.Equal(
            5,
            await calls
                .RunAsync(call =>
                {
                    call.Deliver([7], memory.AsMemory(1));
                    return 5;
                })
                .WaitAsync(Limit, TestContext.Current.CancellationToken)
        );
        Assert.Equal([0, 7], memory);
        await Assert.ThrowsAsync<IOException>(() =>
            calls.RunAsync<int>(_ => throw new IOException()).WaitAsync(Limit, TestContext.Current.CancellationToken)
        );
    }
}
