using System.Runtime.ExceptionServices;

namespace Restore.Catalog;

/// <summary>
/// A long file list that other threads decode and parse while the caller uses earlier parts: one
/// thread decodes it piece by piece, others parse the entries that a piece has as a whole
/// (<see cref="CompactEntries"/>), and the caller gets both in order. What they cannot parse, such
/// as an entry that is in two pieces, the caller reads from the stream. Disposing it waits for the
/// threads, because the data that is decoded lies in the memory of a volume.
/// </summary>
internal sealed class ListAhead : ForwardReadStream, IParsedAhead
{
    private const int PieceBytes = 256 << 10;

    // To decode an entry and to use it is each about as much work as to parse it.
    private const int MostParsers = 4;

    // The piece that is read and the one before it, one that is decoded, and one that waits for the
    // caller.
    private const int MorePieces = 4;

    private readonly Stream source;
    private readonly BlockLayout layout;
    private readonly ArrayPool<byte> pool;
    private readonly int mostPieces;
    private readonly List<Thread> threads = [];

    // The gate guards all fields up to the blank line; a change of them wakes all who wait there.
    private readonly object gate = new();
    private readonly List<ListPiece> all = [];
    private readonly Stack<ListPiece> free = new();
    private readonly Queue<ListPiece> toParse = new();
    private readonly Queue<ListPiece> inOrder = new();
    private ExceptionDispatchInfo? failure;
    private bool isAtEnd;
    private bool isStopping;

    private ListPiece? before;
    private ListPiece? current;
    private int position;

    /// <summary>Starts to read a list, which it then owns.</summary>
    /// <param name="source">The list.</param>
    /// <param name="layout">The layout of the backup.</param>
    /// <param name="pool">Where pieces come from; null for the shared pool.</param>
    public ListAhead(Stream source, BlockLayout layout, ArrayPool<byte>? pool = null)
    {
        this.source = source;
        this.layout = layout;
        this.pool = pool ?? ArrayPool<byte>.Shared;
        int parsers = Math.Clamp(Environment.ProcessorCount / 2, 1, MostParsers);
        mostPieces = parsers + MorePieces;
        threads.Add(new Thread(DecodeAll) { IsBackground = true, Name = "Restore" });
        for (int i = 0; i < parsers; i++)
        {
            threads.Add(new Thread(ParseAll) { IsBackground = true, Name = "Restore" });
        }

        threads.ForEach(thread => thread.UnsafeStart());
    }

    public override int Read(Span<byte> buffer)
    {
        while (current is null || position == current.Length)
        {
            if (!Advance())
            {
                failure?.Throw();
                return 0;
            }
        }

        int length = Math.Min(buffer.Length, current.Length - position);
        current.Bytes.AsSpan(position, length).CopyTo(buffer);
        position += length;
        return length;
    }

    public ParsedEntries? From(long position, out long next)
    {
        next = long.MaxValue;
        foreach (ListPiece? piece in (ReadOnlySpan<ListPiece?>)[before, current])
        {
            if (piece is { Entries: { Count: > 0 } entries } && entries.Start >= position)
            {
                next = entries.Start;
                return next == position ? entries : null;
            }
        }

        return null;
    }

    public void Skip(long bytes)
    {
        // Entries that were parsed end in the piece that they begin in.
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, (current?.Length ?? 0) - position);
        position += (int)bytes;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing && !isStopping)
        {
            lock (gate)
            {
                isStopping = true;
                Monitor.PulseAll(gate);
            }

            // After the threads have ended, nothing writes to the pieces or reads the source.
            threads.ForEach(thread => thread.Join());
            all.ForEach(piece => pool.Return(piece.Bytes));
            source.Dispose();
        }

        base.Dispose(disposing);
    }

    /// <summary>Takes the next piece; false at the end of the list.</summary>
    private bool Advance()
    {
        lock (gate)
        {
            ListPiece? next;
            while (inOrder.TryPeek(out next) ? !next.IsParsed : !isAtEnd)
            {
                Monitor.Wait(gate);
            }

            if (next is null)
            {
                return false;
            }

            if (before is not null)
            {
                free.Push(before);
                Monitor.PulseAll(gate);
            }

            (before, current, position) = (current, inOrder.Dequeue(), 0);
            return true;
        }
    }

    private void DecodeAll()
    {
        try
        {
            long offset = 0;
            while (TakeFree() is ListPiece piece && Decode(piece, offset))
            {
                offset += piece.Length;
            }
        }
        catch (Exception defect)
        {
            // The caller gets any failure after the pieces before it. A caller that stops reading
            // never sees it.
            failure = ExceptionDispatchInfo.Capture(defect);
        }
        finally
        {
            lock (gate)
            {
                isAtEnd = true;
                Monitor.PulseAll(gate);
            }
        }
    }

    /// <returns>False at the end of the list.</returns>
    private bool Decode(ListPiece piece, long offset)
    {
        piece.Begin(offset);
        try
        {
            while (piece.Length < PieceBytes && source.Read(piece.Room(PieceBytes)) is int read and > 0)
            {
                piece.Length += read;
            }
        }
        finally
        {
            // Before a defect too: what was read is sound.
            lock (gate)
            {
                toParse.Enqueue(piece);
                inOrder.Enqueue(piece);
                Monitor.PulseAll(gate);
            }
        }

        return piece.Length == PieceBytes;
    }

    /// <summary>Waits for a piece that nothing uses; null if the reading stops.</summary>
    private ListPiece? TakeFree()
    {
        lock (gate)
        {
            while (!isStopping)
            {
                if (free.TryPop(out ListPiece? piece))
                {
                    return piece;
                }

                if (all.Count < mostPieces)
                {
                    all.Add(new ListPiece(pool.Rent(PieceBytes)));
                    return all[^1];
                }

                Monitor.Wait(gate);
            }

            return null;
        }
    }

    private void ParseAll()
    {
        CompactEntries parser = new(layout);
        while (TakeToParse() is ListPiece piece)
        {
            try
            {
                parser.Parse(piece.Bytes.AsSpan(0, piece.Length), piece.Offset, piece.Entries);
            }
            catch (OutOfMemoryException)
            {
                // The caller reads the piece from the stream, and needs less memory for it.
                piece.Entries.Clear();
            }

            lock (gate)
            {
                piece.IsParsed = true;
                Monitor.PulseAll(gate);
            }
        }
    }

    /// <summary>Waits for a piece that is decoded; null if there will be none.</summary>
    private ListPiece? TakeToParse()
    {
        lock (gate)
        {
            ListPiece? piece;
            while (!toParse.TryDequeue(out piece) && !isAtEnd && !isStopping)
            {
                Monitor.Wait(gate);
            }

            return isStopping ? null : piece;
        }
    }
}
