using Restore.Csp;

namespace Restore.Tests.Csp;

public sealed class MeterTests
{
    [Fact]
    public async Task Ends_distinguish_waiting_to_read_working_and_waiting_to_write()
    {
        FakeClock clock = new();
        Meter meter = new(clock);
        Ledger ledger = new();
        Channel<Ledger.Message> before = new("before", 1);
        Channel<Ledger.Message> after = new("after", 1);
        using IWriteChannelEnd<Ledger.Message> source = before.Writer();
        using IReadChannelEnd<Ledger.Message> reader = before.Reader(meter);
        using IWriteChannelEnd<Ledger.Message> writer = after.Writer(meter);
        using IReadChannelEnd<Ledger.Message> sink = after.Reader();

        meter.Begin();
        clock.Advance(TimeSpan.FromSeconds(1));
        Task<Ledger.Message> reading = reader.ReadAsync().AsTask();
        clock.Advance(TimeSpan.FromSeconds(10));
        await source.WriteAsync(ledger.Create(0)).Soon();
        Ledger.Message message = await reading.Soon();
        clock.Advance(TimeSpan.FromSeconds(2));
        await writer.WriteAsync(message).Soon();
        Task writing = writer.WriteAsync(ledger.Create(1)).AsTask();
        clock.Advance(TimeSpan.FromSeconds(100));
        await sink.ReadAsync().Soon();
        await writing.Soon();
        clock.Advance(TimeSpan.FromSeconds(4));
        meter.End();

        Assert.Equal(TimeSpan.FromSeconds(10), meter.Reading);
        Assert.Equal(TimeSpan.FromSeconds(1 + 2 + 4), meter.Working);
        Assert.Equal(TimeSpan.FromSeconds(100), meter.Writing);
        Assert.Equal((1, 100), (meter.MessagesRead, meter.BytesRead));
        Assert.Equal((2, 200), (meter.MessagesWritten, meter.BytesWritten));
    }

    [Fact]
    public async Task The_profile_has_a_row_for_each_process_with_what_it_read_or_without_an_input_wrote()
    {
        ProcessNetwork network = new(profiled: true, new FakeClock());
        await RunAsync(network, messageCount: 50);

        Assert.Equal(
            [
                new ProcessProfile("Source", 1, 50, 5000, TimeSpan.Zero, TimeSpan.Zero, TimeSpan.Zero),
                new ProcessProfile("Stage", 3, 50, 5000, TimeSpan.Zero, TimeSpan.Zero, TimeSpan.Zero),
                new ProcessProfile("Sink", 1, 50, 5000, TimeSpan.Zero, TimeSpan.Zero, TimeSpan.Zero),
            ],
            network.Profile()
        );
    }

    [Fact]
    public async Task The_three_times_of_a_copy_are_its_life()
    {
        ProcessNetwork network = new(profiled: true, TimeProvider.System);
        long begun = TimeProvider.System.GetTimestamp();
        await RunAsync(network, messageCount: 1000);
        TimeSpan elapsed = TimeProvider.System.GetElapsedTime(begun);

        Assert.All(
            network.Profile(),
            row => Assert.InRange(row.Reading + row.Working + row.Writing, TimeSpan.FromTicks(1), row.Copies * elapsed)
        );
    }

    [Fact]
    public async Task Without_a_profile_the_clock_is_never_read()
    {
        FakeClock clock = new();
        ProcessNetwork network = new(profiled: false, clock);
        await RunAsync(network, messageCount: 50);

        Assert.Empty(network.Profile());
        Assert.Equal(0, clock.Looks);
    }

    private static async Task RunAsync(ProcessNetwork network, int messageCount)
    {
        Ledger ledger = new();
        Channel<Ledger.Message> made = network.CreateChannel<Ledger.Message>("made", 2);
        Channel<Ledger.Message> passed = network.CreateChannel<Ledger.Message>("passed", 2);
        network.AddSource(
            "Source",
            made,
            async (output, _) =>
            {
                for (int i = 0; i < messageCount; i++)
                {
                    await output.WriteAsync(ledger.Create(i));
                }
            }
        );
        network.AddStage(
            "Stage",
            3,
            made,
            passed,
            async (input, output, _) =>
            {
                await foreach (Ledger.Message message in input.ReadAllAsync())
                {
                    await output.WriteAsync(message);
                }
            }
        );
        network.AddSink(
            "Sink",
            1,
            passed,
            async (input, _) =>
            {
                await foreach (Ledger.Message message in input.ReadAllAsync())
                {
                    message.Dispose();
                }
            }
        );
        await network.RunAsync().Soon();
        ledger.AssertEachDisposedOnce();
    }
}
