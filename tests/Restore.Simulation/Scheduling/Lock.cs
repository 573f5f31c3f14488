using Restore.Simulation.Scheduling;

namespace Restore;

/// <summary>
/// Takes the place of the framework's lock: who waits for it lets the scheduler go on.
/// </summary>
public sealed class Lock
{
    private readonly Queue<SemaphoreSlim> waiting = [];
    private int owner;
    private int depth;

    public Held Take()
    {
        if (Scheduler.Running is not { } scheduler)
        {
            Monitor.Enter(this);
            return new Held(this, isReal: true);
        }

        int me = Environment.CurrentManagedThreadId;
        while (depth > 0 && owner != me)
        {
            scheduler.Leave(waiting.Enqueue);
        }

        owner = me;
        depth++;
        return new Held(this, isReal: false);
    }

    public void Enter() => _ = Take();

    public bool TryEnter()
    {
        if (depth > 0 && owner != Environment.CurrentManagedThreadId)
        {
            return false;
        }

        _ = Take();
        return true;
    }

    public void Exit() => Release();

    private void Release()
    {
        if (--depth == 0)
        {
            while (waiting.TryDequeue(out SemaphoreSlim? next))
            {
                Scheduler.Current.Resume(next);
            }
        }
    }

    public readonly ref struct Held(Lock? taken, bool isReal)
    {
        public void Dispose()
        {
            if (isReal)
            {
                Monitor.Exit(taken!);
            }
            else
            {
                taken?.Release();
            }
        }
    }
}

/// <summary>Takes the place of the framework's: its lock is one that the scheduler knows.</summary>
internal sealed class Lazy<T>(Func<T> make, LazyThreadSafetyMode mode = LazyThreadSafetyMode.ExecutionAndPublication)
{
    private readonly Lock gate = new();
    private T? value;

    public bool IsValueCreated { get; private set; }

    public LazyThreadSafetyMode Mode => mode;

    public T Value
    {
        get
        {
            using (gate.Take())
            {
                if (!IsValueCreated)
                {
                    (value, IsValueCreated) = (make(), true);
                }

                return value!;
            }
        }
    }
}
