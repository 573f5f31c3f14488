namespace Restore.Streams;

/// <summary>
/// Blocks in memory up to a limit; the least recently used ones are evicted first. Several users
/// share the limit, and each has its own blocks, because the number of a block belongs to a
/// version. Safe for concurrent use.
/// </summary>
/// <param name="maxBytes">Limit of what the blocks take; a larger single block is kept
/// alone.</param>
internal sealed class BlockCache(BufferPool pool, long maxBytes)
{
    // What a block takes in addition to its bytes: an entry of the table, a node of the list, a
    // buffer.
    private const int OverheadBytes = 250;

    private readonly Lock gate = new();
    private readonly Dictionary<(int User, BlockId Block), LinkedListNode<CachedBlock>> nodes = [];
    private readonly LinkedList<CachedBlock> byUse = new();
    private readonly HashSet<int> users = [];
    private long bytes;
    private int lastUser;

    public long MaxBytes => maxBytes;

    /// <summary>What a block of a length takes.</summary>
    public static long CostOf(int lengthBytes) => lengthBytes + OverheadBytes;

    /// <summary>Adds a user.</summary>
    /// <returns>The number that names the user in all other calls.</returns>
    public int Join()
    {
        lock (gate)
        {
            users.Add(++lastUser);
            return lastUser;
        }
    }

    /// <summary>
    /// Removes a user and releases the memory of its blocks. Blocks that it adds afterwards are not
    /// kept.
    /// </summary>
    public void Leave(int user)
    {
        lock (gate)
        {
            users.Remove(user);
            for (LinkedListNode<CachedBlock>? node = byUse.First, next; node is not null; node = next)
            {
                next = node.Next;
                if (node.Value.User == user)
                {
                    Drop(node);
                }
            }
        }
    }

    /// <summary>Marks a block as used.</summary>
    /// <returns>Whether it is in the cache.</returns>
    public bool Touch(int user, BlockId block)
    {
        lock (gate)
        {
            return Use(user, block) is not null;
        }
    }

    /// <summary>Copies a part of a block.</summary>
    /// <returns>False if the block is not in the cache.</returns>
    public bool TryCopy(int user, BlockId block, int offset, Span<byte> destination)
    {
        lock (gate)
        {
            if (Use(user, block) is not PooledBuffer content)
            {
                return false;
            }

            content.Span.Slice(offset, destination.Length).CopyTo(destination);
            return true;
        }
    }

    public void Add(int user, BlockId block, ReadOnlySpan<byte> content)
    {
        lock (gate)
        {
            if (!users.Contains(user) || Use(user, block) is not null)
            {
                return;
            }

            while (bytes + CostOf(content.Length) > maxBytes && byUse.First is { } oldest)
            {
                Drop(oldest);
            }

            PooledBuffer copy = pool.Rent(content.Length);
            content.CopyTo(copy.Span);
            nodes.Add((user, block), byUse.AddLast(new CachedBlock(user, block, copy)));
            bytes += CostOf(content.Length);
        }
    }

    /// <summary>Drops blocks that are not expected to be needed again.</summary>
    public void Drop(int user, IEnumerable<BlockId> blocks)
    {
        lock (gate)
        {
            foreach (BlockId block in blocks)
            {
                if (nodes.TryGetValue((user, block), out LinkedListNode<CachedBlock>? node))
                {
                    Drop(node);
                }
            }
        }
    }

    private PooledBuffer? Use(int user, BlockId block)
    {
        if (!nodes.TryGetValue((user, block), out LinkedListNode<CachedBlock>? node))
        {
            return null;
        }

        byUse.Remove(node);
        byUse.AddLast(node);
        return node.Value.Content;
    }

    private void Drop(LinkedListNode<CachedBlock> node)
    {
        byUse.Remove(node);
        nodes.Remove((node.Value.User, node.Value.Block));
        bytes -= CostOf(node.Value.Content.Length);
        node.Value.Content.Dispose();
    }

    private readonly record struct CachedBlock(int User, BlockId Block, PooledBuffer Content);
}
