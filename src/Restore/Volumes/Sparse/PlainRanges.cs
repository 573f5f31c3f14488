using Restore.Encryption;
using Restore.Memory;

namespace Restore.Volumes.Sparse;

/// <summary>Reads ranges of the plain content of a volume, unencrypted or AES. The content is not authenticated.</summary>
internal sealed class PlainRanges(VolumeLoader loader, Volume volume) : IDisposable
{
    private AesCryptSession? session;

    /// <summary>Length of the plain content; set when the tail has been read.</summary>
    public long LengthBytes { get; private set; } = volume.SizeBytes;

    /// <summary>Sets how the volume is encrypted, and how long its plain content is.</summary>
    public void Open(AesCryptSession opened, long plainBytes) => (session, LengthBytes) = (opened, plainBytes);

    /// <summary>The bytes to fetch for a range of the plain content.</summary>
    public AesCryptRange RangeOf(long plainOffset, int plainLength) => session is not null
        ? session.RangeOf(plainOffset, plainLength)
        : new AesCryptRange(plainOffset, plainLength, StartsWithPrevious: false, 0, plainLength);

    /// <summary>Fetches a range and decrypts it in place.</summary>
    /// <returns>A buffer that the caller owns, and the offset of the plain content in it.</returns>
    public async ValueTask<(PooledBuffer Buffer, int Start)> ReadAsync(long plainOffset, int plainLength, CancellationToken cancellationToken)
    {
        AesCryptRange range = RangeOf(plainOffset, plainLength);
        PooledBuffer buffer = loader.Pool.Rent(range.Length);
        try
        {
            await FillAsync(range.Offset, buffer.Memory, cancellationToken).ConfigureAwait(false);
            return (buffer, Decrypt(range, buffer.Span));
        }
        catch
        {
            buffer.Dispose();
            throw;
        }
    }

    /// <summary>Reads bytes as they are in the store.</summary>
    /// <exception cref="InvalidDataException">The volume is shorter than its listed size.</exception>
    public async ValueTask FillAsync(long offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        int read = await loader.Store.ReadAsync(volume.FileName, offset, destination, cancellationToken).ConfigureAwait(false);
        if (read < destination.Length)
        {
            throw new InvalidDataException($"The volume ended after {offset + read:N0} of {volume.SizeBytes:N0} bytes");
        }
    }

    /// <summary>Decrypts in place what was fetched for a range.</summary>
    /// <returns>The offset of the plain content.</returns>
    public int Decrypt(in AesCryptRange range, Span<byte> fetched)
    {
        if (session is not null)
        {
            session.Decrypt(range, fetched);
        }

        return (range.StartsWithPrevious ? AesCryptLayout.BlockBytes : 0) + range.Skip;
    }

    public void Dispose() => session?.Dispose();
}
