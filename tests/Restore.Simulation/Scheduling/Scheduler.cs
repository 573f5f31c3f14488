using System.Runtime.ExceptionServices;

namespace Restore.Simulation.Scheduling;

/// <summary>
/// Runs everything on one thread at a time. What is ready waits in a queue, and the seed picks what
/// comes next; time moves when nothing is ready. So a seed gives one order of all steps, each time
/// the same.
/// </summary>
/// <remarks>
/// A step can be cut: its thread waits in the queue too, and another one goes on with the loop.
/// With virtual processors nothing is left to chance: the step comes next that can begin first.
/// </remarks>
internal sealed class Scheduler
{
    public const int UsualCores = 3;

    private const int MaxSteps = 400_000;
    private const int MaxMeasuredSteps = 50_000_000;

    // Once in so many steps the clock moves although something is ready: a slow machine.
    private const int Lag = 200;

    // A likely cut comes so many times as often.
    private const int LikelyStatements = 10;

    [ThreadStatic]
    private static Scheduler? running;

    private readonly List<(SendOrPostCallback Work, object? State, Flow Flow, long At)> ready = [];
    private readonly ExecutionContext calm = ExecutionContext.Capture()!;
    private readonly Stack<SemaphoreSlim> idle = [];
    private readonly SemaphoreSlim done = new(0);
    private readonly Order order;
    private readonly double pauses;
    private readonly int statementsToCut;
    private readonly VirtualCores? cores;
    private int untilCut;
    private int uncut;
    private Flow flow = new();
    private Task? operation;
    private ExceptionDispatchInfo? failure;
    private bool hasEnded;
    private ulong trace = 14695981039346656037;
    private volatile string? found;

    public Scheduler(int seed)
    {
        Random = new Random(seed);
        order = (Order)Random.Next(4);
        pauses = Random.Next(4) switch
        {
            0 => 0,
            1 => 0.1,
            2 => 0.5,
            _ => 1,
        };
        statementsToCut = Random.Next(5) switch
        {
            0 => 10,
            1 => 100,
            2 => 1000,
            _ => 0,
        };
        untilCut = NextCut();
        Time = new VirtualTime(this);
    }

    /// <summary>Takes the steps as they come, on virtual processors.</summary>
    public Scheduler(VirtualCores cores)
    {
        this.cores = cores;
        Random = new Random(0);
        Time = new VirtualTime(this);
    }

    /// <summary>How the next step is picked.</summary>
    private enum Order
    {
        Any,
        AnyToo,
        MostlyNewest,
        MostlyOldest,
    }

    /// <summary>The scheduler of this thread.</summary>
    public static Scheduler Current =>
        running
        ?? throw new InvalidOperationException(
            "A step of the engine runs outside of the scheduler: something went to the thread pool"
        );

    /// <summary>The scheduler of this thread; null on a thread of none.</summary>
    public static Scheduler? Running => running;

    public Random Random { get; }

    public VirtualTime Time { get; }

    /// <summary>The number of processors that the engine sees.</summary>
    public int Cores => cores?.Count ?? UsualCores;

    /// <summary>The time on the virtual processors, in ticks; null if there are none.</summary>
    public long? Measured => cores?.Now;

    /// <summary>Steps so far.</summary>
    public int Steps { get; private set; }

    /// <summary>A hash of every choice so far.</summary>
    public ulong Trace => trace;

    /// <summary>Called before each step, with its number.</summary>
    public Action<int>? BeforeStep { get; set; }

    /// <summary>Opens the target of the operation.</summary>
    public Func<string, bool, IRestoreTarget>? OpenTarget { get; set; }

    /// <summary>What must be zero at the end, by name.</summary>
    public List<(string What, Func<long> Left)> AtEnd { get; } = [];

    /// <summary>Whether an await that has nothing to wait for lets others go first.</summary>
    public bool Pauses() => Random.NextDouble() < pauses;

    /// <summary>Adds a step.</summary>
    /// <param name="after">The steps that it follows; null if it can run beside all others.</param>
    /// <param name="at">The earliest time, in ticks; null for now.</param>
    public void Post(SendOrPostCallback work, object? state, Flow? after = null, long? at = null)
    {
        if (running != this)
        {
            Found(
                $"A step ran outside of the scheduler, so the seed cannot be replayed:\n{new System.Diagnostics.StackTrace()}"
            );
            return;
        }

        Add(work, state, after, at);
    }

    public void Post(Action work, long? at = null) => Post(static work => ((Action)work!)(), work, at: at);

    /// <summary>Goes on with the current steps later.</summary>
    public void Continue(Action work) => Post(static work => ((Action)work!)(), work, flow);

    /// <summary>Mixes something that happened into the trace.</summary>
    public void Note(int value) => trace = (trace ^ (uint)value) * 1099511628211;

    public void Note(string text)
    {
        foreach (char letter in text)
        {
            Note(letter);
        }
    }

    /// <summary>Ends the run with a failure, before the next step.</summary>
    public void Found(string what) => found ??= what;

    /// <summary>A place inside of a step where others may go first.</summary>
    /// <param name="isLikely">Whether something that is shared may be changed here.</param>
    public void Cut(bool isLikely = false)
    {
        if (statementsToCut > 0 && (untilCut -= isLikely ? LikelyStatements : 1) <= 0)
        {
            untilCut = NextCut();
            if (uncut == 0)
            {
                Leave(Resume);
            }
        }
    }

    /// <summary>Does something whole.</summary>
    public void Uncut(Action work)
    {
        uncut++;
        work();
        uncut--;
    }

    /// <summary>
    /// Lets others go on, until somebody gives the turn of this thread to <see cref="Resume"/>.
    /// </summary>
    /// <param name="wait">Takes the turn.</param>
    public void Leave(Action<SemaphoreSlim> wait)
    {
        using SemaphoreSlim turn = new(0);
        int before = uncut;
        uncut = 0;
        wait(turn);
        if (idle.TryPop(out SemaphoreSlim? other))
        {
            other.Release();
        }
        else
        {
            new Thread(Loop) { IsBackground = true, Name = Thread.CurrentThread.Name }.Start();
        }

        turn.Wait();
        uncut = before;
    }

    /// <summary>A thread that left may go on.</summary>
    public void Resume(SemaphoreSlim turn) => Add(GiveTurn, turn);

    /// <summary>Runs until the work is done and nothing is left to do.</summary>
    /// <exception cref="SimulationException">It does not end, or a part of it runs
    /// elsewhere.</exception>
    public void Run(Func<Task> work)
    {
        Add(_ => operation = work(), null);
        new Thread(Loop) { IsBackground = true, Name = Thread.CurrentThread.Name }.Start();
        done.Wait();
        failure?.Throw();
        operation!.GetAwaiter().GetResult();
    }

    /// <summary>
    /// The steps, one by one. One thread is in here at a time; the others wait for their turn.
    /// </summary>
    private void Loop()
    {
        running = this;
        try
        {
            while (!hasEnded && (ready.Count > 0 || operation is not { IsCompleted: true }))
            {
                if (ready.Count == 0 || (cores is null ? Random.Next(Lag) == 0 : IsTimerNext(cores)))
                {
                    Move(isLate: ready.Count > 0);
                }

                if (ready.Count > 0)
                {
                    Step();
                }
            }

            RequireNothingFound();
        }
        catch (Exception thrown)
        {
            failure ??= ExceptionDispatchInfo.Capture(thrown);
        }

        if (!hasEnded)
        {
            hasEnded = true;
            foreach (SemaphoreSlim other in idle)
            {
                other.Release();
            }

            done.Release();
        }
    }

    private void Add(SendOrPostCallback work, object? state, Flow? after = null, long? at = null) =>
        ready.Add((work, state, after ?? new Flow(), at ?? cores?.Now ?? 0));

    private bool IsTimerNext(VirtualCores cores) =>
        Time.NextDue is { } due && ready.TrueForAll(step => due <= Begin(step.Flow, step.At, cores));

    private static long Begin(Flow flow, long at, VirtualCores cores) => Math.Max(Math.Max(at, flow.Free), cores.Free);

    private void GiveTurn(object? turn)
    {
        using SemaphoreSlim mine = new(0);
        idle.Push(mine);
        ((SemaphoreSlim)turn!).Release();
        mine.Wait();
    }

    private int NextCut() => statementsToCut == 0 ? 0 : 1 + Random.Next(2 * statementsToCut);

    private void Move(bool isLate)
    {
        if (!Time.TryMove() && !isLate)
        {
            // An escaped step may be on its way back.
            Thread.Sleep(50);
            RequireNothingFound();
            throw new SimulationException(
                $"Nothing is left to run after {Steps} steps, and the operation has not ended: a deadlock"
            );
        }
    }

    private void Step()
    {
        RequireNothingFound();
        if (++Steps > (cores is null ? MaxSteps : MaxMeasuredSteps))
        {
            throw new SimulationException($"The operation has not ended after {Steps} steps");
        }

        BeforeStep?.Invoke(Steps);
        int pick = Pick();
        Note(pick);
        (SendOrPostCallback work, object? state, flow, long at) = ready[pick];
        ready.RemoveAt(pick);
        cores?.Begin(Math.Max(at, flow.Free));
        ExecutionContext.Run(
            calm,
            _ =>
            {
                // A context of its own for each step: an awaiter that compares contexts never
                // continues inside of another step.
                SynchronizationContext.SetSynchronizationContext(new Context(this, flow));
                work(state);
            },
            null
        );
        flow.Free = cores?.End() ?? 0;
    }

    private int Pick() => cores is null ? PickBySeed() : PickFirst(cores);

    // The first of equal ones: a queue.
    private int PickFirst(VirtualCores cores)
    {
        int first = 0;
        long earliest = long.MaxValue;
        for (int i = 0; i < ready.Count; i++)
        {
            long begin = Begin(ready[i].Flow, ready[i].At, cores);
            if (begin < earliest)
            {
                (first, earliest) = (i, begin);
            }
        }

        return first;
    }

    private int PickBySeed() =>
        order switch
        {
            Order.MostlyNewest when Random.Next(8) > 0 => ready.Count - 1,
            Order.MostlyOldest when Random.Next(8) > 0 => 0,
            _ => Random.Next(ready.Count),
        };

    private void RequireNothingFound()
    {
        if (found is { } what)
        {
            throw new SimulationException(what);
        }
    }

    /// <summary>Where awaits continue.</summary>
    private sealed class Context(Scheduler owner, Flow flow) : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => owner.Post(d, state, flow);

        public override void Send(SendOrPostCallback d, object? state) =>
            throw new NotSupportedException("Nothing waits in the simulation");

        public override SynchronizationContext CreateCopy() => new Context(owner, flow);
    }
}

/// <summary>What the simulation found.</summary>
internal sealed class SimulationException(string message) : Exception(message);
