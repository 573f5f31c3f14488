using BenchmarkDotNet.Attributes;
using Restore.Csp;

namespace Restore.Benchmarks.Micro;

/// <summary>
/// What does it cost to send a message, and does it allocate? In ns and bytes a message; compare
/// with -p:ChannelLibrary=CoCoL.
/// </summary>
public class ChannelBenchmarks
{
    private const int MessageCount = 100_000;

    [Params(1, 8, 64)]
    public int Capacity { get; set; }

    [Params(1, 4)]
    public int Copies { get; set; }

    [Params(false, true)]
    public bool Profiled { get; set; }

    [Benchmark(OperationsPerInvoke = MessageCount)]
    public async Task Send()
    {
        ProcessNetwork network = new(Profiled);
        Channel<object> messages = network.CreateChannel<object>("messages", Capacity);
        network.Add(
            "Source",
            Copies,
            ports =>
            {
                IWriteChannelEnd<object> output = ports.Write(messages);
                return async _ =>
                {
                    for (int i = 0; i < MessageCount / Copies; i++)
                    {
                        await output.WriteAsync(messages);
                    }
                };
            }
        );
        network.AddSink(
            "Sink",
            Copies,
            messages,
            async (input, _) =>
            {
                while ((await input.TryReadAsync()).Arrived) { }
            }
        );
        await network.RunAsync();
    }
}
