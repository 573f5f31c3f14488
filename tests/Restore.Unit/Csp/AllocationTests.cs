#if !COCOL
using Restore.Csp;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Csp;

[Collection(nameof(Alone))]
public sealed class AllocationTests
{
    private const int MessageCount = 100_000;

    [Fact]
    public async Task A_message_that_need_not_wait_allocates_nothing()
    {
        Channel<object> channel = new("messages", 1);
        using IReadChannelEnd<object> reader = channel.Reader();
        using IWriteChannelEnd<object> writer = channel.Writer();
        await TurnByTurnAsync(1000);

        long before = GC.GetAllocatedBytesForCurrentThread();
        Task turns = TurnByTurnAsync(MessageCount);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;

        Assert.True(turns.IsCompletedSuccessfully);
        Assert.InRange(allocated, 0, 1000);

        async Task TurnByTurnAsync(int count)
        {
            for (int i = 0; i < count; i++)
            {
                await writer.WriteAsync(channel);
                await reader.ReadAsync();
            }
        }
    }

    [Theory]
    [InlineData(1, false)]
    [InlineData(8, false)]
    [InlineData(8, true)]
    [NeedsLinux]
    public async Task A_message_from_one_process_to_another_allocates_nothing(int capacity, bool profiled)
    {
        await SendAsync(capacity, profiled, MessageCount);

        // A network and the host of the tests allocate some, on a busy machine more at times; one
        // allocation a message would be 24 bytes at least, each time.
        long least = long.MaxValue;
        for (int run = 0; run < 5; run++)
        {
            long before = GC.GetTotalAllocatedBytes(precise: true);
            await SendAsync(capacity, profiled, MessageCount);
            least = Math.Min(least, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        Assert.InRange((double)least / MessageCount, 0, 2);
    }

    private static async Task SendAsync(int capacity, bool profiled, int count)
    {
        ProcessNetwork network = new(profiled);
        Channel<object> channel = network.CreateChannel<object>("messages", capacity);
        int read = 0;
        network.AddSource(
            "Source",
            channel,
            async (output, _) =>
            {
                for (int i = 0; i < count; i++)
                {
                    await output.WriteAsync(channel);
                }
            }
        );
        network.AddSink(
            "Sink",
            1,
            channel,
            async (input, _) =>
            {
                await foreach (object message in input.ReadAllAsync())
                {
                    read++;
                }
            }
        );
        await network.RunAsync().Soon();
        Assert.Equal(count, read);
    }
}
#endif
