namespace Restore.Ends.Linux;

/// <summary>
/// Decides whether large new files are written past the page cache (O_DIRECT), and owns the
/// buffers. Copying a restored file into the cache costs a fresh page for every 4 KiB, which is the
/// largest single part of a restore, and evicts other data from the cache. Direct writes continue
/// as long as the device is fast. A slow device benefits from the cache, which writes later and
/// chooses the order of the writes.
/// </summary>
internal sealed class DirectWrites(TimeProvider time) : IDisposable
{
    /// <summary>Smaller files go through the cache: one call each, and no wait.</summary>
    public const long LeastFileBytes = 1 << 20;

    // Each file takes 4 buffers of 1 MiB, so all files together take at most 32 MiB.
    private const int MaxFiles = 8;

    // The rate is judged after each window. Below it, all further writes go through the cache.
    private const long WindowBytes = 64L << 20;
    private const double LeastBytesPerSecond = 200e6;

    private readonly Stack<WriteBehind> idle = new(MaxFiles);
    private readonly Lock gate = new();
    private volatile bool isWorthwhile = true;
    private int made;
    private long windowBytes;
    private TimeSpan windowTime;
    private long noted;

    /// <summary>Whether the next write should go past the cache.</summary>
    public bool IsWorthwhile => isWorthwhile;

    /// <summary>
    /// Takes buffers; null if bytes should go through the cache, or the limit of buffers is
    /// reached.
    /// </summary>
    public WriteBehind? TryRent()
    {
        lock (gate)
        {
            if (!isWorthwhile)
            {
                return null;
            }

            if (!idle.TryPop(out WriteBehind? buffers) && made < MaxFiles)
            {
                made++;
                buffers = new WriteBehind();
            }

            return buffers;
        }
    }

    public void GiveBack(WriteBehind unused)
    {
        lock (gate)
        {
            idle.Push(unused);
        }
    }

    public void Dispose()
    {
        lock (gate)
        {
            while (idle.TryPop(out WriteBehind? unused))
            {
                unused.Dispose();
            }
        }
    }

    /// <summary>
    /// Uses the cache from now on: the file system does not support direct writes.
    /// </summary>
    public void Refuse() => isWorthwhile = false;

    public long Now() => time.GetTimestamp();

    /// <summary>
    /// Records a write. The rate is the rate of the whole device: time that several writes share
    /// counts once.
    /// </summary>
    /// <param name="started">Start of the write, from <see cref="Now"/>.</param>
    public void Note(int bytes, long started, long ended)
    {
        lock (gate)
        {
            long from = Math.Max(started, noted);
            noted = Math.Max(ended, noted);
            windowBytes += bytes;
            windowTime += ended > from ? time.GetElapsedTime(from, ended) : TimeSpan.Zero;
            if (windowBytes >= WindowBytes)
            {
                isWorthwhile &= windowBytes / windowTime.TotalSeconds >= LeastBytesPerSecond;
                (windowBytes, windowTime) = (0, TimeSpan.Zero);
            }
        }
    }
}
