using System.IO.Hashing;

namespace Restore.Compression;

/// <summary>The decoded content of an archive entry as a stream. Length and CRC are checked before the last byte is returned: a reader that got the whole
/// length got what the archive recorded.</summary>
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
            throw new InvalidDataException($"The archive entry '{displayName}' claims to have {lengthBytes} bytes; at most {maxLengthBytes} are read");
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

    /// <summary>A damaged stream stays damaged: further reads must not look like a sound end.</summary>
    private InvalidDataException Damaged(string why, Exception? cause = null) =>
        failure = new InvalidDataException($"The archive entry '{displayName}' is damaged: {why}", cause);
}

/// <summary>A forward-only stream over memory or computed data: asynchronous reads complete at once.</summary>
internal abstract class ForwardReadStream : Stream
{
    public sealed override bool CanRead => true;

    public sealed override bool CanSeek => false;

    public sealed override bool CanWrite => false;

    public sealed override long Length => throw new NotSupportedException();

    public sealed override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public abstract override int Read(Span<byte> buffer);

    public sealed override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public sealed override int ReadByte()
    {
        byte value = 0;
        return Read(new Span<byte>(ref value)) == 0 ? -1 : value;
    }

    public sealed override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return new ValueTask<int>(Read(buffer.Span));
    }

    public sealed override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public sealed override void Flush()
    {
    }

    public sealed override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public sealed override void SetLength(long value) => throw new NotSupportedException();

    public sealed override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}

internal sealed class MemoryReadStream(ReadOnlyMemory<byte> data) : ForwardReadStream
{
    private ReadOnlyMemory<byte> rest = data;

    public override int Read(Span<byte> buffer)
    {
        int length = Math.Min(buffer.Length, rest.Length);
        rest.Span[..length].CopyTo(buffer);
        rest = rest[length..];
        return length;
    }
}
