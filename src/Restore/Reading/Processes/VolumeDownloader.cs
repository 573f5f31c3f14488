using Restore.Catalog;
using Restore.Csp;
using Restore.Reading.Downloading;
using Restore.Reading.Messages;
using Restore.Volumes;

namespace Restore.Reading.Processes;

/// <summary>Fetches volumes, or only their needed entries, into pooled buffers. If a volume cannot be read, sends a message with the reason.</summary>
internal sealed class VolumeDownloader(VolumeLoader loader, FetchList list, RangePolicy ranges, DownloadGate? gate)
{
    public async Task RunAsync(IReadChannelEnd<VolumeRequested> input, IWriteChannelEnd<VolumeFetched> output, CancellationToken cancellationToken)
    {
        Transfers transfers = new(gate, input);
        PartFetch parts = new(loader, list, ranges, transfers);
        WholeFetch wholes = new(loader, ranges, transfers);
        await foreach (VolumeRequested request in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeRequested owned = request;
            VolumeFetched fetched;
            try
            {
                FetchedVolume? part = await parts.TryFetchAsync(request.Wanted, cancellationToken).ConfigureAwait(false);
                FetchedVolume volume = part ?? await wholes.FetchAsync(request.Wanted.Volume, cancellationToken).ConfigureAwait(false);
                volume.Attach(request.TakeCredit(volume));
                RestoreTelemetry.VolumesFetched.Add(volume.Defect is null ? 1 : 0);
                fetched = new VolumeFetched(request.Wanted, volume, failure: null);
            }
            catch (Exception failure) when (VolumeLoader.IsLoss(failure))
            {
                fetched = new VolumeFetched(request.Wanted, volume: null, failure.Reason());
            }

            await output.WriteAsync(fetched).ConfigureAwait(false);
        }
    }
}
