using Restore.Csp;
using Restore.Network.Messages;

namespace Restore.Network.Processes;

/// <summary>Hands verified blocks to memory instead of to files.</summary>
internal sealed class BlockCollector(Action<int, ReadOnlyMemory<byte>> onBlock)
{
    public async Task RunAsync(IReadChannelEnd<BlocksExtracted> input)
    {
        await foreach (BlocksExtracted run in input.ReadAllAsync().ConfigureAwait(false))
        {
            using BlocksExtracted owned = run;
            foreach (BlockBytes block in run.Blocks)
            {
                onBlock(block.Block, block.Memory);
            }
        }
    }
}
