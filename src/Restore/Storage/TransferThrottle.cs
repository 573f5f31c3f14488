namespace Restore.Storage;

/// <summary>
/// A token bucket over bytes, shared by all transfers of a store: a transfer waits until the time
/// for its bytes has passed.
/// </summary>
internal sealed class TransferThrottle(RateSchedule schedule, TimeProvider timeProvider)
{
    private readonly Lock gate = new();
    private long paidUntilTimestamp = timeProvider.GetTimestamp();

    public TransferThrottle(long bytesPerSecond, TimeProvider timeProvider)
        : this(RateSchedule.Constant(bytesPerSecond), timeProvider) { }

    /// <summary>
    /// Most bytes to take in one step: a tenth of a second's worth, so that the rate is smooth and
    /// a cancellation is quick.
    /// </summary>
    public int ChunkBytes => (int)Math.Clamp((Rate ?? long.MaxValue) / 10, 1024, 1 << 20);

    private long? Rate => schedule.RateAt(timeProvider.GetLocalNow());

    /// <summary>
    /// Pays for bytes that have arrived, or are about to be sent, at the rate of this time of the
    /// day.
    /// </summary>
    public ValueTask PayAsync(int bytes, CancellationToken cancellationToken)
    {
        if (Rate is not { } bytesPerSecond)
        {
            return ValueTask.CompletedTask;
        }

        TimeSpan pause;
        lock (gate)
        {
            long now = timeProvider.GetTimestamp();
            long costTicks = (long)((double)bytes / bytesPerSecond * timeProvider.TimestampFrequency);

            // Time in which nothing was transferred is not saved up, so no burst follows a pause.
            paidUntilTimestamp = Math.Max(paidUntilTimestamp, now) + costTicks;
            pause = timeProvider.GetElapsedTime(now, paidUntilTimestamp);
        }

        return new ValueTask(Task.Delay(pause, timeProvider, cancellationToken));
    }
}
