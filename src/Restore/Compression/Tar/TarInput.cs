namespace Restore.Compression.Tar;

/// <summary>
/// The decompressed bytes of a tar archive: forward-only, and no more than a sound volume has.
/// After a failure every read fails.
/// </summary>
internal sealed class TarInput(Stream stream, long compressedLengthBytes) : IDisposable
{
    // gzip data decodes to at most 1,032 times its length, so the limit never stops a sound tgz; a
    // tzstd beyond it is a bomb.
    private const long MaxRatio = 1032;
    private const long AlwaysAllowedBytes = 1L << 30;

    // Archives are commonly padded to 10 KiB. What follows the end is read only to check the
    // checksum of the compressed stream.
    private const int MaxPaddingBytes = 1 << 20;

    private readonly long maxLengthBytes = AlwaysAllowedBytes + (MaxRatio * compressedLengthBytes);
    private readonly byte[] discarded = new byte[16 * 1024];
    private InvalidDataException? failure;
    public long Position { get; private set; }

    /// <summary>How many more bytes the archive may have.</summary>
    public long AllowedBytes => maxLengthBytes - Position;

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

    public int Fill(Span<byte> buffer)
    {
        int filled = 0;
        while (filled < buffer.Length && Read(buffer[filled..]) is int length and > 0)
        {
            filled += length;
        }

        return filled;
    }

    public void Skip(long lengthBytes)
    {
        while (lengthBytes > 0)
        {
            int length = Read(discarded.AsSpan(0, (int)Math.Min(lengthBytes, discarded.Length)));
            lengthBytes -= length == 0 ? throw Fail("is cut off") : length;
        }
    }

    /// <summary>
    /// Reads what follows the end, so that the checksum of the compressed stream is checked.
    /// </summary>
    public void ReadPadding()
    {
        for (int left = MaxPaddingBytes; left > 0; )
        {
            int length = Read(discarded);
            if (length == 0)
            {
                return;
            }

            left -= length;
        }

        throw Fail("continues after its end");
    }

    public InvalidDataException Fail(string what, Exception? cause = null) =>
        failure = new InvalidDataException($"The tar archive {what}", cause);

    public void Dispose() => stream.Dispose();
}
