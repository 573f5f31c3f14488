using Restore.Catalog;
using Restore.Csp;
using Restore.Memory;
using Restore.Network.Messages;

namespace Restore.Network.Processes;

/// <summary>Fetches volumes into pooled buffers. A volume that cannot be read goes on as a message that says why.</summary>
internal sealed class VolumeDownloader(VolumeLoader loader)
{
    public async Task RunAsync(IReadChannelEnd<VolumeRequested> input, IWriteChannelEnd<VolumeFetched> output, CancellationToken cancellationToken)
    {
        await foreach (VolumeRequested request in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeRequested owned = request;
            (PooledBuffer? buffer, string? failure) = await FetchAsync(request.Demand.Volume, cancellationToken).ConfigureAwait(false);
            await output.WriteAsync(new VolumeFetched(request.Demand, request.TakeCredit(), buffer, failure)).ConfigureAwait(false);
        }
    }

    private async ValueTask<(PooledBuffer? Buffer, string? Failure)> FetchAsync(Volume volume, CancellationToken cancellationToken)
    {
        try
        {
            PooledBuffer buffer = await loader.FetchAsync(volume, cancellationToken).ConfigureAwait(false);
            return (buffer, buffer.Length < volume.SizeBytes ? $"The volume ended after {buffer.Length:N0} of {volume.SizeBytes:N0} bytes" : null);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            return (null, failure.Message);
        }
    }
}
