using BenchmarkDotNet.Attributes;
using Restore.Csp;

namespace Restore.Benchmarks.Micro;

/// <summary>What does a message cost on its way through a channel? (Build with -p:ChannelLibrary=CoCoL to ask CoCoL.)</summary>
public class ChannelBenchmarks
{
    private const int Messages = 10_000;

    [Params(1, 8)]
    public int Capacity { get; set; }

    [Benchmark(OperationsPerInvoke = Messages)]
    public async Task<int> Hop()
    {
        int read = 0;
        ProcessNetwork network = new();
        Channel<object> channel = network.CreateChannel<object>("messages", Capacity);
        network.AddSource("Writer", channel, async (output, _) =>
        {
            for (int i = 0; i < Messages; i++)
            {
                await output.WriteAsync(this);
            }
        });
        network.AddSink("Reader", 1, channel, async (input, _) =>
        {
            await foreach (object message in input.ReadAllAsync())
            {
                read++;
            }
        });
        await network.RunAsync();
        return read == Messages ? read : throw new InvalidOperationException($"{read} messages arrived.");
    }
}
