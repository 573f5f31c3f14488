namespace Restore.Cli.Rendering;

/// <summary>Rate and time left of the current phase, from its snapshots. Not safe for concurrent use.</summary>
internal sealed class RateMeter
{
    // Long enough to smooth out a slow volume, short enough to notice that the network has changed.
    private const double MemorySeconds = 10;

    private const int MostRecent = 12;

    private readonly Queue<double> recent = new();
    private RestoreProgress? last;
    private (TimeSpan Elapsed, long Bytes) sampled;

    /// <summary>Bytes of content per second, smoothed; 0 while unknown.</summary>
    public double BytesPerSecond { get; private set; }

    /// <summary>Time left at this rate, or null while unknown.</summary>
    public TimeSpan? Left { get; private set; }

    /// <summary>Bytes of content per second in each of the last seconds.</summary>
    public IReadOnlyCollection<double> Recent => recent;

    public void Observe(RestoreProgress now)
    {
        if (this.last is not { } last || last.Phase != now.Phase || now.Elapsed < last.Elapsed)
        {
            // What is in place at the first snapshot was there before, and says nothing about the rate.
            this.last = now;
            BytesPerSecond = 0;
            Left = null;
            recent.Clear();
            sampled = (now.Elapsed, now.BytesDone);
            return;
        }

        Sample(now);
        var seconds = (now.Elapsed - last.Elapsed).TotalSeconds;
        if (seconds < 0.05)
        {
            return;
        }

        var rate = Math.Max(0, now.BytesDone - last.BytesDone) / seconds;
        var weight = BytesPerSecond == 0 ? 1 : 1 - Math.Exp(-seconds / MemorySeconds);
        BytesPerSecond += weight * (rate - BytesPerSecond);
        this.last = now;
        var left = Math.Max(0, now.BytesTotal - now.BytesDone) / Math.Max(BytesPerSecond, 1);
        Left = BytesPerSecond > 0 && left < TimeSpan.FromDays(100).TotalSeconds ? TimeSpan.FromSeconds(left) : null;
    }

    private void Sample(RestoreProgress now)
    {
        var seconds = (now.Elapsed - sampled.Elapsed).TotalSeconds;
        if (seconds >= 1)
        {
            recent.Enqueue(Math.Max(0, now.BytesDone - sampled.Bytes) / seconds);
            sampled = (now.Elapsed, now.BytesDone);
            if (recent.Count > MostRecent)
            {
                recent.Dequeue();
            }
        }
    }
}
