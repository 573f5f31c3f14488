namespace Restore.Storage;

/// <summary>A read with retries; each continues where the last one stopped.</summary>
internal sealed class RetriedRead(IVolumeStore store, string name, long offset, Memory<byte> destination)
{
    public int DoneBytes { get; private set; }

    public async ValueTask ContinueAsync(CancellationToken cancellationToken)
    {
        try
        {
            DoneBytes += await store
                .ReadAsync(name, offset + DoneBytes, destination[DoneBytes..], cancellationToken)
                .ConfigureAwait(false);
        }
        catch (TransientStoreException failure)
        {
            DoneBytes += failure.BytesRead;
            throw;
        }
    }
}
