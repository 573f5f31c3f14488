namespace Restore.Csp;

/// <summary>
/// Gives one copy of a process its ends while the network is wired, and leaves them all when that
/// copy has ended.
/// </summary>
internal sealed class Ports(int copy, Meter? meter, OwnThreads? threads)
{
    private readonly List<IDisposable> ends = [];
    private bool wired;
    public int Copy { get; } = copy;

    /// <summary>Counts for the profile; null if profiling is off.</summary>
    internal Meter? Meter { get; } = meter;

    /// <summary>Where the process runs; null for the thread pool.</summary>
    internal OwnThreads? Threads { get; } = threads;
    internal bool Reads { get; private set; }

    public IReadChannelEnd<T> Read<T>(Channel<T> channel)
    {
        Reads = true;
        return Keep(channel.Reader(Meter, Threads));
    }

    public IWriteChannelEnd<T> Write<T>(Channel<T> channel) => Keep(channel.Writer(Meter, Threads));

    internal void Wired() => wired = true;

    internal void Leave() => ends.ForEach(end => end.Dispose());

    private TEnd Keep<TEnd>(TEnd end)
        where TEnd : IDisposable
    {
        // An end created by a running process could come after the last other end has left: the
        // channel would have ended already.
        if (wired)
        {
            end.Dispose();
            throw new InvalidOperationException(
                "The ends of a process are created while the network is wired, not by the running process"
            );
        }

        ends.Add(end);
        return end;
    }
}
