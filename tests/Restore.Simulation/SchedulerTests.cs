using Restore.Simulation.Scheduling;

namespace Restore.Simulation;

/// <summary>A seed is one order of all steps, and nothing runs elsewhere.</summary>
public sealed class SchedulerTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(26)]
    [InlineData(104)]
    [InlineData(321)]
    public void A_seed_replays_exactly(int seed) => Assert.Equal(Seed.Run(seed), Seed.Run(seed));

    [Fact]
    public void Seeds_differ_in_their_order() => Assert.Equal(24, Enumerable.Range(1, 24).Select(seed => Seed.Run(seed).Trace).Distinct().Count());

    [Fact]
    public void The_order_of_steps_depends_on_the_seed()
    {
        Assert.Equal(6, Enumerable.Range(0, 200).Select(Order).Distinct().Count());
        Assert.Equal(Order(7), Order(7));

        static string Order(int seed)
        {
            string order = "";
            new Scheduler(seed).Run(() => Task.WhenAll("abc".Select(letter => Simulated.RunAsync(() =>
            {
                order += letter;
                return Task.CompletedTask;
            }))));
            return order;
        }
    }

    [Fact]
    public void Time_passes_only_when_nothing_else_is_to_be_done()
    {
        Scheduler scheduler = new(1);
        scheduler.Run(() => Task.Delay(TimeSpan.FromDays(1), scheduler.Time));
        Assert.Equal(TimeSpan.FromDays(1), scheduler.Time.GetElapsedTime(0));
    }

    [Fact]
    public void A_wait_that_nothing_ends_is_a_deadlock()
    {
        SimulationException failure = Assert.Throws<SimulationException>(() => new Scheduler(1).Run(() => new TaskCompletionSource().Task));
        Assert.Contains("deadlock", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_operation_that_goes_round_for_ever_ends_with_a_failure()
    {
        SimulationException failure = Assert.Throws<SimulationException>(() => new Scheduler(1).Run(async () =>
        {
            while (true)
            {
                await Task.Yield();
            }
        }));
        Assert.Contains("has not ended", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_step_from_another_thread_is_a_failure()
    {
        Scheduler scheduler = new(1);
        SimulationException failure = Assert.Throws<SimulationException>(() => scheduler.Run(async () =>
        {
            Thread other = new(() => scheduler.Post(() => { }));
            other.Start();
            other.Join();
            await Task.Yield();
        }));
        Assert.Contains("outside of the scheduler", failure.Message, StringComparison.Ordinal);
    }
}
