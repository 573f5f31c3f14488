namespace Restore.Volumes;

/// <summary>
/// Reads ranges of the plain content of a volume, unencrypted or AES. The content is not
/// authenticated.
/// </summary>
internal sealed class PlainRanges(VolumeLoader loader, Volume volume) : IDisposable
{
    // What is authenticated and nothing else: in the processor's cache.
    private const int StepBytes = 256 << 10;

    private AesCryptSession? session;

    /// <summary>Length of the plain content; set when the tail has been read.</summary>
    public long LengthBytes { get; private set; } = volume.SizeBytes;

    /// <summary>Sets how the volume is encrypted, and how long its plain content is.</summary>
    public void Open(AesCryptSession opened, long plainBytes) => (session, LengthBytes) = (opened, plainBytes);

    public AesCryptRange RangeOf(long plainOffset, int plainLength) =>
        session is not null
            ? session.RangeOf(plainOffset, plainLength)
            : new AesCryptRange(plainOffset, plainLength, StartsWithPrevious: false, 0, plainLength);

    public async ValueTask<(PooledBuffer Buffer, int Start)> ReadAsync(
        long plainOffset,
        int plainLength,
        CancellationToken cancellationToken
    )
    {
        AesCryptRange range = RangeOf(plainOffset, plainLength);
        using PooledBuffer buffer = loader.Pool.Rent(range.Length);
        await FillAsync(range.Offset, buffer.Memory, cancellationToken).ConfigureAwait(false);
        int start = await DecryptAsync(range, buffer.Memory).ConfigureAwait(false);
        return (buffer.Keep(), start);
    }

    /// <exception cref="InvalidDataException">The volume is shorter than its listed
    /// size.</exception>
    public async ValueTask FillAsync(long offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        int read = await loader
            .Store.ReadAsync(volume.FileName, offset, destination, cancellationToken)
            .ConfigureAwait(false);
        if (read < destination.Length)
        {
            throw new InvalidDataException($"The volume ended after {offset + read:N0} of {volume.SizeBytes:N0} bytes");
        }
    }

    public async ValueTask<int> DecryptAsync(AesCryptRange range, Memory<byte> fetched)
    {
        if (session is not null)
        {
            await session.DecryptAsync(range, fetched).ConfigureAwait(false);
        }

        return (range.StartsWithPrevious ? AesCryptLayout.BlockBytes : 0) + range.Skip;
    }

    /// <summary>
    /// What authenticates the volume when it is read in order; null if it is not encrypted.
    /// </summary>
    public AesCryptAuthenticator? CreateAuthenticator() =>
        session is null ? null : new AesCryptAuthenticator(session, volume.SizeBytes);

    /// <summary>Authenticates the bytes that lie between what was read and an offset.</summary>
    public async ValueTask AuthenticateToAsync(
        AesCryptAuthenticator authenticator,
        long offset,
        CancellationToken cancellationToken
    )
    {
        while (authenticator.Position < offset)
        {
            using PooledBuffer buffer = loader.Pool.Rent((int)Math.Min(offset - authenticator.Position, StepBytes));
            await FillAsync(authenticator.Position, buffer.Memory, cancellationToken).ConfigureAwait(false);
            authenticator.Append(authenticator.Position, buffer.Span);
        }
    }

    /// <summary>
    /// Authenticates the rest of the volume; returns what is wrong with it, or null.
    /// </summary>
    public async ValueTask<string?> VerifyAsync(
        AesCryptAuthenticator authenticator,
        CancellationToken cancellationToken
    )
    {
        await AuthenticateToAsync(authenticator, authenticator.EndPosition, cancellationToken).ConfigureAwait(false);
        using PooledBuffer code = loader.Pool.Rent(AesCryptHeader.HmacBytes);
        await FillAsync(volume.SizeBytes - AesCryptHeader.HmacBytes, code.Memory, cancellationToken)
            .ConfigureAwait(false);
        return authenticator.Verify(code.Span);
    }

    public void Dispose() => session?.Dispose();
}
