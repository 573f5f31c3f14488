using System.Runtime.InteropServices;

namespace Restore.Benchmarks.Roofline;

/// <summary>
/// One of the threads that do a part of the roofline: takes items, and counts the processor time of
/// the work itself.
/// </summary>
internal abstract partial class Worker : IDisposable
{
    private const int ThreadProcessorTime = 3;
    private const long NanosecondsPerSecond = 1_000_000_000;

    private long nanoseconds;

    /// <summary>Processor time between <see cref="Begin"/> and <see cref="End"/>.</summary>
    public TimeSpan Processor => new(nanoseconds / TimeSpan.NanosecondsPerTick);

    public long Bytes { get; private set; }

    /// <summary>Does one item.</summary>
    public abstract ValueTask TakeAsync(RooflineItem item);

    public virtual void Dispose() => GC.SuppressFinalize(this);

    /// <summary>Does the items on all cores.</summary>
    public static async Task<RooflinePart> RunAsync(string name, IReadOnlyList<RooflineItem> items, Func<Worker> create)
    {
        int next = -1;
        long started = TimeProvider.System.GetTimestamp();
        Worker[] done = await Task.WhenAll(
            Enumerable
                .Range(0, Environment.ProcessorCount)
                .Select(_ =>
                    Task.Run(async () =>
                    {
                        using Worker worker = create();
                        int item;
                        while ((item = Interlocked.Increment(ref next)) < items.Count)
                        {
                            await worker.TakeAsync(items[item]);
                        }

                        return worker;
                    })
                )
        );
        TimeSpan wall = TimeProvider.System.GetElapsedTime(started);
        return new RooflinePart(
            name,
            new TimeSpan(done.Sum(worker => worker.Processor.Ticks)),
            wall,
            done.Sum(worker => worker.Bytes)
        );
    }

    /// <summary>The work starts.</summary>
    protected void Begin() => nanoseconds -= Now();

    /// <summary>
    /// The work ends. Nothing may be awaited in between: another thread has another time.
    /// </summary>
    /// <param name="bytes">What was worked on.</param>
    protected void End(long bytes)
    {
        nanoseconds += Now();
        Bytes += bytes;
    }

    private static long Now() =>
        ClockTime(ThreadProcessorTime, out Time now) == 0
            ? (now.Seconds * NanosecondsPerSecond) + now.Nanoseconds
            : throw new InvalidOperationException("The processor time of a thread cannot be read");

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ClockTime(int clock, out Time time);

    [StructLayout(LayoutKind.Sequential)]
    private struct Time
    {
        public long Seconds;
        public long Nanoseconds;
    }
}

/// <summary>A file of the source, or a volume.</summary>
/// <param name="Path">Where it is.</param>
/// <param name="Name">Its path below the source or backup.</param>
/// <param name="Length">Its length in bytes.</param>
internal readonly record struct RooflineItem(string Path, string Name, long Length);
