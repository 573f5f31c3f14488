using Restore.Simulation.Scheduling;

[assembly: Xunit.Trait("Suite", "simulation")]

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
    public void Seeds_differ_in_their_order() =>
        Assert.Equal(24, Enumerable.Range(1, 24).Select(seed => Seed.Run(seed).Trace).Distinct().Count());

    [Fact]
    public void The_order_of_steps_depends_on_the_seed()
    {
        Assert.Equal(6, Enumerable.Range(0, 200).Select(Order).Distinct().Count());
        Assert.Equal(Order(7), Order(7));

        static string Order(int seed)
        {
            string order = "";
            new Scheduler(seed).Run(() =>
                Task.WhenAll(
                    "abc".Select(letter =>
                        Simulated.RunAsync(() =>
                        {
                            order += letter;
                            return Task.CompletedTask;
                        })
                    )
                )
            );
            return order;
        }
    }

    [Theory]
    [InlineData(false, "1 2")]
    [InlineData(true, "2")]
    public void A_step_is_cut_between_statements_unless_a_lock_is_held(bool isLocked, string ends)
    {
        IEnumerable<int> counts = Enumerable
            .Range(0, 200)
            .Select(seed =>
            {
                int count = 0;
                InTwoSteps(
                    seed,
                    isLocked,
                    () =>
                    {
                        int read = count;
                        for (int i = 0; i < 10; i++)
                        {
                            Simulated.Cut();
                        }

                        count = read + 1;
                    }
                );
                return count;
            });
        Assert.Equal(ends, string.Join(' ', counts.Distinct().Order()));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Two_steps_that_change_one_list_are_found_unless_a_lock_is_held(bool isLocked)
    {
        string?[] found =
        [
            .. Enumerable
                .Range(0, 200)
                .Select(seed =>
                {
                    WatchedList<int> list = [];
                    return Record.Exception(() => InTwoSteps(seed, isLocked, () => list.Add(seed)))?.Message;
                }),
        ];
        Assert.Equal(
            !isLocked,
            found.Any(message => message?.StartsWith("A data race", StringComparison.Ordinal) == true)
        );
    }

    [Fact]
    public void Two_locks_in_two_orders_are_a_deadlock_in_some_seed()
    {
        List<string?> found =
        [
            .. Enumerable
                .Range(0, 60)
                .Select(seed =>
                {
                    (Lock one, Lock other) = (new(), new());
                    return Record
                        .Exception(() =>
                            new Scheduler(seed).Run(() => Task.WhenAll(BothAsync(one, other), BothAsync(other, one)))
                        )
                        ?.Message;
                }),
        ];
        Assert.Contains(found, message => message?.Contains("deadlock", StringComparison.Ordinal) == true);
        Assert.Contains(found, message => message is null);

        Task BothAsync(Lock first, Lock second) =>
            Simulated.RunAsync(() =>
            {
                using (first.Take())
                {
                    Simulated.Cut();
                    using (second.Take())
                    {
                        Simulated.Cut();
                    }
                }

                return Task.CompletedTask;
            });
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
        SimulationException failure = Assert.Throws<SimulationException>(() =>
            new Scheduler(1).Run(() => new TaskCompletionSource().Task)
        );
        Assert.Contains("deadlock", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_operation_that_goes_round_forever_ends_with_a_failure()
    {
        SimulationException failure = Assert.Throws<SimulationException>(() =>
            new Scheduler(1).Run(async () =>
            {
                while (true)
                {
                    await Task.Yield();
                }
            })
        );
        Assert.Contains("has not ended", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_step_from_another_thread_is_a_failure()
    {
        Scheduler scheduler = new(1);
        SimulationException failure = Assert.Throws<SimulationException>(() =>
            scheduler.Run(async () =>
            {
                Thread other = new(() => scheduler.Post(() => { }));
                other.Start();
                other.Join();
                await Task.Yield();
            })
        );
        Assert.Contains("outside of the scheduler", failure.Message, StringComparison.Ordinal);
    }

    private static void InTwoSteps(int seed, bool isLocked, Action work)
    {
        Lock gate = new();
        new Scheduler(seed).Run(() =>
            Task.WhenAll(
                Enumerable
                    .Range(0, 2)
                    .Select(_ =>
                        Simulated.RunAsync(() =>
                        {
                            Simulated.Cut();
                            using (isLocked ? gate.Take() : default)
                            {
                                work();
                            }

                            return Task.CompletedTask;
                        })
                    )
            )
        );
    }
}
