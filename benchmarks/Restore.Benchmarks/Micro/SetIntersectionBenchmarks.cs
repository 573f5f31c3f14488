using System.Collections.Frozen;
using System.Security.Cryptography;
using BenchmarkDotNet.Attributes;
using Restore.Benchmarks.Data;
using Restore.Memory;

namespace Restore.Benchmarks.Micro;

/// <summary>
/// How are the blocks of one version found among those of an index? Names of blocks, half of them
/// in both sets.
/// </summary>
public class SetIntersectionBenchmarks
{
    private const int BlockBytes = 1 << 20;

    private List<string> needed = [];
    private List<string> indexed = [];
    private HashSet<string> indexedSet = [];
    private FrozenSet<string> frozenSet = [];
    private BlockSet blocks = new(SHA256.HashSizeInBytes);
    private byte[] hashes = [];

    [Params(10, 1_000, 100_000, 10_000_000)]
    public int Names { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        Random64 random = new(1);
        byte[] bytes = new byte[SHA256.HashSizeInBytes];
        List<string> both =
        [
            .. Enumerable
                .Range(0, Names + (Names / 2))
                .Select(_ =>
                {
                    random.Fill(bytes);
                    return Convert.ToBase64String(bytes);
                }),
        ];
        needed = both[..Names];
        indexed = both[(Names / 2)..];
        indexedSet = new HashSet<string>(indexed, StringComparer.Ordinal);
        frozenSet = indexed.ToFrozenSet(StringComparer.Ordinal);
        blocks = new BlockSet(SHA256.HashSizeInBytes);
        foreach (string name in indexed)
        {
            Convert.TryFromBase64String(name, bytes, out _);
            blocks.TryAdd(bytes, BlockBytes, out _);
        }

        hashes = new byte[Names * SHA256.HashSizeInBytes];
        for (int i = 0; i < Names; i++)
        {
            Convert.TryFromBase64String(
                needed[i],
                hashes.AsSpan(i * SHA256.HashSizeInBytes, SHA256.HashSizeInBytes),
                out _
            );
        }
    }

    [Benchmark]
    public int HashSetMadeFirst()
    {
        HashSet<string> set = new(indexed, StringComparer.Ordinal);
        return needed.Count(set.Contains);
    }

    [Benchmark]
    public int HashSetThatExists() => needed.Count(indexedSet.Contains);

    [Benchmark]
    public int FrozenSetMadeFirst()
    {
        FrozenSet<string> set = indexed.ToFrozenSet(StringComparer.Ordinal);
        return needed.Count(set.Contains);
    }

    [Benchmark]
    public int FrozenSetThatExists() => needed.Count(frozenSet.Contains);

    [Benchmark]
    public int ParallelIntersect() =>
        needed.AsParallel().Intersect(indexed.AsParallel(), StringComparer.Ordinal).Count();

    [Benchmark]
    public int ParallelLookUps() => needed.AsParallel().Count(indexedSet.Contains);

    /// <summary>What the library uses: hashes as bytes, a flat table.</summary>
    [Benchmark(Baseline = true)]
    public int BlockSetOfTheLibrary()
    {
        int found = 0;
        for (int offset = 0; offset < hashes.Length; offset += SHA256.HashSizeInBytes)
        {
            found += blocks.Find(hashes.AsSpan(offset, SHA256.HashSizeInBytes), BlockBytes) >= 0 ? 1 : 0;
        }

        return found;
    }
}
