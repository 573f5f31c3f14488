using Restore.Csp;
using Restore.Memory;

namespace Restore.Writing.Messages;

/// <summary>A block and its hash.</summary>
/// <param name="Hash">Its block hash.</param>
/// <param name="Data">Its content; this value owns one use of it.</param>
/// <param name="IsBlocklist">Whether it is a blocklist: it does not compress, and its index volume has a copy.</param>
/// <param name="IsStored">Whether it is not to be compressed, because the type of its file says that it is already.</param>
internal readonly record struct HashedBlock(byte[] Hash, PooledBuffer Data, bool IsBlocklist, bool IsStored = false) : IDisposable, IMeasured
{
    public long Bytes => Data.Length;

    public void Dispose() => Data.Dispose();
}

/// <summary>A batch of blocks in the order in which they were cut.</summary>
internal sealed class BlocksHashed : Batch<HashedBlock>;
