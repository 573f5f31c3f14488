using Restore.Catalog;
using Restore.Csp;
using Restore.Reading.Messages;

namespace Restore.Reading.Processes;

/// <summary>Hands verified blocks to memory instead of to files.</summary>
internal sealed class BlockCollector(Action<BlockId, ReadOnlyMemory<byte>> onBlock)
{
    public async Task RunAsync(IReadChannelEnd<BlocksExtracted> input)
    {
        await foreach (BlocksExtracted run in input.ReadAllAsync().ConfigureAwait(false))
        {
            using BlocksExtracted owned = run;
            while (run.TryTake(out BlockBytes block))
            {
                using BlockBytes taken = block;
                onBlock(block.Block, block.Memory);
            }
        }
    }
}
