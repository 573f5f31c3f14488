namespace Restore.Catalog.Locating;

/// <summary>
/// Reads small index volumes of a remote store while the file list is on its way: a search needs
/// both, and otherwise waits for two more round trips. It is a store that has these volumes in
/// memory.
/// </summary>
internal sealed class IndexesAhead : ForwardingStore
{
    // A larger one may be read in part. The first ones are enough to open the connections.
    private const int LargestBytes = 64 << 10;
    private const long MostBytes = 512 << 10;

    // Together with the file list, as many reads as a store has to serve at the same time.
    private const int Reads = 15;

    private readonly VolumeLoader loader;
    private readonly CancellationTokenSource closing;
    private readonly SemaphoreSlim turns = new(Reads);
    private readonly Dictionary<string, Task<PooledBuffer?>> coming = new(StringComparer.Ordinal);

    public IndexesAhead(VolumeLoader loader, IReadOnlyList<Volume> indexes, CancellationToken cancellationToken)
        : base(loader.Store, ownsInner: false)
    {
        this.loader = loader;
        closing = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        long bytes = 0;
        IEnumerable<Volume> small = indexes.Where(index => index.SizeBytes is > 0 and <= LargestBytes);
        foreach (Volume index in small.TakeWhile(index => (bytes += index.SizeBytes) <= MostBytes))
        {
            coming.Add(index.FileName, ReadAsync(index));
        }
    }

    public VolumeLoader Loader => loader.With(this);

    public override async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        if (
            coming.TryGetValue(name, out Task<PooledBuffer?>? read)
            && await read.WaitAsync(cancellationToken).ConfigureAwait(false) is { } whole
            && offset + destination.Length <= whole.Length
        )
        {
            whole.Span.Slice((int)offset, destination.Length).CopyTo(destination.Span);
            return destination.Length;
        }

        return await Inner.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Cancels the reads that are still running, and releases the memory. The store itself stays
    /// open.
    /// </summary>
    public override async ValueTask DisposeAsync()
    {
        closing.Cancel();
        Task<PooledBuffer?>[] reads = [.. coming.Values];
        coming.Clear();
        foreach (Task<PooledBuffer?> read in reads)
        {
            (await read.ConfigureAwait(false))?.Dispose();
        }

        closing.Dispose();
        turns.Dispose();
        await base.DisposeAsync().ConfigureAwait(false);
    }

    /// <returns>Null if it could not be read: the search that needs it reports the
    /// failure.</returns>
    private async Task<PooledBuffer?> ReadAsync(Volume index)
    {
        try
        {
            await turns.WaitAsync(closing.Token).ConfigureAwait(false);
            try
            {
                return await loader.FetchAsync(index, closing.Token).ConfigureAwait(false);
            }
            finally
            {
                turns.Release();
            }
        }
        catch (Exception failure)
            when (VolumeLoader.IsLoss(failure) || failure is RestoreException or OperationCanceledException)
        {
            return null;
        }
    }
}
