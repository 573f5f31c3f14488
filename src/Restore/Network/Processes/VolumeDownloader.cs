using Restore.Catalog;
using Restore.Compression;
using Restore.Csp;
using Restore.Encryption;
using Restore.Format;
using Restore.Memory;
using Restore.Network.Messages;
using Restore.Planning;

namespace Restore.Network.Processes;

/// <summary>Fetches volumes, or only their wanted entries, into pooled buffers. A volume that cannot be read goes on as a message that says why.</summary>
internal sealed class VolumeDownloader(VolumeLoader loader, BlockDemand demand, RangePolicy ranges, DownloadGate? gate)
{
    public async Task RunAsync(IReadChannelEnd<VolumeRequested> input, IWriteChannelEnd<VolumeFetched> output, CancellationToken cancellationToken)
    {
        await foreach (VolumeRequested request in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeRequested owned = request;
            (VolumePart? part, PooledBuffer? buffer, string? failure) = await TakeTurnAsync(request.Demand, input, cancellationToken).ConfigureAwait(false);
            VolumeCredit.Share credit = request.TakeCredit();
            credit.Shrink(part?.Buffer.Length ?? request.Demand.Volume.SizeBytes);
            await output.WriteAsync(new VolumeFetched(request.Demand, credit, buffer, part, failure)).ConfigureAwait(false);
        }
    }

    /// <summary>Fetches when the gate has a place, and gives it back before anything else is waited for.</summary>
    private async ValueTask<(VolumePart? Part, PooledBuffer? Buffer, string? Failure)> TakeTurnAsync(
        VolumeDemand wanted, IReadChannelEnd<VolumeRequested> input, CancellationToken cancellationToken)
    {
        if (gate is null)
        {
            return await FetchAsync(wanted, cancellationToken).ConfigureAwait(false);
        }

        await input.AwaitTurnAsync(gate.EnterAsync(cancellationToken)).ConfigureAwait(false);
        long bytes = 0;
        try
        {
            (VolumePart? part, PooledBuffer? buffer, string? failure) = await FetchAsync(wanted, cancellationToken).ConfigureAwait(false);
            bytes = part?.Buffer.Length ?? buffer?.Length ?? 0;
            return (part, buffer, failure);
        }
        finally
        {
            gate.Leave(bytes);
        }
    }

    private async ValueTask<(VolumePart? Part, PooledBuffer? Buffer, string? Failure)> FetchAsync(VolumeDemand wanted, CancellationToken cancellationToken)
    {
        if (await TryFetchPartAsync(wanted, cancellationToken).ConfigureAwait(false) is VolumePart part)
        {
            return (part, null, null);
        }

        (PooledBuffer? buffer, string? failure) = await FetchWholeAsync(wanted.Volume, cancellationToken).ConfigureAwait(false);
        return (null, buffer, failure);
    }

    private async ValueTask<(PooledBuffer? Buffer, string? Failure)> FetchWholeAsync(Volume volume, CancellationToken cancellationToken)
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

    /// <summary>Reads the wanted entries alone, where that is possible and cheaper. Whatever is wrong with that, the whole volume is read instead.</summary>
    private async ValueTask<VolumePart?> TryFetchPartAsync(VolumeDemand wanted, CancellationToken cancellationToken)
    {
        if (!ranges.IsWorthTrying(wanted.Volume, demand.BytesOf(wanted), loader.Store))
        {
            return null;
        }

        try
        {
            using SparseVolume sparse = await SparseVolume.OpenAsync(loader, wanted.Volume, ranges, cancellationToken).ConfigureAwait(false);
            List<ArchiveEntry> entries = FindWanted(sparse, wanted.Volume.Id);
            List<ByteRun> runs = sparse.RunsOf(entries);
            return ranges.IsWorth(wanted.Volume.SizeBytes, runs.Sum(run => run.Length), runs.Count)
                ? await sparse.ReadAsync(entries, runs, cancellationToken).ConfigureAwait(false)
                : null;
        }
        catch (Exception failure) when (failure is InvalidDataException or IOException or UnauthorizedAccessException or PassphraseException)
        {
            return null;
        }
    }

    private List<ArchiveEntry> FindWanted(SparseVolume sparse, int volume)
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
