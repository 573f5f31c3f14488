namespace Restore.Volumes;

/// <summary>Reads ranges of the plain content of a volume, unencrypted or AES. The content is not authenticated.</summary>
internal sealed class PlainRanges(VolumeLoader loader, Volume volume) : IDisposable
{
    // What is authenticated and nothing else: in the processor's cache.
    private const int StepBytes = 256 << 10;

    private AesCryptSession? session;

    /// <summary>Length of the plain content; set when the tail has been read.</summary>
    public long LengthBytes { get; private set; } = volume.SizeBytes;

    /// <summary>Sets how the volume is encrypted, and how long its plain content is.</summary>
    public void Open(AesCryptSession opened, long plainBytes) => (session, LengthBytes) = (opened, plainBytes);

    public AesCryptRange RangeOf(long plainOffset, int plainLength) => session is not null
        ? session.RangeOf(plainOffset, plainLength)
        : new AesCryptRange(plainOffset, plainLength, StartsWithPrevious: false, 0, plainLength);

    public async ValueTask<(PooledBuffer Buffer, int Start)> ReadAsync(long plainOffset, int plainLength, CancellationToken cancellationToken)
    {
        AesCryptRange range = RangeOf(plainOffset, plainLength);
        using PooledBuffer buffer = loader.Pool.Rent(range.Length);
        await FillAsync(range.Offset, buffer.Memory, cancellationToken).ConfigureAwait(false);
        int start = await DecryptAsync(range, buffer.Memory).ConfigureAwait(false);
        return (buffer.Keep(), start);
    }

    /// <exception cref="InvalidDataException">The volume is shorter than its listed size.</exception>
    public async ValueTask FillAsync(long offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        int read = await loader.Store.ReadAsync(volume.FileName, offset, destination, cancellationToken).ConfigureAwait(false);
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

    /// <summary>What authenticates the volume when it is read in order; null if it is not encrypted.</summary>
    public AesCryptAuthenticator? CreateAuthenticator() => session is null ? null : new AesCryptAuthenticator(session, volume.SizeBytes);

    /// <summary>Authenticates the bytes that lie between what was read and an offset.</summary>
    public async ValueTask AuthenticateToAsync(AesCryptAuthenticator authenticator, long offset, CancellationToken cancellationToken)
    {
        while (authenticator.Position < offset)
        {
            using PooledBuffer buffer = loader.Pool.Rent((int)Math.Min(offset - authenticator.Position, StepBytes));
            await FillAsync(authenticator.Position, buffer.Memory, cancellationToken).ConfigureAwait(false);
            authenticator.Append(authenticator.Position, buffer.Span);
        }
    }

    /// <summary>Authenticates the rest of the volume; returns what is wrong with it, or null.</summary>
    public async ValueTask<string?> VerifyAsync(AesCryptAuthenticator authenticator, CancellationToken cancellationToken)
    {
        await AuthenticateToAsync(authenticator, authenticator.EndPosition, cancellationToken).ConfigureAwait(false);
        using PooledBuffer code = loader.Pool.Rent(AesCryptHeader.HmacBytes);
        await FillAsync(volume.SizeBytes - AesCryptHeader.HmacBytes, code.Memory, cancellationToken).ConfigureAwait(false);
        return authenticator.Verify(code.Span);
    }

    public void Dispose() => session?.Dispose();
}

/// <summary>The end of a volume's plain content, in memory. Owns its buffer.</summary>
internal sealed record VolumeTail(PooledBuffer Buffer, Memory<byte> Text) : IDisposable
{
    /// <summary>Bytes to read from the start of an AES volume. Duplicati's headers have about 300 bytes; a volume with a longer header is read whole.</summary>
    public const int HeaderBytes = 2 << 10;

    /// <summary>Reads the end of a volume and the header of an AES volume, and configures the ranges accordingly.</summary>
    public static async ValueTask<VolumeTail> ReadAsync(
        VolumeLoader loader, Volume volume, PlainRanges ranges, int tailBytes, CancellationToken cancellationToken)
    {
        using PooledBuffer buffer = loader.Pool.Rent((int)Math.Min(tailBytes, volume.SizeBytes));
        Task readTail = ranges.FillAsync(volume.SizeBytes - buffer.Length, buffer.Memory, cancellationToken).AsTask();
        if (volume.Name.Encryption == EncryptionKind.None)
        {
            await readTail.ConfigureAwait(false);
            return new VolumeTail(buffer.Keep(), buffer.Memory);
        }

        using PooledBuffer header = loader.Pool.Rent((int)Math.Min(HeaderBytes, volume.SizeBytes));
        await Task.WhenAll(readTail, ranges.FillAsync(0, header.Memory, cancellationToken).AsTask()).ConfigureAwait(false);
        AesCryptSession session = await loader.OpenSessionAsync(header.Memory, cancellationToken).ConfigureAwait(false);
        Memory<byte> text = await DecryptAsync(session, ranges, volume.SizeBytes, buffer.Memory).ConfigureAwait(false);
        return new VolumeTail(buffer.Keep(), text);
    }

    public void Dispose() => Buffer.Dispose();

    /// <summary>Decrypts from the first block whose predecessor is in the tail, and computes the length of the plain content.</summary>
    private static async ValueTask<Memory<byte>> DecryptAsync(AesCryptSession session, PlainRanges ranges, long volumeBytes, Memory<byte> tail)
    {
        // From here on the ranges dispose the session.
        ranges.Open(session, volumeBytes);
        AesCryptHeader header = session.Header;
        AesCryptLayout layout = header.LayoutOf(volumeBytes);
        long tailOffset = volumeBytes - tail.Length - layout.BodyOffset;
        long blocksBefore = (tailOffset + AesCryptLayout.BlockBytes - 1) / AesCryptLayout.BlockBytes;
        long first = tailOffset <= 0 ? 0 : (blocksBefore + 1) * AesCryptLayout.BlockBytes;
        if (!layout.IsWhole || first >= layout.BodyBytes)
        {
            throw new InvalidDataException(
                $"The volume was cut or something was added to it: an AES Crypt stream cannot be {volumeBytes} bytes long");
        }

        byte lastBlockBytes = header.HasLengthByteAtEnd ? tail.Span[^(AesCryptHeader.HmacBytes + 1)] : header.LastBlockBytes;
        int start = (int)(first - tailOffset);
        Memory<byte> blocks = tail.Slice(start, (int)(layout.BodyBytes - first));
        Memory<byte> previous = first == 0 ? default : tail.Slice(start - AesCryptLayout.BlockBytes, AesCryptLayout.BlockBytes);
        await session.DecryptRangeAsync(blocks, previous).ConfigureAwait(false);
        if (!session.TryGetPlainLength(layout, lastBlockBytes, blocks.Span[^AesCryptLayout.BlockBytes..], out long plainBytes))
        {
            throw new InvalidDataException("The volume's padding is impossible: its length was damaged");
        }

        ranges.Open(session, plainBytes);
        return blocks[..^(int)(layout.BodyBytes - plainBytes)];
    }
}
