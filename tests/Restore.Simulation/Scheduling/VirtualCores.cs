namespace Restore.Simulation.Scheduling;

/// <summary>
/// Pretends that the steps of the scheduler run on so many processors: each step really runs alone,
/// takes the processor time that it really took, and that time is given to a processor. So the code of the
/// engine is measured on this machine, and only the processors are made up.
/// </summary>
/// <remarks>
/// What processors share is not in it: memory, caches, the kernel's locks, a disk. What a step
/// changes can be seen by steps that begin before it ends, so times are right to about one step.
/// </remarks>
internal sealed class VirtualCores(int count)
{
    private readonly long[] free = new long[count];
    private int core;
    private long since;
    private bool isInStep;
    private long now;

    public int Count => count;

    /// <summary>The time of all steps together, in ticks.</summary>
    public long Busy { get; private set; }

    /// <summary>The time in the current step, or at the end of the last one, in ticks.</summary>
    public long Now => isInStep ? now + ThreadTime.Ticks - since : now;

    /// <summary>The end of the last step of all processors, in ticks.</summary>
    public long Ended => free.Max();

    /// <summary>The earliest time at which a processor can begin a step.</summary>
    public long Free => free.Min();

    public void Begin(long ready)
    {
        core = Array.IndexOf(free, Free);
        now = Math.Max(ready, free[core]);
        isInStep = true;
        since = ThreadTime.Ticks;
    }

    /// <returns>The time at which the step ended, in ticks.</returns>
    public long End()
    {
        long end = Now;
        Busy += end - now;
        isInStep = false;
        now = end;
        return free[core] = end;
    }
}
