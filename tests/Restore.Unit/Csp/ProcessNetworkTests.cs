using Restore.Csp;

namespace Restore.Tests.Csp;

public sealed class ProcessNetworkTests
{
    private readonly ProcessNetwork network = new();
    private readonly Channel<int> numbers;

    public ProcessNetworkTests() => numbers = network.CreateChannel<int>("numbers", 2);

    [Fact]
    public async Task A_network_ends_when_its_source_has_ended_and_every_stage_has_drained()
    {
        Channel<int> doubled = network.CreateChannel<int>("doubled", 2);
        List<int> seen = [];

        network.AddSource("Counter", numbers, (output, _) => CountAsync(output, 1000));
        network.AddStage(
            "Doubler",
            4,
            numbers,
            doubled,
            async (input, output, _) =>
            {
                await foreach (int number in input.ReadAllAsync())
                {
                    await output.WriteAsync(number * 2);
                }
            }
        );
        network.AddSink(
            "Collector",
            1,
            doubled,
            async (input, _) =>
            {
                await foreach (int number in input.ReadAllAsync())
                {
                    seen.Add(number);
                }
            }
        );
        await network.RunAsync().Soon();

        Assert.Equal(Enumerable.Range(0, 1000).Select(i => i * 2), seen.Order());
        Assert.Null(network.FailedProcess);
        Assert.Empty(network.Profile());
    }

    [Fact]
    public async Task One_process_can_write_to_the_channel_of_each_copy_of_another()
    {
        List<Channel<int>> work =
        [
            .. Enumerable.Range(0, 3).Select(copy => network.CreateChannel<int>($"work {copy}", 1)),
        ];
        List<int>[] seen =
        [
            [],
            [],
            [],
        ];

        network.AddSource("Counter", this.numbers, (output, _) => CountAsync(output, 300));
        network.Add(
            "Router",
            1,
            ports =>
            {
                IReadChannelEnd<int> input = ports.Read(this.numbers);
                List<IWriteChannelEnd<int>> outputs = work.ConvertAll(ports.Write);
                return async _ =>
                {
                    await foreach (int number in input.ReadAllAsync())
                    {
                        await outputs[number % 3].WriteAsync(number);
                    }
                };
            }
        );
        network.Add(
            "Owner",
            3,
            ports =>
            {
                IReadChannelEnd<int> input = ports.Read(work[ports.Copy]);
                return async _ =>
                {
                    await foreach (int number in input.ReadAllAsync())
                    {
                        seen[ports.Copy].Add(number);
                    }
                };
            }
        );
        await network.RunAsync().Soon();

        Assert.All(
            seen,
            (numbers, copy) => Assert.Equal(Enumerable.Range(0, 100).Select(i => (3 * i) + copy), numbers)
        );
    }

    [Fact]
    public async Task A_failure_is_rethrown_unchanged_with_the_name_of_its_process()
    {
        RestoreException failure = new(RestoreErrorCode.TargetFull, "The disk is full");
        network.AddSource("Counter", numbers, (output, _) => CountAsync(output, int.MaxValue));
        network.AddSink(
            "FileProcessor",
            2,
            numbers,
            async (input, _) =>
            {
                await input.ReadAsync();
                throw failure;
            }
        );

        Assert.Same(failure, await Assert.ThrowsAsync<RestoreException>(() => network.RunAsync().Soon()));
        Assert.Equal("FileProcessor", network.FailedProcess);
    }

    [Fact]
    public async Task A_fault_of_the_program_is_rethrown_in_an_exception_that_names_the_process()
    {
        network.AddSource("Counter", numbers, (output, _) => throw new InvalidOperationException("one too many"));
        network.AddSink("Sink", 1, numbers, DrainAsync);

        ProcessFailedException failed = await Assert.ThrowsAsync<ProcessFailedException>(() =>
            network.RunAsync().Soon()
        );
        Assert.Equal("The process Counter failed: one too many", failed.Message);
        Assert.Equal("Counter", failed.Process);
        Assert.Equal("one too many", Assert.IsType<InvalidOperationException>(failed.InnerException).Message);
        Assert.Contains(nameof(ProcessNetworkTests), failed.InnerException.StackTrace, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_first_failure_wins_over_those_it_causes()
    {
        network.AddSource(
            "Counter",
            numbers,
            async (output, _) =>
            {
                try
                {
                    await CountAsync(output, int.MaxValue);
                }
                catch (PoisonedException)
                {
                    throw new InvalidOperationException("second");
                }
            }
        );
        network.AddSink(
            "Sink",
            1,
            numbers,
            async (input, _) =>
            {
                await input.ReadAsync();
                throw new InvalidOperationException("first");
            }
        );

        ProcessFailedException failed = await Assert.ThrowsAsync<ProcessFailedException>(() =>
            network.RunAsync().Soon()
        );
        Assert.Equal(("Sink", "first"), (failed.Process, failed.InnerException!.Message));
    }

    [Fact]
    public async Task Cancellation_ends_processes_that_wait_for_a_channel_and_those_that_wait_for_something_else()
    {
        using CancellationTokenSource source = new();
        TaskCompletionSource waiting = new(TaskCreationOptions.RunContinuationsAsynchronously);
        network.AddSource(
            "Store",
            numbers,
            (_, token) =>
            {
                waiting.SetResult();
                return Task.Delay(Timeout.Infinite, token);
            }
        );
        network.AddSink("Sink", 3, numbers, DrainAsync);

        Task run = network.RunAsync(source.Token);
        await waiting.Task.Soon();
        await source.CancelAsync();

        OperationCanceledException cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            run.Soon()
        );
        Assert.Equal(source.Token, cancelled.CancellationToken);
        Assert.Null(network.FailedProcess);
    }

    [Fact]
    public async Task A_network_whose_caller_has_cancelled_before_ends_without_a_hang()
    {
        network.AddSource("Counter", numbers, (output, _) => CountAsync(output, int.MaxValue));
        network.AddSink("Sink", 1, numbers, DrainAsync);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            network.RunAsync(new CancellationToken(canceled: true)).Soon()
        );
    }

    [Fact]
    public async Task A_cancellation_the_caller_did_not_ask_for_is_a_fault()
    {
        network.AddSource("Store", numbers, (_, _) => throw new TaskCanceledException("the request timed out"));
        network.AddSink("Sink", 1, numbers, DrainAsync);

        ProcessFailedException failed = await Assert.ThrowsAsync<ProcessFailedException>(() =>
            network.RunAsync().Soon()
        );
        Assert.Equal("The process Store failed: the request timed out", failed.Message);
    }

    [Fact]
    public async Task A_process_that_has_enough_ends_those_before_it_without_a_failure()
    {
        int written = 0;
        network.AddSource(
            "Counter",
            numbers,
            async (output, _) =>
            {
                while (true)
                {
                    await output.WriteAsync(written++);
                }
            }
        );
        network.AddSink("Taster", 1, numbers, async (input, _) => await input.ReadAsync());

        await network.RunAsync().Soon();

        Assert.InRange(written, 1, 100);
    }

    [Fact]
    public async Task A_channel_that_is_poisoned_by_hand_fails_the_run_with_the_cause()
    {
        RestoreException cause = new(RestoreErrorCode.StoreLost, "The user pulled the plug");
        network.AddSource("Counter", numbers, (output, _) => CountAsync(output, int.MaxValue));
        network.AddSink(
            "Sink",
            1,
            numbers,
            async (input, token) =>
            {
                numbers.Poison(cause);
                await DrainAsync(input, token);
            }
        );

        Assert.Same(cause, await Assert.ThrowsAsync<RestoreException>(() => network.RunAsync().Soon()));
    }

    [Fact]
    public async Task A_callback_that_fails_while_the_processes_are_stopped_does_not_hide_the_failure()
    {
        network.AddSource(
            "Store",
            numbers,
            async (_, token) =>
            {
                await using CancellationTokenRegistration registration = token.Register(() =>
                    throw new InvalidOperationException("in the callback")
                );
                await Task.Delay(Timeout.Infinite, token);
            }
        );
        network.AddSink(
            "Sink",
            1,
            numbers,
            (_, _) => throw new RestoreException(RestoreErrorCode.StoreLost, "The first failure")
        );

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => network.RunAsync().Soon());
        Assert.Equal("The first failure", failure.What);
    }

    [Fact]
    public async Task A_channel_that_nobody_reads_is_refused_before_anything_starts()
    {
        bool started = false;
        network.AddSource(
            "Counter",
            numbers,
            (_, _) =>
            {
                started = true;
                return Task.CompletedTask;
            }
        );

        InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(() =>
            network.RunAsync()
        );
        Assert.Equal("No process reads from the channel numbers; the other side would wait forever", refused.Message);
        Assert.False(started);
    }

    [Fact]
    public async Task A_channel_that_nobody_writes_is_refused()
    {
        network.AddSink("Sink", 1, numbers, DrainAsync);

        InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(() =>
            network.RunAsync()
        );
        Assert.Equal("No process writes to the channel numbers; the other side would wait forever", refused.Message);
    }

    [Fact]
    public async Task A_running_process_cannot_create_ends()
    {
        network.AddSource("Counter", numbers, (output, _) => CountAsync(output, 1));
        network.Add(
            "Late",
            1,
            ports =>
            {
                IReadChannelEnd<int> input = ports.Read(numbers);
                return _ => DrainAsync(ports.Read(numbers), CancellationToken.None);
            }
        );

        ProcessFailedException failed = await Assert.ThrowsAsync<ProcessFailedException>(() =>
            network.RunAsync().Soon()
        );
        Assert.Equal(
            "The ends of a process are created while the network is wired, not by the running process",
            failed.InnerException!.Message
        );
    }

    private static async Task CountAsync(IWriteChannelEnd<int> output, int count)
    {
        for (int i = 0; i < count; i++)
        {
            await output.WriteAsync(i);
        }
    }

    private static async Task DrainAsync(IReadChannelEnd<int> input, CancellationToken token)
    {
        while ((await input.TryReadAsync()).Arrived)
        {
            token.ThrowIfCancellationRequested();
        }
    }
}
