namespace Restore.Reading;

/// <summary>
/// Fetches volumes, or only their needed entries, into pooled buffers. For a volume that is read in
/// chunks, only opens the directory. If a volume cannot be read, sends a message with the reason.
/// </summary>
#pragma warning disable CA1001 // A semaphore has something to dispose only if its wait handle is used.
internal sealed class VolumeDownloader(
    VolumeLoader loader,
    FetchList list,
    RangePolicy ranges,
    DownloadGate? gate,
    bool usesSpool = false,
    RestorePause? pause = null,
    CancellationToken stopToken = default
)
#pragma warning restore CA1001
{
    // A large volume that must be read whole after all, because a part cannot be read: one at a
    // time, in addition to the credit.
    private readonly SemaphoreSlim large = new(1);

    public async Task RunAsync(
        IReadChannelEnd<VolumeRequested> input,
        IWriteChannelEnd<VolumeFetched> output,
        CancellationToken cancellationToken
    )
    {
        using CancellationTokenSource dropped = CancellationTokenSource.CreateLinkedTokenSource(
            stopToken,
            cancellationToken
        );
        Transfers transfers = new(gate, pause, input);
        PartFetch parts = new(loader, list, ranges, transfers);
        WholeFetch wholes = new(loader, ranges, transfers, usesSpool);
        await foreach (VolumeRequested request in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeRequested owned = request;
            if (stopToken.IsCancellationRequested)
            {
                continue;
            }

            VolumeFetched fetched;
            try
            {
                // A local volume is opened without a transfer.
                await transfers.WaitWhilePausedAsync(dropped.Token).ConfigureAwait(false);
                VolumeReader? part = await parts.TryFetchAsync(request.Wanted, dropped.Token).ConfigureAwait(false);
                VolumeReader volume =
                    part
                    ?? await TryOpenChunksAsync(request.Wanted, dropped.Token).ConfigureAwait(false)
                    ?? await FetchWholeAsync(wholes, request.Wanted, transfers, dropped.Token).ConfigureAwait(false);
                volume.Attach(request.TakeCredit(volume));
                RestoreTelemetry.VolumesFetched.Add(volume.Defect is null ? 1 : 0);
                fetched = new VolumeFetched(request.Wanted, volume, failure: null);
            }
            catch (Exception failure) when (VolumeLoader.IsLoss(failure))
            {
                fetched = new VolumeFetched(request.Wanted, volume: null, IssueReason.Of(failure));
            }
            catch (OperationCanceledException)
                when (stopToken.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
            {
                // The stream ends after what is in memory: a volume that is on its way may take
                // minutes more.
                continue;
            }

            await output.WriteAsync(fetched).ConfigureAwait(false);
        }
    }

    private async ValueTask<VolumeReader?> TryOpenChunksAsync(
        WantedVolume wanted,
        CancellationToken cancellationToken
    ) =>
        wanted.PartBytes is null && !usesSpool && ChunkedVolume.Suits(wanted.Volume, loader, ranges)
            ? await ChunkedVolume.TryOpenAsync(loader, wanted.Volume, ranges, cancellationToken).ConfigureAwait(false)
            : null;

    private async ValueTask<VolumeReader> FetchWholeAsync(
        WholeFetch wholes,
        WantedVolume wanted,
        Transfers transfers,
        CancellationToken cancellationToken
    )
    {
        if (wanted.PartBytes is null)
        {
            return await wholes.FetchAsync(wanted.Volume, cancellationToken).ConfigureAwait(false);
        }

        await transfers.WaitAsync(new ValueTask(large.WaitAsync(cancellationToken))).ConfigureAwait(false);
        SemaphorePlace place = new(large);
        try
        {
            FetchedVolume whole = await wholes.FetchAsync(wanted.Volume, cancellationToken).ConfigureAwait(false);
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
