using System.Runtime.ExceptionServices;

namespace Restore.Csp;

/// <summary>
/// Processes and the channels between them. Wire everything with <see cref="CreateChannel"/> and
/// <c>Add</c>; then <c>RunAsync</c> starts all processes and waits for all. The first failure, or
/// cancellation, poisons every channel and cancels every process's token.
/// </summary>
/// <param name="meterOf">Creates the meter for one copy of a process (by its name); null to measure
/// nothing.</param>
internal sealed class ProcessNetwork(Func<string, Meter?> meterOf)
{
    private readonly List<IChannel> channels = [];
    private readonly List<Copy> copies = [];
    private readonly OwnThreads threads = new();
    private readonly Lock gate = new();
    private ExceptionDispatchInfo? failure;
    private Task stopped = Task.CompletedTask;

    public ProcessNetwork(bool profiled = false, TimeProvider? time = null)
        : this(_ => profiled ? new Meter(time ?? TimeProvider.System) : null) { }

    /// <summary>
    /// The process that failed first, or null if none failed or the caller cancelled.
    /// </summary>
    public string? FailedProcess { get; private set; }

    /// <summary>Creates a channel that is poisoned if a process fails.</summary>
    public Channel<T> CreateChannel<T>(string name, int capacity)
    {
        Channel<T> channel = new(name, capacity);
        channels.Add(channel);
        return channel;
    }

    public void Add(string name, int copies, Func<Ports, Func<CancellationToken, Task>> wire) =>
        Add(name, copies, onOwnThreads: false, wire);

    /// <summary>
    /// The network leaves the ends of a process when its body ends, however it ends.
    /// <paramref name="onOwnThreads"/> is for work that blocks; the token is for waits outside of
    /// channels.
    /// </summary>
    public void Add(string name, int copies, bool onOwnThreads, Func<Ports, Func<CancellationToken, Task>> wire)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(copies, 1);
        for (int copy = 0; copy < copies; copy++)
        {
            Ports ports = new(copy, meterOf(name), onOwnThreads ? threads : null);
            Func<CancellationToken, Task> body = wire(ports);
            ports.Wired();
            this.copies.Add(new Copy(name, ports, body));
        }
    }

    /// <summary>
    /// Runs the network once and returns when every process has ended. Rethrows the first failure:
    /// a <see cref="RestoreException"/> and the caller's cancellation as they are, anything else in
    /// a <see cref="ProcessFailedException"/>.
    /// </summary>
    public async Task RunAsync(CancellationToken cancellationToken = default)
    {
        foreach (IChannel channel in channels)
        {
            CheckWired(channel);
        }

        using CancellationTokenSource stop = new();

        // The end of this block waits for a callback that is running. So after it, no process and
        // no cancellation can set a failure any more.
        await using (
            cancellationToken
                .UnsafeRegister((_, token) => Fail(null, new OperationCanceledException(token), stop), null)
                .ConfigureAwait(false)
        )
        {
            await Task.WhenAll(copies.ConvertAll(copy => StartAsync(copy, stop))).ConfigureAwait(false);
        }

        // Reports the original failure, not the failures of operations that its cancellation ended.
        await stopped.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

        switch (failure?.SourceException)
        {
            case null:
                return;
            case RestoreException:
            case OperationCanceledException when cancellationToken.IsCancellationRequested:
                failure.Throw();
                return;
            case { } fault:
                throw new ProcessFailedException(FailedProcess!, fault);
        }
    }

    /// <summary>
    /// The counts of the processes, one row for each in the order of wiring; empty if not profiled.
    /// Read it after the network has ended.
    /// </summary>
    public IReadOnlyList<ProcessProfile> Profile() =>
        [
            .. copies
                .Where(copy => copy.Ports.Meter is not null)
                .GroupBy(copy => copy.Name)
                .Select(group => Row(group.Key, [.. group])),
        ];

    private static ProcessProfile Row(string name, List<Copy> copies)
    {
        // A process without an input is measured by its output.
        bool reads = copies[0].Ports.Reads;
        List<Meter> meters = copies.ConvertAll(copy => copy.Ports.Meter!);
        return new ProcessProfile(
            name,
            meters.Count,
            meters.Sum(meter => reads ? meter.MessagesRead : meter.MessagesWritten),
            meters.Sum(meter => reads ? meter.BytesRead : meter.BytesWritten),
            new TimeSpan(meters.Sum(meter => meter.Reading.Ticks)),
            new TimeSpan(meters.Sum(meter => meter.Working.Ticks)),
            new TimeSpan(meters.Sum(meter => meter.Writing.Ticks))
        );
    }

    private static void CheckWired(IChannel channel)
    {
        if (channel.Readers == 0 || channel.Writers == 0)
        {
            string missing = channel.Readers == 0 ? "reads from" : "writes to";
            throw new InvalidOperationException(
                $"No process {missing} the channel {channel.Name}; the other side would wait forever"
            );
        }
    }

    // Without the token: a process that never starts would never leave its ends, and others would
    // wait for it.
    private Task StartAsync(Copy copy, CancellationTokenSource stop) =>
        copy.Ports.Threads is { } threads
            ? threads.RunAsync(() => RunAsync(copy, stop))
            : Task.Run(() => RunAsync(copy, stop), CancellationToken.None);

    private async Task RunAsync(Copy copy, CancellationTokenSource stop)
    {
        copy.Ports.Meter?.Begin();
        try
        {
            await copy.Body(stop.Token).ConfigureAwait(false);
        }
        catch (RetiredException)
        {
            // No process reads the output of this process any more: it is done, and leaving its
            // channels ends its inputs.
        }
        catch (Exception failure)
        {
            Fail(copy.Name, failure is PoisonedException ? failure.InnerException! : failure, stop);
        }
        finally
        {
            copy.Ports.Meter?.End();
            copy.Ports.Leave();
        }
    }

    private void Fail(string? process, Exception failure, CancellationTokenSource stop)
    {
        lock (gate)
        {
            // The first failure counts. Poison and cancellation make the other processes fail too.
            if (this.failure is not null)
            {
                return;
            }

            this.failure = ExceptionDispatchInfo.Capture(failure);
            FailedProcess = process;
        }

        // Poison ends the waits on channels, and the token all other waits. Its callbacks run on
        // the thread pool, not inside the process that failed.
        channels.ForEach(channel => channel.Poison(failure));
        stopped = stop.CancelAsync();
    }

    private sealed record Copy(string Name, Ports Ports, Func<CancellationToken, Task> Body);
}
