using Restore.Csp;

namespace Restore.Tests.Csp;

public sealed class ProcessNetworkTests
{
    [Fact]
    public async Task A_network_ends_when_its_source_has_ended_and_every_stage_has_drained()
    {
        ProcessNetwork network = new(profiled: true);
        Channel<int> numbers = network.CreateChannel<int>("numbers", 2);
        Channel<int> doubled = network.CreateChannel<int>("doubled", 2);
        List<int> seen = [];

        network.AddSource("Counter", numbers, async (output, _) =>
        {
            for (int i = 0; i < 1000; i++)
            {
                await output.WriteAsync(i);
            }
        });
        network.AddStage("Doubler", 4, numbers, doubled, async (input, output, _) =>
        {
            await foreach (int number in input.ReadAllAsync())
            {
                await output.WriteAsync(number * 2);
            }
        });
        network.AddSink("Collector", 1, doubled, async (input, _) =>
        {
            await foreach (int number in input.ReadAllAsync())
            {
                seen.Add(number);
            }
        });
        await network.RunAsync();

        Assert.Equal(Enumerable.Range(0, 1000).Select(i => i * 2), seen.Order());
        Assert.Equal([("Counter", 1, 1000L), ("Doubler", 4, 1000L), ("Collector", 1, 1000L)],
            network.Profile().Select(row => (row.Process, row.Copies, row.Messages)));
    }

    [Fact]
    public async Task The_first_failure_ends_everything_and_is_rethrown_with_its_type()
    {
        ProcessNetwork network = new();
        Channel<int> numbers = network.CreateChannel<int>("numbers", 1);
        network.AddSource("Endless", numbers, async (output, _) =>
        {
            while (true)
            {
                await output.WriteAsync(1);
            }
        });
        network.AddSink("Failing", 1, numbers, async (input, _) =>
        {
            await input.ReadAsync();
            throw new RestoreException(RestoreErrorKind.TargetNotWritable, "the disk is full");
        });

        await Assert.ThrowsAsync<RestoreException>(() => network.RunAsync());
        Assert.Equal("Failing", network.FailedProcess);
    }
}
