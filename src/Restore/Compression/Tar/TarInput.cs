namespace Restore.Compression.Tar;

/// <summary>The bytes of a tar archive as they come from the decompressor: forwards only, no more than a sound volume has. A failure is for ever.</summary>
internal sealed class TarInput(Stream stream, long compressedLengthBytes) : IDisposable
{
    // Nothing that gzip wrote decodes to more than 1,032 times its length, so this never stops a tgz; a tzstd beyond it is a bomb.
    private const long MaxRatio = 1032;
    private const long AlwaysAllowedBytes = 1L << 30;

    // Archives are commonly padded to 10 KiB; whatever follows the end is read only so that the checksum of the compressed stream gets checked.
    private const int MaxPaddingBytes = 1 << 20;

    private readonly long maxLengthBytes = AlwaysAllowedBytes + (MaxRatio * compressedLengthBytes);
    private readonly byte[] discarded = new byte[16 * 1024];
    private InvalidDataException? failure;

    /// <summary>How many bytes were read or skipped.</summary>
    public long Position { get; private set; }

    /// <summary>How many more the archive may have.</summary>
    public long AllowedBytes => maxLengthBytes - Position;

    /// <summary>Reads some bytes; 0 at the end.</summary>
    public int Read(Span<byte> buffer)
    {
        if (failure is not null)
        {
            throw failure;
        }

        try
        {
            int length = stream.Read(buffer);
            Position += length;
            return Position <= maxLengthBytes ? length : throw Fail("decompresses to more than any sound volume does");
        }
        catch (InvalidDataException error) when (failure is null)
        {
            throw Fail("does not decompress", error);
        }
    }

    /// <summary>Reads until the buffer is full or the archive ends.</summary>
    public int Fill(Span<byte> buffer)
    {
        int filled = 0;
        while (filled < buffer.Length && Read(buffer[filled..]) is int length and > 0)
        {
            filled += length;
        }

        return filled;
    }

    /// <summary>Throws bytes away.</summary>
    public void Skip(long lengthBytes)
    {
        while (lengthBytes > 0)
        {
            int length = Read(discarded.AsSpan(0, (int)Math.Min(lengthBytes, discarded.Length)));
            lengthBytes -= length == 0 ? throw Fail("is cut off") : length;
        }
    }

    /// <summary>Reads what follows the end, so that the checksum of the compressed stream is checked.</summary>
    public void ReadPadding()
    {
        for (int left = MaxPaddingBytes; left > 0;)
        {
            int length = Read(discarded);
            if (length == 0)
            {
                return;
            }

            left -= length;
        }

        throw Fail("goes on after its end");
    }

    /// <summary>Makes the failure that every further read throws.</summary>
    public InvalidDataException Fail(string what, Exception? cause = null) => failure = new InvalidDataException($"The tar archive {what}", cause);

    public void Dispose() => stream.Dispose();
}
