namespace Restore.Simulation.Scheduling;

/// <summary>
/// Takes the place of the framework's semaphore, whose waits continue on the thread pool: who waits
/// gets a place in the order of the calls.
/// </summary>
internal sealed class QueuedSemaphore(int places, int most = int.MaxValue) : IDisposable
{
    private readonly Queue<TaskCompletionSource> waiting = [];

    public int CurrentCount { get; private set; } = places;

    public async Task WaitAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (CurrentCount > 0)
        {
            CurrentCount--;
            return;
        }

        TaskCompletionSource place = new();
        using CancellationTokenRegistration cancelled = cancellationToken.UnsafeRegister(
            (_, token) => place.TrySetCanceled(token),
            null
        );
        waiting.Enqueue(place);
        await place.Task;
    }

    public int Release()
    {
        while (waiting.TryDequeue(out TaskCompletionSource? next))
        {
            if (next.TrySetResult())
            {
                return 0;
            }
        }

        return CurrentCount < most ? CurrentCount++ : throw new SemaphoreFullException();
    }

    public void Dispose() { }
}
