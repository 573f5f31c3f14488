using Restore.Writing.Messages;

namespace Restore.Writing.Processes;

/// <summary>Passes on each block that the backup does not have yet, once.</summary>
internal sealed class BlockDeduplicator(KnownBlocks known)
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
            int length = block.Data.Length;
            if (block.IsBlocklist ? known.TryStoreList(block.Hash, length) : known.TryStore(block.Hash, length))
            {
                fresh.Add(block);
            }
            else
            {
                // The batch does not own a block that was taken from it.
                block.Data.Dispose();
            }
        }

        NewBlocks += fresh.Count;
        NewBytes += fresh.Bytes;
        return fresh;
    }
}
