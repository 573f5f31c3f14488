using System.Runtime.ExceptionServices;

namespace Restore.Catalog;

/// <summary>A long stream that another thread decodes while the caller works on what came before: at most a few pieces ahead. Disposing it waits for the
/// thread, since what it decodes lies in the memory of a volume.</summary>
internal sealed class DecodedAhead : ForwardReadStream
{
    private const int PieceBytes = 1 << 18;
    private const int Pieces = 3;

    private readonly Stream source;
    private readonly ArrayPool<byte> pool;
    private readonly object gate = new();
    private readonly Queue<(byte[] Bytes, int Length)> ready = new();
    private (byte[] Bytes, int Length) current = ([], 0);
    private int position;
    private Exception? failure;
    private bool isStopped;
    private bool isDone;

    /// <summary>Starts to read a stream, which it then owns.</summary>
    /// <param name="pool">Where pieces come from; null for the shared pool.</param>
    public DecodedAhead(Stream source, ArrayPool<byte>? pool = null)
    {
        this.source = source;
        this.pool = pool ?? ArrayPool<byte>.Shared;
        _ = new OwnThreads().RunAsync(ReadAll);
    }

    public override int Read(Span<byte> buffer)
    {
        if (position == current.Length && !TryMoveNext())
        {
            return 0;
        }

        int length = Math.Min(buffer.Length, current.Length - position);
        current.Bytes.AsSpan(position, length).CopyTo(buffer);
        position += length;
        return length;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            lock (gate)
            {
                isStopped = true;
                Monitor.PulseAll(gate);
                while (!isDone)
                {
                    Monitor.Wait(gate);
                }
            }

            source.Dispose();
        }

        base.Dispose(disposing);
    }

    private bool TryMoveNext()
    {
        lock (gate)
        {
            if (current.Length > 0)
            {
                pool.Return(current.Bytes);
            }

            (current, position) = (([], 0), 0);
            while (ready.Count == 0 && !isDone)
            {
                Monitor.Wait(gate);
            }

            if (ready.TryDequeue(out (byte[] Bytes, int Length) next))
            {
                current = next;
                Monitor.PulseAll(gate);
                return true;
            }

            if (failure is not null)
            {
                ExceptionDispatchInfo.Throw(failure);
            }

            return false;
        }
    }

    private void ReadAll()
    {
        Exception? end = null;
        try
        {
            for (bool isMore = true; isMore && end is null;)
            {
                byte[] piece = pool.Rent(PieceBytes);
                end = TryFill(piece, out int length);
                isMore = Give(piece, length) && length == piece.Length;
            }
        }
        catch (Exception defect)
        {
            // There is no memory for a piece. Whatever it is, the caller waits for it.
            end = defect;
        }

        lock (gate)
        {
            failure = end;
            isDone = true;
            Monitor.PulseAll(gate);
        }
    }

    private Exception? TryFill(byte[] piece, out int length)
    {
        length = 0;
        try
        {
            while (length < piece.Length && source.Read(piece.AsSpan(length)) is int read and > 0)
            {
                length += read;
            }

            return null;
        }
        catch (Exception defect)
        {
            // The caller gets it after reading so far.
            return defect;
        }
    }

    /// <returns>False if nobody wants more.</returns>
    private bool Give(byte[] piece, int length)
    {
        lock (gate)
        {
            while (ready.Count == Pieces && !isStopped)
            {
                Monitor.Wait(gate);
            }

            if (length == 0 || isStopped)
            {
                pool.Return(piece);
                return false;
            }

            ready.Enqueue((piece, length));
            Monitor.PulseAll(gate);
            return true;
        }
    }
}
