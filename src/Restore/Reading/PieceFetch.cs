namespace Restore.Reading;

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
