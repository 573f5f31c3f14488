namespace Restore.Storage;

/// <summary>
/// Limits the rate of reads from a folder of this machine: it may be mounted from a server. Stores that are servers limit their transfers themselves.
/// </summary>
/// <param name="inner">The store.</param>
/// <param name="throttle">The limit for all reads together.</param>
internal sealed class ThrottledStore(IVolumeStore inner, TransferThrottle throttle) : IVolumeStore
{
    public string DisplayName => inner.DisplayName;

    public bool HasRanges => inner.HasRanges;

    public bool IsLocal => inner.IsLocal;

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) => inner.ListAsync(cancellationToken);

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        int done = 0;
        while (true)
        {
            Memory<byte> piece = destination.Slice(done, Math.Min(throttle.ChunkBytes, destination.Length - done));
            int count = await inner.ReadAsync(name, offset + done, piece, cancellationToken).ConfigureAwait(false);
            await throttle.PayAsync(count, cancellationToken).ConfigureAwait(false);
            done += count;
            if (count < piece.Length || done == destination.Length)
            {
                return done;
            }
        }
    }

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}
