namespace Restore.Csp;

/// <summary>
/// A run of items as one message, because a message for each would cost more than what it carries. An item belongs to the run until it is taken out;
/// disposing the run disposes those that are left. Not safe for concurrent use: a message has one owner at a time.
/// </summary>
internal abstract class Run<T> : IDisposable, IMeasured
    where T : struct, IDisposable, IMeasured
{
    private readonly List<T> items = [];
    private int taken;

    /// <summary>Items that have not been taken out.</summary>
    public int Count => items.Count - taken;

    /// <summary>Bytes of all items that were added.</summary>
    public long Bytes { get; private set; }

    /// <summary>Adds an item, which is the run's from now on.</summary>
    public void Add(in T item)
    {
        items.Add(item);
        Bytes += item.Bytes;
    }

    /// <summary>Takes the next item out of the run, in the order in which they were added.</summary>
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
