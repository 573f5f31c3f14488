using BenchmarkDotNet.Attributes;
using Restore.Benchmarks.Data;
using Restore.Catalog;
using Restore.Format;

namespace Restore.Benchmarks.Micro;

/// <summary>
/// What does it cost to ask whether a block of an index is needed, and is the answer free of
/// allocations?
/// </summary>
public class BlockLookupBenchmarks
{
    private const int LookUps = 4096;
    private const int HashBytes = 32;
    private const int BlockBytes = 1 << 20;

    private readonly byte[] hits = new byte[LookUps * HashBytes];
    private readonly byte[] misses = new byte[LookUps * HashBytes];
    private BlockTable? table;

    [Params(10_000, 1_000_000, 14_000_000)]
    public int Blocks { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        Random64 random = new(1);
        table = new BlockTable(HashKind.Sha256);
        byte[] hash = new byte[HashBytes];
        for (int i = 0; i < Blocks; i++)
        {
            random.Fill(hash);
            table.GetOrAdd(hash, BlockBytes);

            // Spread over the whole table: the memory it takes makes a look-up expensive.
            int hit = (int)((long)i * LookUps / Blocks);
            hash.CopyTo(hits, hit * HashBytes);
        }

        random.Fill(misses);
    }

    [Benchmark(OperationsPerInvoke = LookUps)]
    public int Hit() =>
        Count(hits) is LookUps and var found ? found : throw new InvalidOperationException("A block was not found.");

    [Benchmark(OperationsPerInvoke = LookUps)]
    public int AbsentIdWithoutError() =>
        Count(misses) is 0 and var found
            ? found
            : throw new InvalidOperationException("A block was found that is not there.");

    private int Count(byte[] hashes)
    {
        int found = 0;
        for (int offset = 0; offset < hashes.Length; offset += HashBytes)
        {
            found += table!.Find(hashes.AsSpan(offset, HashBytes), BlockBytes) >= 0 ? 1 : 0;
        }

        return found;
    }
}
