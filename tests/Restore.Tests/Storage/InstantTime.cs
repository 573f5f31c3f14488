namespace Restore.Tests.Storage;

/// <summary>A clock on which every wait is over at once: it jumps to the end of the wait and remembers how long it was.</summary>
internal sealed class InstantTime : TimeProvider
{
    private readonly Lock gate = new();
    private readonly List<TimeSpan> waits = [];
    private TimeSpan now;

    public TimeSpan[] Waits
    {
        get
        {
            lock (gate)
            {
                return [.. waits];
            }
        }
    }

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp()
    {
        lock (gate)
        {
            return now.Ticks;
        }
    }

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch + new TimeSpan(GetTimestamp());

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new InstantTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    private sealed class InstantTimer(InstantTime time, TimerCallback callback, object? state) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            if (dueTime == Timeout.InfiniteTimeSpan)
            {
                return true;
            }

            lock (time.gate)
            {
                time.waits.Add(dueTime);
                time.now += dueTime;
            }

            ThreadPool.QueueUserWorkItem(_ => callback(state));
            return true;
        }

        public void Dispose()
        {
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
