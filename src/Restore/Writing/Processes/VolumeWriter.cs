using Restore.Csp;
using Restore.Writing.Messages;

namespace Restore.Writing.Processes;

/// <summary>Writes volumes to the destination: first the blocks, then the index that describes them.</summary>
internal sealed class VolumeWriter(DestinationFolder destination)
{
    public int Volumes { get; private set; }

    public async Task RunAsync(IReadChannelEnd<VolumeEncrypted> input, CancellationToken cancellationToken)
    {
        await foreach (VolumeEncrypted volume in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeEncrypted owned = volume;
            cancellationToken.ThrowIfCancellationRequested();
            await destination.WriteAsync(volume.Blocks).ConfigureAwait(false);
            await destination.WriteAsync(volume.Index).ConfigureAwait(false);
            Volumes++;
        }
    }
}
