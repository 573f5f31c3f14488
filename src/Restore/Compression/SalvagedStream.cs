using System.IO.Hashing;

namespace Restore.Compression;

/// <summary>
/// What can still be decoded of an archive entry. It ends without an error where the data does;
/// <see cref="Defect"/> says then whether that was the end that the archive recorded.
/// </summary>
internal sealed class SalvagedStream(Stream decoded, long lengthBytes, uint? expectedCrc, long maxLengthBytes)
    : ForwardReadStream
{
    // Small pieces, because a decoder that finds a defect returns nothing that it decoded earlier
    // in the same call.
    private const int PieceBytes = 512;

    private readonly Crc32 crc = new();
    private long position;

    /// <summary>Whether it was read to its end.</summary>
    public bool IsAtEnd { get; private set; }

    /// <summary>
    /// At its end: why it is not known to be whole; null if it has the recorded checksum, or
    /// without one the recorded length.
    /// </summary>
    public string? Defect { get; private set; }

    /// <summary>
    /// At its end: whether it has another checksum than the recorded one, so that something in it
    /// is wrong.
    /// </summary>
    public bool IsWrong { get; private set; }

    /// <summary>Reads the rest of the stream.</summary>
    public void ReadToEnd()
    {
        byte[] unused = new byte[PieceBytes];
        while (Read(unused) > 0) { }
    }

    public override int Read(Span<byte> buffer)
    {
        if (IsAtEnd || buffer.IsEmpty)
        {
            return 0;
        }

        int length;
        try
        {
            length = decoded.Read(buffer[..Math.Min(buffer.Length, PieceBytes)]);
        }
        catch (InvalidDataException)
        {
            return End($"it does not decode after its byte {position:N0}");
        }

        crc.Append(buffer[..length]);
        position += length;
        return position > maxLengthBytes ? End($"it has more than {maxLengthBytes:N0} bytes")
            : length > 0 ? length
            : expectedCrc is { } expected ? EndChecked(expected)
            : lengthBytes < 0 ? End($"its end is lost: it ends after {position:N0} bytes")
            : position == lengthBytes ? End(null)
            : End($"it ends after {position:N0} of {lengthBytes:N0} bytes");
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            decoded.Dispose();
        }

        base.Dispose(disposing);
    }

    private int EndChecked(uint expected)
    {
        IsWrong = crc.GetCurrentHashAsUInt32() != expected;
        return End(
            !IsWrong ? null
            : position < lengthBytes ? $"it ends after {position:N0} of {lengthBytes:N0} bytes"
            : "its CRC-32 is not the recorded one"
        );
    }

    private int End(string? defect)
    {
        IsAtEnd = true;
        Defect = defect;
        return 0;
    }
}
