using Restore.Csp;
using Restore.Memory;

namespace Restore.Writing.Messages;

/// <summary>A block and its hash.</summary>
/// <param name="Hash">Its block hash.</param>
/// <param name="Data">Its content, of which this value owns one use.</param>
/// <param name="IsBlocklist">Whether it is a list of hashes: it does not compress, and its index volume has a copy.</param>
internal readonly record struct HashedBlock(byte[] Hash, PooledBuffer Data, bool IsBlocklist);

/// <summary>A run of blocks in the order in which they were cut.</summary>
internal sealed class BlocksHashed : IDisposable, IMeasured
{
    private readonly List<HashedBlock> blocks = [];
    private int taken;

    public int Count => blocks.Count - taken;

    public long Bytes { get; private set; }

    public void Add(in HashedBlock block)
    {
        blocks.Add(block);
        Bytes += block.Data.Length;
    }

    /// <summary>Takes the next block out of the message.</summary>
    public bool TryTake(out HashedBlock block)
    {
        bool isThere = taken < blocks.Count;
        block = isThere ? blocks[taken++] : default;
        return isThere;
    }

    public void Dispose()
    {
        while (TryTake(out HashedBlock block))
        {
            block.Data.Dispose();
        }
    }
}
