using Restore.Csp;
using Restore.Memory;

namespace Restore.Writing.Messages;

/// <summary>A block as it will be stored in a volume.</summary>
/// <param name="Hash">Its block hash.</param>
/// <param name="Data">Its data; this value owns one use of it.</param>
/// <param name="Method">How the data is compressed, by its zip number.</param>
/// <param name="Crc32">CRC-32 of the content.</param>
/// <param name="LengthBytes">Length of the content.</param>
/// <param name="IsBlocklist">Whether it is a blocklist; blocklists are never compressed.</param>
internal readonly record struct CompressedBlock(byte[] Hash, PooledBuffer Data, ushort Method, uint Crc32, int LengthBytes, bool IsBlocklist)
    : IDisposable, IMeasured
{
    public long Bytes => Data.Length;

    public void Dispose() => Data.Dispose();
}

/// <summary>A batch of blocks ready for a volume.</summary>
internal sealed class BlocksCompressed : Batch<CompressedBlock>;
