using System.IO.Hashing;
using BenchmarkDotNet.Attributes;
using Restore.Format;

namespace Restore.Benchmarks.Micro;

/// <summary>What does it cost to verify a block: its hash, and the CRC-32 that a plain archive has besides?</summary>
public class HashBenchmarks
{
    private const int BlockBytes = 1 << 20;

    private readonly byte[] block = new byte[BlockBytes];
    private readonly byte[] hash = new byte[HashKinds.MaxLengthBytes];

    [Benchmark]
    [BytesPerOperation(BlockBytes)]
    public void Sha256() => HashKind.Sha256.HashData(block, hash);

    [Benchmark]
    [BytesPerOperation(BlockBytes)]
    public void Sha512() => HashKind.Sha512.HashData(block, hash);

    [Benchmark]
    [BytesPerOperation(BlockBytes)]
    public uint Checksum() => Crc32.HashToUInt32(block);
}
