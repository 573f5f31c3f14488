#pragma warning disable RS0030 // An awaiter asks another one for its result when it has it.
namespace Restore.Threads;

/// <summary>
/// Threads of the library for work that blocks: calls of a file system, and long computations. The
/// thread pool belongs to the whole process, which may be a web server: there, such work would
/// delay unrelated requests.
/// </summary>
/// <remarks>
/// A thread starts when no other is free, so none of the work waits for other work, and ends when
/// it is idle for a while. Nothing has to be disposed. A browser has one thread for everything:
/// there the work runs immediately, on the thread of the caller.
/// </remarks>
internal sealed class OwnThreads
{
    // As Windows gives to each thread. Linux takes 8 MiB of addresses, which a limit of them
    // (ulimit -v) counts.
    private const int StackBytes = 3 << 19;

    // The next message of a process comes within milliseconds.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    [ThreadStatic]
    private static OwnThreads? Current;

    private readonly object gate = new();
    private readonly Queue<Work> waiting = new();
    private readonly Context context;
    private readonly Action<Action> start;
    private int free;

    public OwnThreads()
        : this(StartThread) { }

    /// <param name="start">Starts a thread.</param>
    public OwnThreads(Action<Action> start) => (this.start, context) = (start, new Context(this));

    /// <summary>Whether the caller runs on one of these threads.</summary>
    public bool IsCurrent => Current == this;

    /// <summary>
    /// Does work on one of these threads; the caller continues on the thread pool.
    /// </summary>
    public Task RunAsync(Action work) =>
        RunAsync(() =>
        {
            work();
            return true;
        });

    public Task<T> RunAsync<T>(Func<T> work) => RunAsync(() => Task.FromResult(work()));

    /// <summary>
    /// Starts work on one of these threads. After an await the work calls <see cref="ReturnAsync"/>
    /// to continue on one.
    /// </summary>
    public Task RunAsync(Func<Task> work) =>
        RunAsync(async () =>
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

    /// <summary>
    /// Continues on one of these threads; immediately if the caller already runs on one.
    /// </summary>
    public Hop ReturnAsync() => new(this);

    /// <summary>Waits for something, and continues on one of these threads.</summary>
    public Arrival<T> ReturnAfter<T>(ValueTask<T> awaited) => new(awaited, context);

    /// <summary>Waits for something, and continues on one of these threads.</summary>
    public Arrival ReturnAfter(ValueTask awaited) => new(awaited, context);

    private void Post(SendOrPostCallback callback, object? state)
    {
        lock (gate)
        {
            waiting.Enqueue(new Work(callback, state));
            if (waiting.Count <= free)
            {
                Monitor.Pulse(gate);
                return;
            }

            free++;
        }

        try
        {
            start(Run);
        }
        catch (Exception failure) when (failure is OutOfMemoryException or ThreadStartException)
        {
            // The system gives no more threads to this process. The thread pool has some, and waits
            // until it has more.
            ThreadPool.UnsafeQueueUserWorkItem(static threads => threads.RunOnce(), this, preferLocal: false);
        }
    }

    private static void StartThread(Action run) =>
        new Thread(run.Invoke, StackBytes) { IsBackground = true, Name = "Restore" }.UnsafeStart();

    /// <summary>Does the work that waits longest on a thread that is not of these.</summary>
    private void RunOnce()
    {
        Work work;
        lock (gate)
        {
            free--;
            if (!waiting.TryDequeue(out work))
            {
                return;
            }
        }

        OwnThreads? outer = Current;
        Current = this;
        try
        {
            work.Callback(work.State);
        }
        finally
        {
            Current = outer;
        }
    }

    private void Run()
    {
        Current = this;
        while (Take() is Work work)
        {
            work.Callback(work.State);
            lock (gate)
            {
                free++;
            }
        }
    }

    /// <summary>
    /// Waits for work; returns null if none comes. A thread counts as free until it has work or
    /// ends.
    /// </summary>
    private Work? Take()
    {
        lock (gate)
        {
            Work work;
            bool isThere;
            while (!(isThere = waiting.TryDequeue(out work)) && Monitor.Wait(gate, Patience))
            {
                // Another thread may have been faster.
            }

            // Work that came after the time was over, and before the lock was taken.
            isThere = isThere || waiting.TryDequeue(out work);
            free--;
            return isThere ? work : null;
        }
    }

    /// <summary>Null threads, or a current one without force, continue immediately.</summary>
    internal readonly record struct Hop(OwnThreads? Threads, bool IsForced = false) : ICriticalNotifyCompletion
    {
        public bool IsCompleted => Threads is null || OperatingSystem.IsBrowser() || (!IsForced && Threads.IsCurrent);

        public Hop GetAwaiter() => this;

        public void GetResult() { }

        public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

        public void UnsafeOnCompleted(Action continuation) =>
            Threads!.Post(static work => ((Action)work!)(), continuation);
    }

    /// <summary>
    /// A wait that was begun for these threads. The end of it wakes one of them; without this it
    /// would wake a thread of the pool, which would wake one of them.
    /// </summary>
    internal readonly struct Arrival(ValueTask awaited, SynchronizationContext context) : ICriticalNotifyCompletion
    {
        private readonly ValueTaskAwaiter awaiter = awaited.GetAwaiter();

        public bool IsCompleted => awaiter.IsCompleted;

        public Arrival GetAwaiter() => this;

        public void GetResult() => awaiter.GetResult();

        public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

        public void UnsafeOnCompleted(Action continuation) => Register(context, awaiter, continuation);
    }

    /// <summary>The same for a wait with a result.</summary>
    internal readonly struct Arrival<T>(ValueTask<T> awaited, SynchronizationContext context)
        : ICriticalNotifyCompletion
    {
        private readonly ValueTaskAwaiter<T> awaiter = awaited.GetAwaiter();

        public bool IsCompleted => awaiter.IsCompleted;

        public Arrival<T> GetAwaiter() => this;

        public T GetResult() => awaiter.GetResult();

        public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

        public void UnsafeOnCompleted(Action continuation) => Register(context, awaiter, continuation);
    }

    /// <summary>
    /// Registers a continuation with the context, which nothing else on this thread sees. A browser
    /// has no other threads.
    /// </summary>
    private static void Register<TAwaiter>(SynchronizationContext context, TAwaiter awaiter, Action continuation)
        where TAwaiter : struct, ICriticalNotifyCompletion
    {
        SynchronizationContext? outer = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(OperatingSystem.IsBrowser() ? outer : context);
        try
        {
            awaiter.UnsafeOnCompleted(continuation);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(outer);
        }
    }

    private readonly record struct Work(SendOrPostCallback Callback, object? State);

    private sealed class Context(OwnThreads threads) : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => threads.Post(d, state);

        public override SynchronizationContext CreateCopy() => this;
    }
}
