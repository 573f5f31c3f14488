using System.Buffers;

namespace Restore.Browser;

/// <summary>
/// A file that the page makes: a download, or a file in the folder that the user has chosen. It is
/// not visible before it is finished.
/// </summary>
/// <param name="output">The object of the page that takes the bytes.</param>
/// <param name="shared">A buffer of <see cref="PieceBytes"/> that no other output uses meanwhile;
/// null for one of its own.</param>
internal sealed partial class TabOutput(JSObject output, byte[]? shared = null) : Stream
{
    public const int PieceBytes = 1 << 20;

    private readonly byte[] piece = shared ?? new byte[PieceBytes];
    private int filled;

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer,
        CancellationToken cancellationToken = default
    )
    {
        while (buffer.Length > 0)
        {
            int length = Math.Min(buffer.Length, PieceBytes - filled);
            buffer.Span[..length].CopyTo(piece.AsSpan(filled));
            filled += length;
            buffer = buffer[length..];
            if (filled == PieceBytes)
            {
                await FlushAsync(cancellationToken).ConfigureAwait(false);
            }
        }
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override async Task FlushAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (filled > 0)
        {
            using MemoryHandle pinned = piece.AsMemory().Pin();
            nint address = Address(pinned);
            await TabFolder.GuardedAsync(path: null, () => Write(output, address, filled)).ConfigureAwait(false);
            filled = 0;
        }
    }

    public override void Flush() => throw new NotSupportedException("A browser has no writes that wait");

    public override void Write(byte[] buffer, int offset, int count) => Flush();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    internal static unsafe nint Address(MemoryHandle pinned) => (nint)pinned.Pointer;

    [JSImport("write", "restore-output")]
    private static partial Task Write(JSObject output, nint address, int length);
}
