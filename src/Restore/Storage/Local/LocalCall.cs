namespace Restore.Storage.Local;

/// <summary>Work that its caller waits for during a limited time.</summary>
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

    /// <summary>
    /// Gives bytes to the caller, who then waits as long again. Nothing touches the destination
    /// once the caller has left.
    /// </summary>
    public void Deliver(ReadOnlySpan<byte> bytes, Memory<byte> destination)
    {
        lock (gate)
        {
            if (left.Task.IsCompleted)
            {
                throw new TimeoutException();
            }

            // Under the lock: the caller cannot leave, and reuse its memory, in the middle of the
            // copy.
            bytes.CopyTo(destination.Span);
            timer.Change(patience, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>
    /// Reports to the caller, which then waits as long again, that a call has returned.
    /// </summary>
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
