namespace Restore.Storage;

/// <summary>
/// Limits the rate of reads from a folder of this machine: it may be mounted from a server. Stores
/// that are servers limit their transfers themselves.
/// </summary>
internal sealed class ThrottledStore(IVolumeStore inner, TransferThrottle throttle) : ForwardingStore(inner)
{
    public override async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        int done = 0;
        while (true)
        {
            Memory<byte> piece = destination.Slice(done, Math.Min(throttle.ChunkBytes, destination.Length - done));
            int count = await Inner.ReadAsync(name, offset + done, piece, cancellationToken).ConfigureAwait(false);

            // Payment comes after the read: how many bytes come is known only then, and the pause
            // delays the next piece.
            await throttle.PayAsync(count, cancellationToken).ConfigureAwait(false);
            done += count;
            if (count < piece.Length || done == destination.Length)
            {
                return done;
            }
        }
    }
}
