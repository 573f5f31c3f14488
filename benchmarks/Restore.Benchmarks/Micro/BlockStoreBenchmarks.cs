using BenchmarkDotNet.Attributes;
using Restore.Catalog;
using Restore.Memory;
using Restore.Reading;
using Restore.Restoring;

namespace Restore.Benchmarks.Micro;

/// <summary>What does it cost to keep a block until its turn: add, look up, remove?</summary>
public class BlockStoreBenchmarks
{
    private const int Blocks = 1024;

    private readonly BufferPool pool = new();

    [Params(4 << 10, 100 << 10)]
    public int BlockBytes { get; set; }

    [Benchmark(OperationsPerInvoke = Blocks)]
    public int KeepAndLetGo()
    {
        using BlockStore store = new(long.MaxValue, pool);
        int found = 0;
        for (int block = 0; block < Blocks; block++)
        {
            store.Put(new BlockBytes(new BlockId(block), pool.Rent(BlockBytes), 0, BlockBytes, IsShared: false));
        }

        for (int block = 0; block < Blocks; block++)
        {
            found += store.TryGet(new BlockId(block), out _) ? 1 : 0;
            store.Remove(new BlockId(block));
        }

        return found == Blocks && pool.OutstandingBuffers == 0
            ? found
            : throw new InvalidOperationException("A block was lost.");
    }
}
