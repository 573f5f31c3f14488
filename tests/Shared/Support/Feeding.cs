using Restore.Csp;
using Restore.Tests.Csp;

namespace Restore.Tests.Support;

/// <summary>
/// Runs one process alone: feeds it a list of messages and returns the list of its messages.
/// </summary>
internal static class Feeding
{
    public static async Task<List<TOut>> FeedAsync<TIn, TOut>(
        IEnumerable<TIn> messages,
        Func<IReadChannelEnd<TIn>, IWriteChannelEnd<TOut>, CancellationToken, Task> process
    )
    {
        ProcessNetwork network = new();
        Channel<TIn> input = network.CreateChannel<TIn>("input", 2);
        Channel<TOut> output = network.CreateChannel<TOut>("output", 2);
        List<TOut> received = [];
        network.AddSource("Feed", input, (to, _) => WriteAsync(to, messages));
        network.AddStage("Process", 1, input, output, process);
        network.AddSink("Collect", 1, output, (from, _) => ReadAsync(from, received));
        await network.RunAsync(TestContext.Current.CancellationToken).Soon();
        return received;
    }

    private static async Task WriteAsync<T>(IWriteChannelEnd<T> output, IEnumerable<T> messages)
    {
        foreach (T message in messages)
        {
            await output.WriteAsync(message);
        }
    }

    private static async Task ReadAsync<T>(IReadChannelEnd<T> input, List<T> received)
    {
        await foreach (T message in input.ReadAllAsync())
        {
            received.Add(message);
        }
    }
}
