using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

/// <summary>
/// Writes to a file that it does not own, unbuffered, and fails with an <see cref="IOException"/>
/// if the file must not get longer.
/// </summary>
internal sealed class LengthCheckedStream(SafeFileHandle handle) : Stream
{
    private bool isClosed;

    public override bool CanRead => false;

    public override bool CanSeek => !isClosed;

    public override bool CanWrite => !isClosed;

    public override long Length => RandomAccess.GetLength(handle);

    public override long Position { get; set; }

    public override void Flush() { }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) =>
        Position =
            offset
            + origin switch
            {
                SeekOrigin.Begin => 0,
                SeekOrigin.Current => Position,
                _ => Length,
            };

    public override void SetLength(long value)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value);
        try
        {
            RandomAccess.SetLength(handle, value);
        }
        catch (ArgumentOutOfRangeException failure)
        {
            throw WriteFailure.TooLarge(failure);
        }
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        ObjectDisposedException.ThrowIf(isClosed, this);
        try
        {
            RandomAccess.Write(handle, buffer, Position);
        }
        catch (ArgumentOutOfRangeException failure)
        {
            throw WriteFailure.TooLarge(failure);
        }

        Position += buffer.Length;
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override async ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer,
        CancellationToken cancellationToken = default
    )
    {
        ObjectDisposedException.ThrowIf(isClosed, this);
        try
        {
            await RandomAccess.WriteAsync(handle, buffer, Position, cancellationToken).ConfigureAwait(false);
        }
        catch (ArgumentOutOfRangeException failure)
        {
            throw WriteFailure.TooLarge(failure);
        }

        Position += buffer.Length;
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    protected override void Dispose(bool disposing)
    {
        isClosed = true;
        base.Dispose(disposing);
    }
}
