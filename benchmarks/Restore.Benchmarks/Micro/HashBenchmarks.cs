using System.IO.Hashing;
using BenchmarkDotNet.Attributes;
using Restore.Format;

namespace Restore.Benchmarks.Micro;

/// <summary>
/// What does it cost to verify a block: its hash, and the CRC-32 that a plain archive has besides?
/// </summary>
public class HashBenchmarks
{
    private const int BlockBytes = 1 << 20;

    private readonly byte[] block = new byte[BlockBytes];

    [Benchmark]
    [BytesPerOperation(BlockBytes)]
    public byte[] Sha256() => HashKind.Sha256.HashData(block);

    [Benchmark]
    [BytesPerOperation(BlockBytes)]
    public byte[] Sha512() => HashKind.Sha512.HashData(block);

    [Benchmark]
    [BytesPerOperation(BlockBytes)]
    public uint Checksum() => Crc32.HashToUInt32(block);
}
