using Restore.Catalog;
using Restore.Memory;

namespace Restore.Streams;

/// <summary>Blocks in memory up to a limit; the least recently used ones are dropped first. Safe for concurrent use.</summary>
/// <param name="pool">The source of buffers.</param>
/// <param name="maxBytes">Limit of the bytes of blocks; a larger single block is kept alone.</param>
internal sealed class BlockCache(BufferPool pool, long maxBytes) : IDisposable
{
    private readonly Lock gate = new();
    private readonly Dictionary<BlockId, LinkedListNode<CachedBlock>> nodes = [];
    private readonly LinkedList<CachedBlock> byUse = new();
    private long bytes;
    private bool isClosed;

    /// <summary>Marks a block as used.</summary>
    /// <returns>Whether it is in the cache.</returns>
    public bool Touch(BlockId block)
    {
        lock (gate)
        {
            return Use(block) is not null;
        }
    }

    /// <summary>Copies a part of a block.</summary>
    /// <returns>False if the block is not in the cache.</returns>
    public bool TryCopy(BlockId block, int offset, Span<byte> destination)
    {
        lock (gate)
        {
            if (Use(block) is not PooledBuffer content)
            {
                return false;
            }

            content.Span.Slice(offset, destination.Length).CopyTo(destination);
            return true;
        }
    }

    /// <summary>Adds a copy of a block.</summary>
    public void Add(BlockId block, ReadOnlySpan<byte> content)
    {
        lock (gate)
        {
            if (isClosed || Use(block) is not null)
            {
                return;
            }

            while (bytes + content.Length > maxBytes && byUse.First is { } oldest)
            {
                Drop(oldest);
            }

            PooledBuffer copy = pool.Rent(content.Length);
            content.CopyTo(copy.Span);
            nodes.Add(block, byUse.AddLast(new CachedBlock(block, copy)));
            bytes += content.Length;
        }
    }

    /// <summary>Releases all memory. Blocks added afterwards are not kept.</summary>
    public void Dispose()
    {
        lock (gate)
        {
            isClosed = true;
            while (byUse.First is { } oldest)
            {
                Drop(oldest);
            }
        }
    }

    private PooledBuffer? Use(BlockId block)
    {
        if (!nodes.TryGetValue(block, out LinkedListNode<CachedBlock>? node))
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
        nodes.Remove(node.Value.Block);
        bytes -= node.Value.Content.Length;
        node.Value.Content.Dispose();
    }

    private readonly record struct CachedBlock(BlockId Block, PooledBuffer Content);
}
