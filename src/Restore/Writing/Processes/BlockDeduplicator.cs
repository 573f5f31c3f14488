using Restore.Csp;
using Restore.Memory;
using Restore.Writing.Messages;

namespace Restore.Writing.Processes;

/// <summary>Passes on each block that the backup does not have yet, once.</summary>
internal sealed class BlockDeduplicator(BlockSet known)
{
    public long Blocks { get; private set; }

    public long NewBlocks { get; private set; }

    public long NewBytes { get; private set; }

    public async Task RunAsync(IReadChannelEnd<BlocksHashed> input, IWriteChannelEnd<BlocksHashed> output)
    {
        await foreach (BlocksHashed hashed in input.ReadAllAsync().ConfigureAwait(false))
        {
            BlocksHashed fresh = Select(hashed);
            if (fresh.Count > 0)
            {
                await output.WriteAsync(fresh).ConfigureAwait(false);
            }
        }
    }

    private BlocksHashed Select(BlocksHashed hashed)
    {
        BlocksHashed fresh = new();
        while (hashed.TryTake(out HashedBlock block))
        {
            Blocks++;
            if (known.TryAdd(block.Hash, block.Data.Length, out _))
            {
                fresh.Add(block);
            }
            else
            {
                block.Data.Dispose();
            }
        }

        NewBlocks += fresh.Count;
        NewBytes += fresh.Bytes;
        return fresh;
    }
}
