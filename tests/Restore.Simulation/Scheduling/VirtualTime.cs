namespace Restore.Simulation.Scheduling;

/// <summary>A clock that moves to the next timer when nothing else is to be done.</summary>
internal sealed class VirtualTime(Scheduler scheduler) : TimeProvider
{
    private static readonly DateTimeOffset Start = new(2026, 12, 1, 12, 0, 0, TimeSpan.Zero);

    private readonly List<Timer> armed = [];
    private long now;

    private Scheduler Owner => scheduler;

    /// <summary>Timers that have not fired.</summary>
    public int Armed => armed.Count;

    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>When the next timer fires, in ticks; null if there is none.</summary>
    public long? NextDue => armed.Count == 0 ? null : armed.Min(timer => timer.Due);

    private long Now => scheduler.Measured is { } measured ? Math.Max(now, measured) : now;

    public override long GetTimestamp() => Now;

    public override DateTimeOffset GetUtcNow() => Start.AddTicks(Now);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        Timer timer = new(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Moves to the next timer.</summary>
    /// <returns>False if there is none.</returns>
    public bool TryMove()
    {
        if (armed.MinBy(timer => timer.Due) is not { } next)
        {
            return false;
        }

        now = Math.Max(now, next.Due);
        armed.Remove(next);
        scheduler.Post(next.Fire, now);
        return true;
    }

    private sealed class Timer(VirtualTime owner, TimerCallback callback, object? state) : ITimer
    {
        public long Due { get; private set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            if (period != Timeout.InfiniteTimeSpan && period != TimeSpan.Zero)
            {
                throw new NotSupportedException("Timers of the simulation fire once");
            }

            owner.armed.Remove(this);
            if (dueTime != Timeout.InfiniteTimeSpan)
            {
                Due = owner.Now + dueTime.Ticks;
                owner.armed.Add(this);
            }

            return true;
        }

        // It may cancel.
        public void Fire() => owner.Owner.Uncut(() => callback(state));

        public void Dispose() => Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
