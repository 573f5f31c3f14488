namespace Restore.Csp;

/// <summary>
/// Items that travel as one message, because a message for each would cost more than the item. An
/// item belongs to the batch until it is taken out; disposing the batch disposes the items that are
/// left. Not safe for concurrent use: a message has one owner at a time.
/// </summary>
internal abstract class Batch<T> : IDisposable, IMeasured
    where T : struct, IDisposable, IMeasured
{
    private readonly List<T> items = [];
    private int taken;

    public int Count => items.Count - taken;

    /// <summary>Bytes of all items that were added.</summary>
    public long Bytes { get; private set; }

    public void Add(in T item)
    {
        items.Add(item);
        Bytes += item.Bytes;
    }

    /// <summary>Takes the next item out of the batch, in the order of addition.</summary>
    public bool TryTake(out T item)
    {
        bool isThere = taken < items.Count;
        item = isThere ? items[taken++] : default;
        return isThere;
    }

    public void Dispose()
    {
        while (TryTake(out T item))
        {
            item.Dispose();
        }
    }
}
