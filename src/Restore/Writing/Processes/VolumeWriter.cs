using Restore.Writing.Messages;

namespace Restore.Writing.Processes;

/// <summary>
/// Writes volumes to the destination: first the blocks, then the index that describes them.
/// </summary>
internal sealed class VolumeWriter(Destination destination, VolumeSealer sealer, BufferPool pool, WriterMeter meter)
{
    private int volumes;

    public int Volumes => volumes;

    public bool IsLocal => destination.IsLocal;

    public async Task RunAsync(IReadChannelEnd<VolumeEncrypted> input, CancellationToken cancellationToken)
    {
        await foreach (VolumeEncrypted volume in input.ReadAllAsync().ConfigureAwait(false))
        {
            using (volume)
            {
                cancellationToken.ThrowIfCancellationRequested();
                await sealer
                    .PutAsync(
                        volume,
                        (nameOfTry, content) => destination.PutAsync(nameOfTry, content, cancellationToken)
                    )
                    .ConfigureAwait(false);
            }

            // The next volume is already half full or more. Fresh memory for the volume after it
            // costs less than keeping this buffer as well.
            pool.DropIdle();
            Interlocked.Increment(ref volumes);
            meter.VolumeWritten();
        }
    }
}
