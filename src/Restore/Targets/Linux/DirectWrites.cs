using System.Collections.Concurrent;

namespace Restore.Targets.Linux;

/// <summary>
/// Whether large new files are written past the page cache (O_DIRECT), and the buffers for it. Copying a restored file into the cache costs a fresh page for
/// every 4 KiB, which is the largest single part of a restore, and pushes out what the machine really needs there. It is done for as long as the device
/// takes such writes fast; one that is slow is better off with the cache, which writes later and in an order of its own.
/// </summary>
internal sealed class DirectWrites
{
    /// <summary>Smaller files go through the cache: one call each, and nothing to wait for.</summary>
    public const long LeastFileBytes = 1 << 20;

    /// <summary>What device, file system and memory want offsets, lengths and addresses to be multiples of.</summary>
    public const int AlignmentBytes = 4096;

    /// <summary>The room of a buffer.</summary>
    public const int BufferBytes = 1 << 20;

    private const int MaxBuffers = 16;
    private const long WindowBytes = 64L << 20;
    private const double LeastBytesPerSecond = 200e6;

    private readonly ConcurrentBag<byte[]> idle = [];
    private readonly Lock gate = new();
    private volatile bool isWorthwhile = true;
    private int buffers;
    private long windowBytes;
    private TimeSpan windowTime;

    /// <summary>Whether the next write should go past the cache.</summary>
    public bool IsWorthwhile => isWorthwhile;

    /// <summary>Takes a buffer; null when files are to go through the cache, or as many as there may be are in use.</summary>
    public byte[]? TryRent()
    {
        if (!isWorthwhile)
        {
            return null;
        }

        if (idle.TryTake(out byte[]? buffer))
        {
            return buffer;
        }

        return Interlocked.Increment(ref buffers) <= MaxBuffers ? GC.AllocateUninitializedArray<byte>(BufferBytes + AlignmentBytes, pinned: true) : null;
    }

    public void GiveBack(byte[] buffer) => idle.Add(buffer);

    /// <summary>Goes through the cache from now on: the file system does not take writes past it.</summary>
    public void Refuse() => isWorthwhile = false;

    /// <summary>Takes down how long a write took.</summary>
    public void Note(int bytes, TimeSpan time)
    {
        lock (gate)
        {
            windowBytes += bytes;
            windowTime += time;
            if (windowBytes >= WindowBytes)
            {
                isWorthwhile &= windowBytes / windowTime.TotalSeconds >= LeastBytesPerSecond;
                (windowBytes, windowTime) = (0, TimeSpan.Zero);
            }
        }
    }
}
