namespace Restore.Volumes;

/// <summary>
/// Volumes with directories that stay in memory up to a limit; the least recently used ones are
/// evicted first. A volume is taken out for a read and put back afterwards, so that each has one
/// user at a time. Safe for concurrent use.
/// </summary>
internal sealed class DirectoryCache : IDisposable
{
    // A volume of 50 MB has 0.1 MB with blocks of 100 KiB, and 4 MB if it is full of small files.
    private const long MaxBytes = 32 << 20;

    private readonly Lock gate = new();
    private readonly LinkedList<SparseVolume> byUse = new();
    private long bytes;
    private long maxBytes = MaxBytes;

    /// <summary>Takes a volume out; null if it is not there, or in use.</summary>
    public SparseVolume? Take(Volume volume)
    {
        lock (gate)
        {
            for (LinkedListNode<SparseVolume>? node = byUse.Last; node is not null; node = node.Previous)
            {
                if (node.Value.IsOf(volume))
                {
                    return Remove(node);
                }
            }

            return null;
        }
    }

    public void Keep(SparseVolume volume)
    {
        volume.Own();
        lock (gate)
        {
            bytes += volume.MemoryBytes;
            byUse.AddLast(volume);
            DropOldest();
        }
    }

    /// <summary>Drops all, and keeps none from now on.</summary>
    public void Dispose()
    {
        lock (gate)
        {
            maxBytes = -1;
            DropOldest();
        }
    }

    private void DropOldest()
    {
        while (bytes > maxBytes && byUse.First is LinkedListNode<SparseVolume> oldest)
        {
            Remove(oldest).Dispose();
        }
    }

    private SparseVolume Remove(LinkedListNode<SparseVolume> node)
    {
        byUse.Remove(node);
        bytes -= node.Value.MemoryBytes;
        return node.Value;
    }
}
