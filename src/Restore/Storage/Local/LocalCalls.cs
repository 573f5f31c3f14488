namespace Restore.Storage.Local;

/// <summary>Runs calls of a file system on threads of their own. No system lets a program cancel such a call, so one that makes no progress for too long is
/// left behind: its thread ends with the call, or with the process.</summary>
internal sealed class LocalCalls(TimeSpan patience, TimeProvider time)
{
    private readonly OwnThreads threads = new();

    public async Task<T> RunAsync<T>(Func<LocalCall, T> work)
    {
        using LocalCall call = new(patience, time);
        Task<T> running = threads.RunAsync(() => work(call));
        await Task.WhenAny(running, call.IsLeft).ConfigureAwait(false);
        return !call.IsLeft.IsCompleted
            ? await running.ConfigureAwait(false)
            : throw new TimeoutException(string.Create(CultureInfo.InvariantCulture, $"There was no answer for {patience.TotalSeconds:0.###} s"));
    }

    /// <summary>Closes what calls have opened.</summary>
    public Task CloseAsync(IDisposable opened) => threads.RunAsync(opened.Dispose);
}

/// <summary>Work whose caller waits for a limited time.</summary>
internal sealed class LocalCall : IDisposable
{
    private readonly Lock gate = new();
    private readonly TaskCompletionSource left = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TimeSpan patience;
    private readonly ITimer timer;

    public LocalCall(TimeSpan patience, TimeProvider time)
    {
        this.patience = patience;
        timer = time.CreateTimer(_ => Leave(), null, patience, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Ends when the caller waits no longer.</summary>
    public Task IsLeft => left.Task;

    /// <summary>Gives bytes to the caller, who then waits as long again. Nothing touches the destination once the caller has left.</summary>
    public void Deliver(ReadOnlySpan<byte> bytes, Memory<byte> destination)
    {
        lock (gate)
        {
            if (left.Task.IsCompleted)
            {
                throw new TimeoutException();
            }

            bytes.CopyTo(destination.Span);
            timer.Change(patience, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Reports to the caller, which then waits as long again, that a call has returned.</summary>
    public void Progress() => Deliver([], default);

    public void Dispose() => timer.Dispose();

    private void Leave()
    {
        lock (gate)
        {
            left.TrySetResult();
        }
    }
}
