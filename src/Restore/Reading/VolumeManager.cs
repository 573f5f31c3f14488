namespace Restore.Reading;

/// <summary>
/// Sends the volumes of the plan in order, within the credit for volumes in memory.
/// </summary>
internal sealed class VolumeManager(FetchList list, VolumeCredit credit, CancellationToken stopToken)
{
    public async Task RunAsync(IWriteChannelEnd<VolumeRequested> output, CancellationToken cancellationToken)
    {
        foreach (WantedVolume volume in list.Volumes)
        {
            if (stopToken.IsCancellationRequested)
            {
                return;
            }

            long bytes = volume.PartBytes ?? volume.Volume.MemoryFor(volume.Volume.SizeBytes);
            VolumeCredit.Share share = await output
                .AwaitRoomAsync(credit.TakeAsync(bytes, cancellationToken))
                .ConfigureAwait(false);
            await output.WriteAsync(new VolumeRequested(volume, share)).ConfigureAwait(false);
        }
    }
}
