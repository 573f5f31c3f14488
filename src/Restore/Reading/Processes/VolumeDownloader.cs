using Restore.Catalog;
using Restore.Compression;
using Restore.Csp;
using Restore.Format;
using Restore.Memory;
using Restore.Reading.Messages;
using Restore.Volumes;

namespace Restore.Reading.Processes;

/// <summary>Fetches volumes, or only their wanted entries, into pooled buffers. A volume that cannot be read goes on as a message that says why.</summary>
internal sealed class VolumeDownloader(VolumeLoader loader, FetchList demand, RangePolicy ranges, DownloadGate? gate)
{
    public async Task RunAsync(IReadChannelEnd<VolumeRequested> input, IWriteChannelEnd<VolumeFetched> output, CancellationToken cancellationToken)
    {
        await foreach (VolumeRequested request in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeRequested owned = request;
            (VolumePart? part, PooledBuffer? buffer, string? failure) = await FetchAsync(request.Demand, input, cancellationToken).ConfigureAwait(false);
            VolumeCredit.Share credit = request.TakeCredit();
            credit.Shrink(part?.Buffer.Length ?? request.Demand.Volume.SizeBytes);
            if (failure is null)
            {
                RestoreTelemetry.VolumesFetched.Add(1);
            }

            await output.WriteAsync(new VolumeFetched(request.Demand, credit, buffer, part, failure)).ConfigureAwait(false);
        }
    }

    private async ValueTask<(VolumePart? Part, PooledBuffer? Buffer, string? Failure)> FetchAsync(
        WantedVolume wanted, IReadChannelEnd<VolumeRequested> input, CancellationToken cancellationToken)
    {
        if (ranges.IsWorthTrying(wanted.Volume, demand.BytesOf(wanted), loader.Store))
        {
            await input.AwaitTurnAsync(EnterAsync(cancellationToken)).ConfigureAwait(false);
            if (await TransferAsync(TryFetchPartAsync(wanted, cancellationToken), part => part?.Buffer.Length ?? 0).ConfigureAwait(false) is VolumePart part)
            {
                return (part, null, null);
            }
        }

        (PooledBuffer? buffer, string? failure) = await FetchWholeAsync(wanted.Volume, input, cancellationToken).ConfigureAwait(false);
        return (null, buffer, failure);
    }

    private async ValueTask<(PooledBuffer? Buffer, string? Failure)> FetchWholeAsync(
        Volume volume, IReadChannelEnd<VolumeRequested> input, CancellationToken cancellationToken)
    {
        try
        {
            PooledBuffer buffer = await FetchPiecesAsync(volume, input, cancellationToken).ConfigureAwait(false);
            return (buffer, buffer.Length < volume.SizeBytes ? $"The volume ended after {buffer.Length:N0} of {volume.SizeBytes:N0} bytes" : null);
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            return (null, failure.Reason());
        }
    }

    /// <summary>Waits for a place at the gate.</summary>
    private ValueTask EnterAsync(CancellationToken cancellationToken) => gate?.EnterAsync(cancellationToken) ?? ValueTask.CompletedTask;

    /// <summary>Waits for a transfer and gives the place at the gate back, before anything else is waited for.</summary>
    private async ValueTask<T> TransferAsync<T>(ValueTask<T> transfer, Func<T, long> bytesOf)
    {
        long bytes = 0;
        try
        {
            T result = await transfer.ConfigureAwait(false);
            bytes = bytesOf(result);
            return result;
        }
        finally
        {
            gate?.Leave(bytes);
        }
    }

    /// <summary>Reads the whole volume, a large one in pieces side by side. It takes a buffer when the first of them has its turn.</summary>
    private async ValueTask<PooledBuffer> FetchPiecesAsync(Volume volume, IReadChannelEnd<VolumeRequested> input, CancellationToken cancellationToken)
    {
        VolumeLoader.RequireSize(volume);
        IReadOnlyList<ByteRun> pieces = ranges.PiecesOf(volume, loader.Store);
        if (pieces.Count == 1)
        {
            await input.AwaitTurnAsync(EnterAsync(cancellationToken)).ConfigureAwait(false);
            return await TransferAsync(loader.FetchAsync(volume, cancellationToken), buffer => buffer.Length).ConfigureAwait(false);
        }

        Lazy<PooledBuffer> whole = new(() => loader.Pool.Rent((int)volume.SizeBytes));
        try
        {
            long done = await FillAsync(volume, pieces, whole, input, cancellationToken).ConfigureAwait(false);
            if (done < volume.SizeBytes && !loader.Store.HasRanges)
            {
                await input.AwaitTurnAsync(EnterAsync(cancellationToken)).ConfigureAwait(false);
                ByteRun rest = new(done, volume.SizeBytes);
                done += await TransferAsync(ReadAsync(volume, rest, whole, cancellationToken), count => count).ConfigureAwait(false);
            }

            whole.Value.Truncate((int)done);
            return whole.Value;
        }
        catch
        {
            if (whole.IsValueCreated)
            {
                whole.Value.Dispose();
            }

            throw;
        }
    }

    /// <summary>Reads pieces side by side, until the store turns out to have no ranges: there each piece costs all that is before it.</summary>
    /// <returns>How many bytes are there without a gap.</returns>
    private async ValueTask<long> FillAsync(
        Volume volume, IReadOnlyList<ByteRun> pieces, Lazy<PooledBuffer> whole, IReadChannelEnd<VolumeRequested> input, CancellationToken cancellationToken)
    {
        // All of them stand in line before anything is waited for, so that volumes come one after the other.
        using CancellationTokenSource giveUp = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        TaskCompletionSource begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<int>[] reads = [.. pieces.Select(ReadPieceAsync)];
        await input.AwaitTurnAsync(new ValueTask(begun.Task)).ConfigureAwait(false);
        int[] counts = await Task.WhenAll(reads).ConfigureAwait(false);
        int gap = Enumerable.Range(0, pieces.Count).FirstOrDefault(piece => counts[piece] < pieces[piece].Length, pieces.Count - 1);
        return pieces[gap].From + counts[gap];

        async Task<int> ReadPieceAsync(ByteRun piece)
        {
            try
            {
                await EnterAsync(giveUp.Token).ConfigureAwait(false);
                begun.TrySetResult();
                ValueTask<int> read = loader.Store.HasRanges ? ReadAsync(volume, piece, whole, giveUp.Token) : ValueTask.FromResult(0);
                return await TransferAsync(read, count => count).ConfigureAwait(false);
            }
            catch
            {
                begun.TrySetResult();
                await giveUp.CancelAsync().ConfigureAwait(false);
                throw;
            }
        }
    }

    private async ValueTask<int> ReadAsync(Volume volume, ByteRun piece, Lazy<PooledBuffer> whole, CancellationToken cancellationToken)
    {
        Memory<byte> place = whole.Value.Memory.Slice((int)piece.From, (int)piece.Length);
        return await loader.Store.ReadAsync(volume.FileName, piece.From, place, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Reads the wanted entries alone, if that is cheaper. Whatever is wrong with that, the whole volume is read instead.</summary>
    private async ValueTask<VolumePart?> TryFetchPartAsync(WantedVolume wanted, CancellationToken cancellationToken)
    {
        try
        {
            using SparseVolume sparse = await SparseVolume.OpenAsync(loader, wanted.Volume, ranges, cancellationToken).ConfigureAwait(false);
            return await sparse.TryReadAsync(FindWanted(sparse, wanted), cancellationToken).ConfigureAwait(false);
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            Log.PartRefused(loader.Logger, wanted.Volume.FileName, failure.Reason());
            return null;
        }
    }

    private List<ArchiveEntry> FindWanted(SparseVolume sparse, WantedVolume volume)
    {
        List<ArchiveEntry> wanted = [];
        Span<byte> hash = stackalloc byte[HashKinds.MaxLengthBytes];
        foreach (ArchiveEntry entry in sparse.Entries)
        {
            if (BlockName.TryDecode(sparse.NameOf(entry), hash, out int length) && demand.Find(hash[..length], entry.Length, volume) >= 0)
            {
                wanted.Add(entry);
            }
        }

        return wanted;
    }
}
