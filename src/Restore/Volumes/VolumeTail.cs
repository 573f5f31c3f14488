namespace Restore.Volumes;

/// <summary>The end of a volume's plain content, in memory. Owns its buffer.</summary>
internal sealed record VolumeTail(PooledBuffer Buffer, Memory<byte> Text) : IDisposable
{
    /// <summary>
    /// Bytes to read from the start of an AES volume. Duplicati's headers have about 300 bytes; a
    /// volume with a longer header is read whole.
    /// </summary>
    public const int HeaderBytes = 2 << 10;

    /// <summary>
    /// Reads the end of a volume and the header of an AES volume, and configures the ranges
    /// accordingly.
    /// </summary>
    public static async ValueTask<VolumeTail> ReadAsync(
        VolumeLoader loader,
        Volume volume,
        PlainRanges ranges,
        int tailBytes,
        CancellationToken cancellationToken
    )
    {
        using PooledBuffer buffer = loader.Pool.Rent((int)Math.Min(tailBytes, volume.SizeBytes));
        Task readTail = ranges.FillAsync(volume.SizeBytes - buffer.Length, buffer.Memory, cancellationToken).AsTask();
        if (volume.Name.Encryption == EncryptionKind.None)
        {
            await readTail.ConfigureAwait(false);
            return new VolumeTail(buffer.Keep(), buffer.Memory);
        }

        using PooledBuffer header = loader.Pool.Rent((int)Math.Min(HeaderBytes, volume.SizeBytes));
        await Task.WhenAll(readTail, ranges.FillAsync(0, header.Memory, cancellationToken).AsTask())
            .ConfigureAwait(false);
        AesCryptSession session = await loader.OpenSessionAsync(header.Memory, cancellationToken).ConfigureAwait(false);
        Memory<byte> text = await DecryptAsync(session, ranges, volume.SizeBytes, buffer.Memory).ConfigureAwait(false);
        return new VolumeTail(buffer.Keep(), text);
    }

    public void Dispose() => Buffer.Dispose();

    /// <summary>
    /// Decrypts from the first cipher block that has its predecessor in the tail, and computes the
    /// length of the plain content.
    /// </summary>
    private static async ValueTask<Memory<byte>> DecryptAsync(
        AesCryptSession session,
        PlainRanges ranges,
        long volumeBytes,
        Memory<byte> tail
    )
    {
        // From here on the ranges dispose the session.
        ranges.Open(session, volumeBytes);
        AesCryptHeader header = session.Header;
        AesCryptLayout layout = header.LayoutOf(volumeBytes);
        long tailOffset = volumeBytes - tail.Length - layout.BodyOffset;
        long blocksBefore = (tailOffset + AesCryptLayout.BlockBytes - 1) / AesCryptLayout.BlockBytes;

        // In CBC, a block is decrypted with the block before it: the first block in the tail only
        // serves as the predecessor of the second.
        long first = tailOffset <= 0 ? 0 : (blocksBefore + 1) * AesCryptLayout.BlockBytes;
        if (!layout.IsWhole || first >= layout.BodyBytes)
        {
            throw new InvalidDataException(
                $"The volume was cut or something was added to it: an AES Crypt stream cannot be {volumeBytes} bytes long"
            );
        }

        byte lastBlockBytes = header.HasLengthByteAtEnd
            ? tail.Span[^(AesCryptHeader.HmacBytes + 1)]
            : header.LastBlockBytes;
        int start = (int)(first - tailOffset);
        Memory<byte> blocks = tail.Slice(start, (int)(layout.BodyBytes - first));
        Memory<byte> previous =
            first == 0 ? default : tail.Slice(start - AesCryptLayout.BlockBytes, AesCryptLayout.BlockBytes);
        await session.DecryptRangeAsync(blocks, previous).ConfigureAwait(false);
        if (
            !session.TryGetPlainLength(
                layout,
                lastBlockBytes,
                blocks.Span[^AesCryptLayout.BlockBytes..],
                out long plainBytes
            )
        )
        {
            throw new InvalidDataException("The volume's padding is impossible: its length was damaged");
        }

        ranges.Open(session, plainBytes);
        return blocks[..^(int)(layout.BodyBytes - plainBytes)];
    }
}
