namespace Restore.Benchmarks.Fetching;

/// <summary>
/// A link that all connections share: a message takes a round trip, and its bytes pass at the
/// link's rate.
/// </summary>
/// <param name="roundTrip">Time from a request to the first byte of its answer.</param>
/// <param name="bytesPerSecond">The rate of all connections together.</param>
internal sealed class Link(TimeSpan roundTrip, double bytesPerSecond)
{
    // Timers are late by a millisecond or two. The link may catch up by this much, so that the rate
    // is right.
    private static readonly TimeSpan Slack = TimeSpan.FromMilliseconds(5);

    private readonly Lock gate = new();
    private readonly TimeProvider time = TimeProvider.System;
    private long freeAt;

    public double BytesPerSecond => bytesPerSecond;

    /// <summary>Waits for a round trip.</summary>
    public Task CrossAsync(CancellationToken cancellationToken) => Task.Delay(roundTrip, time, cancellationToken);

    /// <summary>Waits until these bytes have passed, after all earlier ones.</summary>
    public Task PassAsync(int bytes, CancellationToken cancellationToken)
    {
        TimeSpan wait;
        lock (gate)
        {
            long now = time.GetTimestamp();
            long earliest = now - (long)(Slack.TotalSeconds * time.TimestampFrequency);
            freeAt = Math.Max(freeAt, earliest) + (long)(bytes / bytesPerSecond * time.TimestampFrequency);
            wait = time.GetElapsedTime(now, freeAt);
        }

        return wait.TotalMilliseconds < 1 ? Task.CompletedTask : Task.Delay(wait, time, cancellationToken);
    }
}
