namespace Restore.Tests.Support;

/// <summary>
/// A clock that a test moves. The clock stands still until <see cref="Advance"/>, unless the test
/// asks for another behaviour.
/// </summary>
internal sealed class FakeClock : TimeProvider
{
    // After the versions of all fixtures, so that none of them is in the future.
    private static readonly DateTimeOffset Start = new(2026, 12, 1, 12, 0, 0, TimeSpan.Zero);

    private readonly Lock gate = new();
    private readonly List<TimeSpan> waits = [];
    private TimeSpan elapsed;
    private int looks;

    /// <summary>The date and time before the first move.</summary>
    public DateTimeOffset StartsAt { get; init; } = Start;

    public TimeZoneInfo Zone { get; init; } = TimeZoneInfo.Utc;

    /// <summary>How far the clock moves by itself at each look at the timestamp.</summary>
    public TimeSpan Step { get; init; }

    /// <summary>
    /// Every wait ends at once, and the clock jumps to the end of the wait. Otherwise a wait takes
    /// real time.
    /// </summary>
    public bool JumpsOverWaits { get; init; }

    /// <summary>The time that the clock has moved.</summary>
    public TimeSpan Elapsed => Locked(() => elapsed);

    /// <summary>How often somebody asked for the time.</summary>
    public int Looks => Locked(() => looks);

    /// <summary>The length of every wait that the clock jumped over.</summary>
    public TimeSpan[] Waits => Locked(() => waits.ToArray());

    public override TimeZoneInfo LocalTimeZone => Zone;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() =>
        Locked(() =>
        {
            looks++;
            return (elapsed += Step).Ticks;
        });

    public override DateTimeOffset GetUtcNow() =>
        Locked(() =>
        {
            looks++;
            return StartsAt + elapsed;
        });

    public void Advance(TimeSpan time) => Locked(() => elapsed += time);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        if (!JumpsOverWaits)
        {
            return base.CreateTimer(callback, state, dueTime, period);
        }

        var timer = new JumpingTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    private T Locked<T>(Func<T> use)
    {
        lock (gate)
        {
            return use();
        }
    }

    private sealed class JumpingTimer(FakeClock clock, TimerCallback callback, object? state) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            if (dueTime == Timeout.InfiniteTimeSpan)
            {
                return true;
            }

            lock (clock.gate)
            {
                clock.waits.Add(dueTime);
                clock.elapsed += dueTime;
            }

            ThreadPool.QueueUserWorkItem(_ => callback(state));
            return true;
        }

        public void Dispose() { }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
