namespace Restore.Cli.Rendering;

/// <summary>
/// Rate and time left of the current phase, from its snapshots. Not safe for concurrent use.
/// </summary>
internal sealed class RateMeter
{
    // Long enough to smooth out a slow volume, short enough to notice that the network has changed.
    private static readonly TimeSpan Memory = TimeSpan.FromSeconds(12);

    // The last seconds say more about the next ones than the start does, but a lull of some seconds
    // is no reason to name hours.
    private const double WeightOfRun = 0.25;

    private readonly Queue<Sample> samples = new();
    private Sample start;
    private Sample sampled;
    private RestoreProgress? last;
    private TimeSpan moved;

    /// <summary>
    /// The mean of the last seconds: bytes fetched per second, or of content if nothing is to
    /// fetch; 0 while unknown.
    /// </summary>
    public double BytesPerSecond { get; private set; }

    /// <summary>How long nothing has moved.</summary>
    public TimeSpan Still { get; private set; }

    /// <summary>
    /// Whole seconds left, by the whole run and the last seconds; null while unknown, and while
    /// nothing comes.
    /// </summary>
    public TimeSpan? Left { get; private set; }

    /// <summary>The bytes per second in each of the last seconds.</summary>
    public IReadOnlyCollection<double> Recent { get; private set; } = [];

    public void Observe(RestoreProgress now)
    {
        if (
            this.last is not { } last
            || last.Phase != now.Phase
            || now.Elapsed < last.Elapsed
            || (last.BytesToFetch == 0) != (now.BytesToFetch == 0)
        )
        {
            // What is in place at the first snapshot was there before, and says nothing about the
            // rate.
            Begin(now);
            return;
        }

        moved = Places(now) == Places(last) ? moved : now.Elapsed;
        Still = now.Elapsed - moved;
        this.last = now;
        var current = Sample.Of(now);
        if (current.Elapsed - start.Elapsed < TimeSpan.FromSeconds(0.05))
        {
            return;
        }

        if (current.Elapsed - sampled.Elapsed >= TimeSpan.FromSeconds(1))
        {
            sampled = current;
            samples.Enqueue(current);
            while (samples.ElementAt(1).Elapsed <= current.Elapsed - Memory)
            {
                samples.Dequeue();
            }

            Recent = [.. samples.Zip(samples.Skip(1), (from, to) => to.RateSince(from))];
        }

        var first = samples.Peek();
        BytesPerSecond = current.Elapsed > first.Elapsed ? current.RateSince(first) : BytesPerSecond;
        Left = LeftAt(current, first);
    }

    private static (long, long, long, int) Places(RestoreProgress progress) =>
        (progress.BytesFetched, progress.BytesDone, progress.FilesDone, progress.VolumesDone);

    private void Begin(RestoreProgress now)
    {
        last = now;
        BytesPerSecond = 0;
        Left = null;
        Recent = [];
        samples.Clear();
        start = sampled = Sample.Of(now);
        samples.Enqueue(start);
        (moved, Still) = (now.Elapsed, TimeSpan.Zero);
    }

    /// <summary>
    /// A weighted mean of two answers, as times: a fast start makes the answer too short only for
    /// the share of the whole run. What is to fetch counts; when all has come, or writing is the
    /// slower of the two for longer than a moment, what is in place does.
    /// </summary>
    private TimeSpan? LeftAt(Sample now, Sample recent)
    {
        var fetching = Mean(now.FetchLeft(start), now.FetchLeft(recent));
        var writing = Mean(now.ContentLeft(start), now.ContentLeft(recent));
        var isSettled = now.Elapsed - start.Elapsed >= Memory && double.IsFinite(writing);
        var seconds =
            now.Fetched >= 1 ? writing
            : isSettled ? Math.Max(fetching, writing)
            : fetching;
        return seconds < TimeSpan.FromDays(100).TotalSeconds ? TimeSpan.FromSeconds(Math.Round(seconds)) : null;
    }

    private static double Mean(double ofRun, double ofRecent) => (WeightOfRun * ofRun) + ((1 - WeightOfRun) * ofRecent);

    /// <summary>What a snapshot says about the rate.</summary>
    /// <param name="Elapsed">Since the start of the phase.</param>
    /// <param name="Bytes">Fetched, or of content if nothing is to fetch.</param>
    /// <param name="Fetched">The share of what is to fetch; 1 if nothing is.</param>
    /// <param name="InPlace">The share of the content.</param>
    private readonly record struct Sample(TimeSpan Elapsed, long Bytes, double Fetched, double InPlace)
    {
        public static Sample Of(RestoreProgress progress) =>
            new(
                progress.Elapsed,
                progress.BytesToFetch > 0 ? progress.BytesFetched : progress.BytesDone,
                progress.BytesToFetch > 0 ? Math.Min(1, (double)progress.BytesFetched / progress.BytesToFetch) : 1,
                progress.BytesTotal > 0 ? Math.Min(1, (double)progress.BytesDone / progress.BytesTotal) : 1
            );

        public double RateSince(Sample first) =>
            Math.Max(0, Bytes - first.Bytes) / (Elapsed - first.Elapsed).TotalSeconds;

        public double FetchLeft(Sample first) => Left(first.Fetched, Fetched, Elapsed - first.Elapsed);

        public double ContentLeft(Sample first) => Left(first.InPlace, InPlace, Elapsed - first.Elapsed);

        private static double Left(double from, double to, TimeSpan took) =>
            to >= 1 ? 0
            : to > from ? (1 - to) * took.TotalSeconds / (to - from)
            : double.PositiveInfinity;
    }
}
