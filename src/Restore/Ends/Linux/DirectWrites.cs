namespace Restore.Ends.Linux;

/// <summary>
/// Whether large new files are written past the page cache (O_DIRECT), and the buffers for it. Copying a restored file into the cache costs a fresh page for
/// every 4 KiB, which is the largest single part of a restore, and pushes out what the machine really needs there. It is done for as long as the device
/// takes such writes fast; one that is slow is better off with the cache, which writes later and in an order of its own.
/// </summary>
/// <param name="time">Measures how fast the device takes the writes.</param>
internal sealed class DirectWrites(TimeProvider time) : IDisposable
{
    /// <summary>Smaller files go through the cache: one call each, and nothing to wait for.</summary>
    public const long LeastFileBytes = 1 << 20;

    private const int MaxFiles = 8;
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

    /// <summary>Takes buffers; null when bytes are to go through the cache, or as many as there may be are in use.</summary>
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

    /// <summary>Goes through the cache from now on: the file system does not take writes past it.</summary>
    public void Refuse() => isWorthwhile = false;

    /// <summary>The time, for <see cref="Note"/>.</summary>
    public long Now() => time.GetTimestamp();

    /// <summary>Takes down a write. What counts is what the device brings altogether: time that several writes shared counts once.</summary>
    /// <param name="bytes">How much was written.</param>
    /// <param name="started">When it was begun, as <see cref="Now"/> tells.</param>
    /// <param name="ended">When it was done.</param>
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
