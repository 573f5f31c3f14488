namespace Restore.Reading;

/// <summary>Fetches volumes, or only their needed entries, into pooled buffers. If a volume cannot be read, sends a message with the reason.</summary>
#pragma warning disable CA1001 // A semaphore has something to dispose only if its wait handle is used.
internal sealed class VolumeDownloader(
    VolumeLoader loader, FetchList list, RangePolicy ranges, DownloadGate? gate, bool usesSpool = false, CancellationToken stopToken = default)
#pragma warning restore CA1001
{
    // A large volume that must be read whole after all, because a part cannot be read: one at a time, beside the credit.
    private readonly SemaphoreSlim large = new(1);

    public async Task RunAsync(IReadChannelEnd<VolumeRequested> input, IWriteChannelEnd<VolumeFetched> output, CancellationToken cancellationToken)
    {
        using CancellationTokenSource dropped = CancellationTokenSource.CreateLinkedTokenSource(stopToken, cancellationToken);
        Transfers transfers = new(gate, input);
        PartFetch parts = new(loader, list, ranges, transfers);
        WholeFetch wholes = new(loader, ranges, transfers, usesSpool);
        await foreach (VolumeRequested request in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeRequested owned = request;
            VolumeFetched fetched;
            try
            {
                FetchedVolume? part = await parts.TryFetchAsync(request.Wanted, dropped.Token).ConfigureAwait(false);
                FetchedVolume volume = part ?? (request.Wanted.PartBytes is null
                    ? await wholes.FetchAsync(request.Wanted.Volume, dropped.Token).ConfigureAwait(false)
                    : await FetchLargeAsync(wholes, request.Wanted.Volume, transfers, dropped.Token).ConfigureAwait(false));
                volume.Attach(request.TakeCredit(volume));
                RestoreTelemetry.VolumesFetched.Add(volume.Defect is null ? 1 : 0);
                fetched = new VolumeFetched(request.Wanted, volume, failure: null);
            }
            catch (Exception failure) when (VolumeLoader.IsLoss(failure))
            {
                fetched = new VolumeFetched(request.Wanted, volume: null, failure.Reason());
            }
            catch (OperationCanceledException) when (stopToken.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
            {
                // The stream ends after what is in memory: a volume that is on its way may take minutes more.
                continue;
            }

            await output.WriteAsync(fetched).ConfigureAwait(false);
        }
    }

    private async ValueTask<FetchedVolume> FetchLargeAsync(WholeFetch wholes, Volume volume, Transfers transfers, CancellationToken cancellationToken)
    {
        await transfers.WaitAsync(new ValueTask(large.WaitAsync(cancellationToken))).ConfigureAwait(false);
        SemaphorePlace place = new(large);
        try
        {
            WholeVolume whole = await wholes.FetchAsync(volume, cancellationToken).ConfigureAwait(false);
            whole.Attach(place);
            return whole;
        }
        catch
        {
            place.Dispose();
            throw;
        }
    }
}
