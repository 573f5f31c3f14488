namespace Restore.Threads;

/// <summary>
/// Threads of the library for work that blocks: calls of a file system, and long computations. The thread pool belongs to the whole process, which may be
/// a web server: there such work would hold up what has nothing to do with it.
/// </summary>
/// <remarks>
/// A thread starts when no other is free, so none of the work waits for other work, and ends when it is idle for a while. Nothing has to be disposed.
/// A browser has one thread for everything: there the work is done at once on that of the caller.
/// </remarks>
internal sealed class OwnThreads
{
    // The next message of a process comes within milliseconds.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    [ThreadStatic]
    private static OwnThreads? Current;

    private readonly object gate = new();
    private readonly Queue<Action> waiting = new();
    private int free;

    /// <summary>Whether the caller runs on one of these threads.</summary>
    public bool IsCurrent => Current == this;

    /// <summary>Does work on one of these threads; the caller continues on the thread pool.</summary>
    public Task RunAsync(Action work) => RunAsync(() =>
    {
        work();
        return true;
    });

    public Task<T> RunAsync<T>(Func<T> work) => RunAsync(() => Task.FromResult(work()));

    /// <summary>Starts work on one of these threads. After an await the work calls <see cref="ReturnAsync"/> to continue on one.</summary>
    public Task RunAsync(Func<Task> work) => RunAsync(async () =>
    {
        await work().ConfigureAwait(false);
        return true;
    });

    public async Task<T> RunAsync<T>(Func<Task<T>> work)
    {
        await new Hop(this, IsForced: true);
        try
        {
            return await work().ConfigureAwait(false);
        }
        finally
        {
            if (IsCurrent)
            {
                await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
            }
        }
    }

    /// <summary>Continues on one of these threads; at once if the caller already runs on one.</summary>
    public Hop ReturnAsync() => new(this);

    private void Post(Action work)
    {
        lock (gate)
        {
            waiting.Enqueue(work);
            if (waiting.Count <= free)
            {
                Monitor.Pulse(gate);
                return;
            }

            free++;
        }

        new Thread(Run) { IsBackground = true, Name = "Restore" }.UnsafeStart();
    }

    private void Run()
    {
        Current = this;
        while (Take() is { } work)
        {
            work();
            lock (gate)
            {
                free++;
            }
        }
    }

    /// <summary>Waits for work; returns null if none comes. A thread counts as free until it has work or ends.</summary>
    private Action? Take()
    {
        lock (gate)
        {
            Action? work;
            while (!waiting.TryDequeue(out work) && Monitor.Wait(gate, Patience))
            {
                // Another thread may have been faster.
            }

            // Work that came after the time was over, and before the lock was taken.
            work ??= waiting.TryDequeue(out Action? late) ? late : null;
            free--;
            return work;
        }
    }

    /// <summary>Null threads, or a current one without force, continue immediately.</summary>
    internal readonly record struct Hop(OwnThreads? Threads, bool IsForced = false) : ICriticalNotifyCompletion
    {
        public bool IsCompleted => Threads is null || OperatingSystem.IsBrowser() || (!IsForced && Threads.IsCurrent);

        public Hop GetAwaiter() => this;

        public void GetResult()
        {
        }

        public void OnCompleted(Action continuation) => Threads!.Post(continuation);

        public void UnsafeOnCompleted(Action continuation) => Threads!.Post(continuation);
    }
}
