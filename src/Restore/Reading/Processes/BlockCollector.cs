using Restore.Csp;
using Restore.Reading.Messages;

namespace Restore.Reading.Processes;

/// <summary>Passes batches of verified blocks to a consumer that is not a process.</summary>
internal sealed class BlockCollector(Func<BlocksExtracted, CancellationToken, ValueTask> consume)
{
    public async Task RunAsync(IReadChannelEnd<BlocksExtracted> input, CancellationToken cancellationToken)
    {
        await foreach (BlocksExtracted batch in input.ReadAllAsync().ConfigureAwait(false))
        {
            using BlocksExtracted owned = batch;
            await consume(batch, cancellationToken).ConfigureAwait(false);
        }
    }
}
