namespace Restore.Storage;

/// <summary>Limits the rate of reads from a folder of this machine: it may be mounted from a server. Stores that are servers limit their transfers
/// themselves.</summary>
internal sealed class ThrottledStore(IVolumeStore inner, TransferThrottle throttle) : ForwardingStore(inner)
{
    public override async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        int done = 0;
        while (true)
        {
            Memory<byte> piece = destination.Slice(done, Math.Min(throttle.ChunkBytes, destination.Length - done));
            int count = await Inner.ReadAsync(name, offset + done, piece, cancellationToken).ConfigureAwait(false);
            await throttle.PayAsync(count, cancellationToken).ConfigureAwait(false);
            done += count;
            if (count < piece.Length || done == destination.Length)
            {
                return done;
            }
        }
    }
}

/// <summary>A token bucket over bytes, shared by all transfers of a store: a transfer waits until the time for its bytes has passed.</summary>
internal sealed class TransferThrottle(RateSchedule schedule, TimeProvider timeProvider)
{
    private readonly Lock gate = new();
    private long paidUntilTimestamp = timeProvider.GetTimestamp();

    public TransferThrottle(long bytesPerSecond, TimeProvider timeProvider)
        : this(RateSchedule.Constant(bytesPerSecond), timeProvider)
    {
    }

    /// <summary>Most bytes to take at once: a tenth of a second's worth, so that the rate is smooth and a cancellation is quick.</summary>
    public int ChunkBytes => (int)Math.Clamp((Rate ?? long.MaxValue) / 10, 1024, 1 << 20);

    private long? Rate => schedule.RateAt(timeProvider.GetLocalNow());

    /// <summary>Pays for bytes that have arrived, or are about to be sent, at the rate of this time of the day.</summary>
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
            paidUntilTimestamp = Math.Max(paidUntilTimestamp, now) + costTicks;
            pause = timeProvider.GetElapsedTime(now, paidUntilTimestamp);
        }

        return new ValueTask(Task.Delay(pause, timeProvider, cancellationToken));
    }
}

/// <summary>Rate limits by the time of day, as rclone writes them: <c>08:00,512k 19:00,10M 23:00,off</c>. Each holds until the next one, the last one also
/// before the first. A rate alone holds all day.</summary>
internal sealed class RateSchedule
{
    private readonly List<(TimeOnly From, long? BytesPerSecond)> steps;

    private RateSchedule(List<(TimeOnly From, long? BytesPerSecond)> steps) => this.steps = steps;

    /// <summary>One rate for all day.</summary>
    public static RateSchedule Constant(long bytesPerSecond) => new([(TimeOnly.MinValue, bytesPerSecond)]);

    /// <returns>The schedule; null if the text is none.</returns>
    public static RateSchedule? Parse(string text)
    {
        List<(TimeOnly From, long? BytesPerSecond)> steps = [];
        string[] words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        foreach (string word in words)
        {
            string[] parts = word.Split(',');
            TimeOnly from = default;
            bool isTimed = parts.Length == 2 && TimeOnly.TryParseExact(parts[0], "H:mm", CultureInfo.InvariantCulture, DateTimeStyles.None, out from);
            if ((!isTimed && (words.Length > 1 || parts.Length > 1)) || !TryRate(parts[^1], out long? rate) || (steps.Count > 0 && from <= steps[^1].From))
            {
                return null;
            }

            steps.Add((from, rate));
        }

        return steps.Count > 0 ? new RateSchedule(steps) : null;
    }

    /// <summary>The limit in bytes per second at a local time; null for none.</summary>
    public long? RateAt(DateTimeOffset localTime)
    {
        TimeOnly time = TimeOnly.FromTimeSpan(localTime.TimeOfDay);
        int step = steps.FindLastIndex(step => step.From <= time);
        return steps[step < 0 ? ^1 : step].BytesPerSecond;
    }

    private static bool TryRate(string text, out long? rate)
    {
        rate = string.Equals(text, "off", StringComparison.OrdinalIgnoreCase) ? null : StoreOptionText.Bytes(text, bareUnitBytes: 1024) ?? -1;
        rate = rate == 0 ? null : rate;
        return rate is null or > 0;
    }
}
