using System.Runtime.ExceptionServices;

namespace Restore.Catalog;

/// <summary>
/// A long stream that another thread decodes while the caller works on earlier parts: at most a few
/// pieces ahead. Disposing it waits for the thread, because the data that the thread decodes lies
/// in the memory of a volume.
/// </summary>
internal sealed class DecodedAhead : ForwardReadStream
{
    private const int PieceBytes = 1 << 18;
    private const int Pieces = 3;

    private readonly Stream source;
    private readonly ArrayPool<byte> pool;
    private readonly BlockingCollection<ArraySegment<byte>> ready = new(Pieces);
    private readonly CancellationTokenSource stopping = new();
    private readonly Thread reader;
    private ArraySegment<byte> current;
    private int position;
    private ExceptionDispatchInfo? failure;
    private bool isDisposed;

    /// <summary>Starts to read a stream, which it then owns.</summary>
    /// <param name="pool">Where pieces come from; null for the shared pool.</param>
    public DecodedAhead(Stream source, ArrayPool<byte>? pool = null)
    {
        this.source = source;
        this.pool = pool ?? ArrayPool<byte>.Shared;
        reader = new Thread(ReadAll) { IsBackground = true, Name = "Restore" };
        reader.UnsafeStart();
    }

    public override int Read(Span<byte> buffer)
    {
        while (position == current.Count)
        {
            Return(current);
            position = 0;
            if (!ready.TryTake(out current, Timeout.Infinite))
            {
                failure?.Throw();
                return 0;
            }
        }

        int length = Math.Min(buffer.Length, current.Count - position);
        current.AsSpan(position, length).CopyTo(buffer);
        position += length;
        return length;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing && !isDisposed)
        {
            isDisposed = true;

            // The order matters. The thread may wait for a place in the collection, which the
            // cancellation ends. After it has ended, nothing writes to the pieces or reads the
            // source, so both can be released.
            stopping.Cancel();
            reader.Join();
            Array.ForEach([current, .. ready], Return);
            source.Dispose();
            ready.Dispose();
            stopping.Dispose();
        }

        base.Dispose(disposing);
    }

    private void ReadAll()
    {
        try
        {
            while (!stopping.IsCancellationRequested && ReadPiece()) { }
        }
        catch (Exception defect)
        {
            // The caller gets any failure after the pieces before it. A caller that stops reading
            // never sees it.
            failure = ExceptionDispatchInfo.Capture(defect);
        }
        finally
        {
            ready.CompleteAdding();
        }
    }

    /// <returns>False at the end of the stream.</returns>
    private bool ReadPiece()
    {
        byte[] piece = pool.Rent(PieceBytes);
        int length = 0;
        try
        {
            while (length < piece.Length && source.Read(piece.AsSpan(length)) is int read and > 0)
            {
                length += read;
            }
        }
        finally
        {
            // Before a defect too: what was read is sound.
            ready.Add(new ArraySegment<byte>(piece, 0, length), stopping.Token);
        }

        return length == piece.Length;
    }

    private void Return(ArraySegment<byte> piece)
    {
        if (piece.Array is { } array)
        {
            pool.Return(array);
        }
    }
}
