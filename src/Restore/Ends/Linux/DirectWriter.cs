namespace Restore.Ends.Linux;

/// <summary>
/// Collects sequential writes to one file, and writes them past the page cache in large aligned
/// pieces. The rest that does not fill a piece, and pieces that the file system refuses, go through
/// the cache. The writer has buffers only while it collects bytes: a file that waits for its next
/// block has no buffers. A result below zero is the negative error number.
/// </summary>
internal sealed class DirectWriter(DirectWrites shared, int handle)
{
    private readonly object gate = new();
    private readonly Lock writing = new();
    private WriteBehind? pieces;
    private long pieceOffset;
    private int pieceLength;
    private bool isPastCache;
    private int underWay;
    private int outcome;

    /// <summary>Collects bytes; a later call may report the failure of an earlier piece.</summary>
    public int Write(long offset, ReadOnlySpan<byte> data)
    {
        int result = 0;
        while (data.Length > 0 && result >= 0)
        {
            if (offset != pieceOffset + pieceLength)
            {
                result = End();
                pieceOffset = offset;
            }

            pieces ??= shared.TryRent();
            if (pieces is null)
            {
                return WriteThroughCache(offset, data, result);
            }

            // A piece with an unaligned start ends at an aligned offset, so that the next one is
            // aligned.
            int room = WriteBehind.BufferBytes - (int)(pieceOffset % WriteBehind.AlignmentBytes) - pieceLength;
            int taken = Math.Min(room, data.Length);
            data[..taken].CopyTo(pieces.Buffer.Span[pieceLength..]);
            pieceLength += taken;
            data = data[taken..];
            offset += taken;
            result =
                result < 0 ? result
                : taken == room ? BeginPiece()
                : 0;
        }

        if (pieceLength == 0)
        {
            GiveBack();
        }

        return result;
    }

    /// <summary>
    /// Writes what is collected and switches to the cache, for reads too. What cannot be written is
    /// dropped: the file has failed.
    /// </summary>
    public int End()
    {
        int result = Wait();
        if (pieces is not null)
        {
            (Memory<byte> piece, long offset) = TakePiece();
            result = result < 0 ? result : WritePiece(piece.Span, offset);
            GiveBack();
        }

        SetDirect(false);
        return result;
    }

    private int WriteThroughCache(long offset, ReadOnlySpan<byte> data, int earlier)
    {
        int result = End();
        pieceOffset = offset + data.Length;
        result = earlier < 0 ? earlier : result;
        return result < 0 ? result : Kernel.WriteAll(handle, data, offset);
    }

    private void GiveBack()
    {
        if (pieces is not null)
        {
            shared.GiveBack(pieces);
            pieces = null;
        }
    }

    private int BeginPiece()
    {
        (Memory<byte> piece, long offset) = TakePiece();
        lock (gate)
        {
            underWay++;
        }

        pieces!.Begin(() => Finish(WritePiece(piece.Span, offset)));
        return Volatile.Read(ref outcome);
    }

    private void Finish(int result)
    {
        lock (gate)
        {
            outcome = outcome < 0 ? outcome : result;
            underWay--;
            Monitor.PulseAll(gate);
        }
    }

    /// <summary>Waits until no write of the file is pending.</summary>
    /// <returns>The first error since the last wait, or zero.</returns>
    private int Wait()
    {
        lock (gate)
        {
            while (underWay > 0)
            {
                Monitor.Wait(gate);
            }

            int result = outcome;
            outcome = 0;
            return result;
        }
    }

    private (Memory<byte> Piece, long Offset) TakePiece()
    {
        (Memory<byte>, long) taken = (pieces!.Buffer[..pieceLength], pieceOffset);
        pieceOffset += pieceLength;
        pieceLength = 0;
        return taken;
    }

    private int WritePiece(ReadOnlySpan<byte> piece, long offset)
    {
        bool isAligned = offset % WriteBehind.AlignmentBytes == 0;
        int aligned =
            isAligned && shared.IsWorthwhile
                ? piece.Length / WriteBehind.AlignmentBytes * WriteBehind.AlignmentBytes
                : 0;

        // Several threads may write pieces of a file, and there is only one handle.
        lock (writing)
        {
            int direct = WriteDirect(piece[..aligned], offset);
            return direct < 0 ? direct : WriteCached(piece[direct..], offset + direct);
        }
    }

    /// <summary>Writes as much as the file system accepts.</summary>
    private int WriteDirect(ReadOnlySpan<byte> data, long offset)
    {
        int done = 0;
        while (done < data.Length)
        {
            long started = shared.Now();
            int written = SetDirect(true);
            written = written < 0 ? written : Kernel.Write(handle, data[done..], offset + done);
            if (written is -Errno.Invalid or -Errno.NotSupported)
            {
                shared.Refuse();
                return done;
            }

            if (written < 0)
            {
                return written;
            }

            shared.Note(written, started, shared.Now());
            done += written;
        }

        return done;
    }

    private int WriteCached(ReadOnlySpan<byte> data, long offset)
    {
        if (data.Length == 0)
        {
            return 0;
        }

        SetDirect(false);
        return Kernel.WriteAll(handle, data, offset);
    }

    private int SetDirect(bool isDirect)
    {
        int result = isDirect == isPastCache ? 0 : Kernel.SetDirect(handle, isDirect);
        isPastCache = result >= 0 ? isDirect : isPastCache;
        return result;
    }
}
