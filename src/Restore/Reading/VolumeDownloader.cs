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
        Transfers transfers = new(gate, input);
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
                FetchedVolume? part = await parts.TryFetchAsync(request.Wanted, dropped.Token).ConfigureAwait(false);
                FetchedVolume volume =
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

    private async ValueTask<FetchedVolume?> TryOpenChunksAsync(
        WantedVolume wanted,
        CancellationToken cancellationToken
    ) =>
        wanted.PartBytes is null && !usesSpool && ChunkedVolume.Suits(wanted.Volume, loader, ranges)
            ? await ChunkedVolume.TryOpenAsync(loader, wanted.Volume, ranges, cancellationToken).ConfigureAwait(false)
            : null;

    private async ValueTask<FetchedVolume> FetchWholeAsync(
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
            WholeVolume whole = await wholes.FetchAsync(wanted.Volume, cancellationToken).ConfigureAwait(false);
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

/// <summary>Fetches whole volumes; a large one from a remote store in concurrent pieces.</summary>
internal sealed class WholeFetch(VolumeLoader loader, RangePolicy ranges, Transfers transfers, bool usesSpool)
{
    private readonly OwnThreads threads = new();

    /// <summary>Fetches a volume, as far as the store has it.</summary>
    /// <exception cref="IOException">The store cannot read the volume, or it is too large for
    /// memory.</exception>
    /// <exception cref="InvalidDataException">The volume is empty.</exception>
    public async ValueTask<WholeVolume> FetchAsync(Volume volume, CancellationToken cancellationToken)
    {
        VolumeLoader.RequireSize(volume);
        IReadOnlyList<ReadRange> pieces = ranges.PiecesOf(volume, loader.Store.HasRanges);
        PooledBuffer buffer =
            pieces.Count == 1
                ? await transfers
                    .RunAsync(token => loader.FetchAsync(volume, token), fetched => fetched.Length, cancellationToken)
                    .ConfigureAwait(false)
                : await new PieceFetch(loader, volume, transfers)
                    .FetchAsync(pieces, cancellationToken)
                    .ConfigureAwait(false);
        try
        {
            if (usesSpool)
            {
                await threads.RunAsync(() => PassThroughFile(buffer.OwnedMemory)).ConfigureAwait(false);
            }

            return new WholeVolume(volume, buffer);
        }
        catch
        {
            buffer.Dispose();
            throw;
        }
    }

    private static void PassThroughFile(Memory<byte> buffer)
    {
        string path = Path.Combine(Path.GetTempPath(), $"restore-{Guid.NewGuid():N}");
        using FileStream file = new(
            path,
            FileMode.CreateNew,
            FileAccess.ReadWrite,
            FileShare.None,
            bufferSize: 0,
            FileOptions.DeleteOnClose
        );
        if (!OperatingSystem.IsWindows())
        {
            // An open file needs no name there, and one without a name is not left over by a killed
            // run.
            File.Delete(path);
        }

        file.Write(buffer.Span);
        file.Position = 0;
        file.ReadExactly(buffer.Span);
    }
}

/// <summary>
/// Fetches one volume in concurrent pieces. Takes a buffer when the first piece has its turn.
/// </summary>
internal sealed class PieceFetch
{
    private readonly VolumeLoader loader;
    private readonly Volume volume;
    private readonly Transfers transfers;
    private readonly Lazy<PooledBuffer> whole;

    public PieceFetch(VolumeLoader loader, Volume volume, Transfers transfers)
    {
        this.loader = loader;
        this.volume = volume;
        this.transfers = transfers;
        whole = new Lazy<PooledBuffer>(() => loader.Pool.Rent((int)volume.SizeBytes));
    }

    /// <returns>A buffer that the caller owns, with the bytes that arrived without a gap.</returns>
    public async ValueTask<PooledBuffer> FetchAsync(
        IReadOnlyList<ReadRange> pieces,
        CancellationToken cancellationToken
    )
    {
        try
        {
            long done = await FillAsync(pieces, cancellationToken).ConfigureAwait(false);
            if (done < volume.SizeBytes && !loader.Store.HasRanges)
            {
                ReadRange rest = new(done, volume.SizeBytes);
                done += await transfers
                    .RunAsync(token => ReadAsync(rest, token), count => count, cancellationToken)
                    .ConfigureAwait(false);
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

    /// <summary>
    /// Reads pieces concurrently, until the store turns out to have no ranges: then each piece
    /// costs all bytes before it.
    /// </summary>
    /// <returns>The number of bytes without a gap.</returns>
    private async ValueTask<long> FillAsync(IReadOnlyList<ReadRange> pieces, CancellationToken cancellationToken)
    {
        // All pieces queue before anything is awaited, so that volumes come one after the other.
        using CancellationTokenSource cancelled = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        TaskCompletionSource begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<int>[] reads = [.. pieces.Select(ReadPieceAsync)];
        await transfers.WaitAsync(new ValueTask(begun.Task)).ConfigureAwait(false);
        int[] counts = await Task.WhenAll(reads).ConfigureAwait(false);
        int gap = Enumerable
            .Range(0, pieces.Count)
            .FirstOrDefault(piece => counts[piece] < pieces[piece].Length, pieces.Count - 1);
        return pieces[gap].From + counts[gap];

        async Task<int> ReadPieceAsync(ReadRange piece)
        {
            try
            {
                await transfers.EnterAsync(cancelled.Token).ConfigureAwait(false);
                begun.TrySetResult();
                return await transfers
                    .RunEnteredAsync(token => TryReadAsync(piece, token), count => count, cancelled.Token)
                    .ConfigureAwait(false);
            }
            catch
            {
                begun.TrySetResult();
                await cancelled.CancelAsync().ConfigureAwait(false);
                throw;
            }
        }
    }

    private ValueTask<int> TryReadAsync(ReadRange piece, CancellationToken cancellationToken) =>
        loader.Store.HasRanges ? ReadAsync(piece, cancellationToken) : ValueTask.FromResult(0);

    private async ValueTask<int> ReadAsync(ReadRange piece, CancellationToken cancellationToken)
    {
        Memory<byte> place = whole.Value.Memory.Slice((int)piece.From, (int)piece.Length);
        return await loader
            .Store.ReadAsync(volume.FileName, piece.From, place, cancellationToken)
            .ConfigureAwait(false);
    }
}

/// <summary>
/// Fetches only the needed entries of a volume, if that costs less than the whole volume.
/// </summary>
internal sealed class PartFetch(VolumeLoader loader, FetchList list, RangePolicy ranges, Transfers transfers)
{
    /// <summary>
    /// Fetches the needed entries; returns null if the whole volume should be read, because it
    /// costs no more or because a part failed.
    /// </summary>
    public async ValueTask<OpenedPart?> TryFetchAsync(WantedVolume wanted, CancellationToken cancellationToken)
    {
        SparseVolume? known = list.KeepsDirectories ? loader.Directories.Take(wanted.Volume) : null;
        return known is not null || ranges.IsWorthTrying(wanted.Volume, list.BytesOf(wanted), loader.Store.HasRanges)
            ? await transfers
                .RunAsync(
                    token => TryReadAsync(wanted, known, token),
                    part => part?.LengthBytes ?? 0,
                    cancellationToken
                )
                .ConfigureAwait(false)
            : null;
    }

    private async ValueTask<OpenedPart?> TryReadAsync(
        WantedVolume wanted,
        SparseVolume? sparse,
        CancellationToken cancellationToken
    )
    {
        try
        {
            sparse ??= await SparseVolume
                .OpenAsync(loader, wanted.Volume, ranges, cancellationToken)
                .ConfigureAwait(false);
            OpenedPart? part = await sparse
                .TryReadAsync(FindWanted(sparse, wanted), cancellationToken)
                .ConfigureAwait(false);
            if (list.KeepsDirectories)
            {
                loader.Directories.Keep(sparse);
                sparse = null;
            }

            return part;
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure) && VolumeLoader.FitsWhole(wanted.Volume.SizeBytes))
        {
            Log.PartRefused(loader.Logger, wanted.Volume.FileName, failure.Reason());
            return null;
        }
        finally
        {
            sparse?.Dispose();
        }
    }

    private List<ArchiveEntry> FindWanted(SparseVolume sparse, WantedVolume volume)
    {
        using WantedBlocks blocks = new(list, volume);
        return sparse.Find(
            (name, length) =>
            {
                Span<byte> hash = stackalloc byte[HashKinds.MaxLengthBytes];
                return BlockName.TryDecode(name, hash, out int hashLength)
                    && blocks.Find(hash[..hashLength], length) >= 0;
            }
        );
    }
}
