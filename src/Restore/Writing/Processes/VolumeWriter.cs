using Restore.Csp;
using Restore.Writing.Messages;

namespace Restore.Writing.Processes;

/// <summary>Writes volumes to the destination: first the blocks, then the index that describes them.</summary>
internal sealed class VolumeWriter(Destination destination, VolumeSealer sealer, WriterMeter meter)
{
    private int volumes;

    public int Volumes => volumes;

    public bool IsLocal => destination.IsLocal;

    public async Task RunAsync(IReadChannelEnd<VolumeEncrypted> input, CancellationToken cancellationToken)
    {
        await foreach (VolumeEncrypted volume in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeEncrypted owned = volume;
            cancellationToken.ThrowIfCancellationRequested();
            string name = await destination.PutAsync(
                trial => trial == 0 ? volume.Blocks.Name : sealer.NewBlockName(), volume.Blocks.Content.Memory, cancellationToken).ConfigureAwait(false);
            await WriteIndexAsync(volume, name, cancellationToken).ConfigureAwait(false);
            Interlocked.Increment(ref volumes);
            meter.VolumeWritten();
        }
    }

    private async Task WriteIndexAsync(VolumeEncrypted volume, string blocks, CancellationToken cancellationToken)
    {
        // A failed upload was repeated under another name, which the index has to have.
        NamedVolume index = blocks == volume.Blocks.Name ? volume.Index : sealer.SealIndex(volume.Indexed with { Name = blocks });
        try
        {
            await destination.PutAsync(trial => trial == 0 ? index.Name : sealer.NewIndexName(), index.Content.Memory, cancellationToken)
                .ConfigureAwait(false);
        }
        finally
        {
            if (index.Content != volume.Index.Content)
            {
                index.Content.Dispose();
            }
        }
    }
}
