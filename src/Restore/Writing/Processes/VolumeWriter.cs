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
            await sealer.PutAsync(volume, (nameOfTry, content) => destination.PutAsync(nameOfTry, content, cancellationToken)).ConfigureAwait(false);
            Interlocked.Increment(ref volumes);
            meter.VolumeWritten();
        }
    }
}
