using Restore.Csp;

namespace Restore.Tests.Csp;

/// <summary>
/// A process that does work that blocks is not on the thread pool, wherever it waited.
/// </summary>
public sealed class OwnThreadProcessTests
{
    private const int Messages = 1000;

    private readonly List<bool> onPool = [];

    [Theory]
    [InlineData(1)]
    [InlineData(8)]
    public async Task It_continues_on_threads_of_its_network_after_each_wait(int capacity)
    {
        int received = await RunAsync(
            capacity,
            async (input, output) =>
            {
                Note();
                await foreach (int message in input.ReadAllAsync().ConfigureAwait(false))
                {
                    Note();
                    await output.WriteAsync(message).ConfigureAwait(false);
                    Note();
                }

                Note();
            }
        );
        Assert.Equal(Messages, received);
        AssertHardlyEverOnPool();
        Assert.Equal((2 * Messages) + 2, onPool.Count);
    }

    [Fact]
    public async Task It_can_return_from_what_it_awaited_besides_channels()
    {
        await RunAsync(
            8,
            async (input, output) =>
            {
                await foreach (int message in input.ReadAllAsync().ConfigureAwait(false))
                {
                    Note();
                    await Task.Yield();
                    Assert.True(Thread.CurrentThread.IsThreadPoolThread);
                    await input.ReturnAsync();
                    await output.WriteAsync(message).ConfigureAwait(false);
                }
            }
        );
        AssertHardlyEverOnPool();
        Assert.Equal(Messages, onPool.Count);
    }

    [Fact]
    public async Task It_cleans_up_there_too_when_its_network_fails()
    {
        await Assert.ThrowsAsync<ProcessFailedException>(() =>
            RunAsync(
                1,
                async (input, output) =>
                {
                    try
                    {
                        await foreach (int message in input.ReadAllAsync().ConfigureAwait(false))
                        {
                            await output.WriteAsync(message).ConfigureAwait(false);
                        }
                    }
                    finally
                    {
                        Note();
                    }
                },
                failsAt: Messages / 2
            )
        );
        Assert.Equal([false], onPool);
    }

    [Fact]
    public Task The_code_that_awaits_the_network_continues_on_the_thread_pool() =>
        Task.Run(async () =>
        {
            await RunAsync(1, async (input, _) => await input.ReadAllAsync().CountAsync().ConfigureAwait(false))
                .ConfigureAwait(false);
            Assert.True(Thread.CurrentThread.IsThreadPoolThread);
        });

    /// <summary>
    /// A wait that ends in the very moment in which .NET registers its continuation is continued on
    /// the thread pool, until the next wait.
    /// </summary>
    private void AssertHardlyEverOnPool() => Assert.InRange(onPool.Count(isOnPool => isOnPool), 0, onPool.Count / 10);

    private void Note() => onPool.Add(Thread.CurrentThread.IsThreadPoolThread);

    /// <summary>
    /// A source, the process, and a sink that may fail; both neighbors are on the thread pool.
    /// </summary>
    private static async Task<int> RunAsync(
        int capacity,
        Func<IReadChannelEnd<int>, IWriteChannelEnd<int>, Task> process,
        int failsAt = int.MaxValue
    )
    {
        ProcessNetwork network = new();
        Channel<int> input = network.CreateChannel<int>("input", capacity);
        Channel<int> output = network.CreateChannel<int>("output", capacity);
        int received = 0;
        network.AddSource(
            "Source",
            input,
            async (to, _) =>
            {
                for (int i = 0; i < Messages; i++)
                {
                    await to.WriteAsync(i).ConfigureAwait(false);
                }
            }
        );
        network.AddStage("Process", 1, input, output, (from, to, _) => process(from, to), onOwnThreads: true);
        network.AddSink(
            "Sink",
            1,
            output,
            async (from, _) =>
            {
                await foreach (int message in from.ReadAllAsync().ConfigureAwait(false))
                {
                    Assert.True(Thread.CurrentThread.IsThreadPoolThread);
                    received++;
                    if (received == failsAt)
                    {
                        throw new InvalidOperationException("The sink fails");
                    }
                }
            }
        );
        await network.RunAsync(TestContext.Current.CancellationToken).Soon().ConfigureAwait(false);
        return received;
    }
}
