using System.IO.Hashing;

namespace Restore.Compression;

/// <summary>
/// The decoded content of an archive entry as a stream. Length and CRC are checked before the last
/// byte is returned: a reader that got the whole length got what the archive recorded.
/// </summary>
internal sealed class EntryStream : ForwardReadStream
{
    private readonly Stream decoded;
    private readonly long lengthBytes;
    private readonly string displayName;
    private readonly uint? expectedCrc;
    private readonly Crc32? crc;
    private long position;
    private bool isChecked;
    private InvalidDataException? failure;

    public EntryStream(Stream decoded, long lengthBytes, string displayName, uint? expectedCrc = null)
    {
        this.decoded = decoded;
        this.lengthBytes = lengthBytes;
        this.displayName = displayName;
        this.expectedCrc = expectedCrc;
        crc = expectedCrc is null ? null : new Crc32();
    }

    public static void RequireLength(long lengthBytes, long maxLengthBytes, string displayName)
    {
        if (lengthBytes > maxLengthBytes)
        {
            throw new InvalidDataException(
                $"The archive entry '{displayName}' claims to have {lengthBytes} bytes; at most {maxLengthBytes} are read"
            );
        }
    }

    public override int Read(Span<byte> buffer)
    {
        if (failure is not null)
        {
            throw failure;
        }

        if (buffer.IsEmpty || isChecked)
        {
            return 0;
        }

        int wanted = (int)Math.Min(buffer.Length, lengthBytes - position);
        int length = wanted == 0 ? 0 : ReadDecoded(buffer[..wanted]);
        if (length == 0 && wanted > 0)
        {
            throw Damaged($"it ends after {position} of {lengthBytes} bytes");
        }

        crc?.Append(buffer[..length]);
        position += length;
        if (position == lengthBytes)
        {
            CheckEnd();
        }

        return length;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            decoded.Dispose();
        }

        base.Dispose(disposing);
    }

    private void CheckEnd()
    {
        // A decoder can have more data than the archive claims. One byte beyond the length shows
        // that.
        byte next = 0;
        if (ReadDecoded(new Span<byte>(ref next)) != 0)
        {
            throw Damaged($"it is longer than the {lengthBytes} bytes that the archive claims");
        }

        if (crc is not null && crc.GetCurrentHashAsUInt32() != expectedCrc)
        {
            throw Damaged("its CRC-32 is not the recorded one");
        }

        isChecked = true;
    }

    private int ReadDecoded(Span<byte> buffer)
    {
        try
        {
            return decoded.Read(buffer);
        }
        catch (InvalidDataException error)
        {
            throw Damaged("it does not decode", error);
        }
    }

    /// <summary>
    /// A damaged stream stays damaged: further reads must not look like a sound end.
    /// </summary>
    private InvalidDataException Damaged(string why, Exception? cause = null) =>
        failure = new InvalidDataException($"The archive entry '{displayName}' is damaged: {why}", cause);
}
