#if COCOL
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using CoCoL;
using Restore.Threads;

namespace Restore.Csp;

/// <summary>
/// A bounded first-in-first-out queue between processes, for any number of readers and writers.
/// </summary>
/// <remarks>
/// Over CoCoL, by the house rules of decision 0002: ends are joined at wiring time and left, never
/// retired; no choice between channels and no token on an operation. CoCoL drops buffered messages
/// when it is retired immediately, so this class remembers the messages under way.
/// </remarks>
internal sealed class Channel<T> : IChannel
{
    // CoCoL's buffer is a list, and each read removes its head: a longer buffer costs more than it
    // gives.
    private const int CapacityMax = 64;

    private readonly IChannel<Parcel> queue;
    private readonly ConcurrentBag<CoCoL.IReadChannelEnd<Parcel>> readEnds = [];
    private readonly ConcurrentBag<CoCoL.IWriteChannelEnd<Parcel>> writeEnds = [];
    private readonly ConcurrentDictionary<Parcel, bool> underWay = [];
    private Exception? poison;
    private int readers;
    private int writers;

    public Channel(string name, int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        Name = name;

        // CoCoL sets the scope in each context without one, at every operation; a scope set here
        // flows to the processes.
        _ = ExecutionScope.Current;
        queue = Channel.Create<Parcel>(buffersize: Math.Min(capacity, CapacityMax));
    }

    public string Name { get; }

    public int Readers => Volatile.Read(ref readers);

    public int Writers => Volatile.Read(ref writers);

    /// <summary>
    /// An end for one process to read from; create all ends before any process starts.
    /// </summary>
    public IReadChannelEnd<T> Reader(Meter? meter = null, OwnThreads? threads = null)
    {
        readEnds.Add(queue.AsReadOnly());
        Interlocked.Increment(ref readers);
        return new ReadEnd<T>(this, meter, threads);
    }

    /// <summary>
    /// An end for one process to write to; create all ends before any process starts.
    /// </summary>
    public IWriteChannelEnd<T> Writer(Meter? meter = null, OwnThreads? threads = null)
    {
        writeEnds.Add(queue.AsWriteOnly());
        Interlocked.Increment(ref writers);
        return new WriteEnd<T>(this, meter, threads);
    }

    public void Poison(Exception cause)
    {
        Interlocked.CompareExchange(ref poison, cause, null);
        Abandon();
    }

    /// <summary>
    /// CoCoL has no cheap way to test for a message: every message takes the waiting path.
    /// </summary>
    internal bool TryRead([MaybeNullWhen(false)] out T message)
    {
        message = default;
        return false;
    }

    /// <summary>The next message, or (false, default) at the end, poisoned or not.</summary>
    internal async ValueTask<(bool Arrived, T Message)> ReadAsync(OwnThreads? threads)
    {
        _ = threads; // CoCoL continues on the thread pool, and the end of the channel returns from there.
        try
        {
            Parcel parcel = await queue.ReadAsync().ConfigureAwait(false);
            if (underWay.TryRemove(parcel, out _))
            {
                return (true, parcel.Message);
            }
        }
        catch (CoCoL.RetiredException)
        {
            // The end, or poison.
        }

        return (false, default!);
    }

    /// <summary>Every message takes the waiting path.</summary>
    internal bool TryWrite(T message) => false;

    /// <summary>
    /// Adds a message when there is room. Returns false and disposes the message if the channel has
    /// ended.
    /// </summary>
    internal async ValueTask<bool> WriteAsync(T message, OwnThreads? threads)
    {
        _ = threads; // CoCoL continues on the thread pool, and the end of the channel returns from there.
        Parcel parcel = new(message);
        underWay.TryAdd(parcel, true);
        try
        {
            await queue.WriteAsync(parcel).ConfigureAwait(false);
            return true;
        }
        catch (CoCoL.RetiredException)
        {
            Discard(parcel);
            return false;
        }
    }

    internal void ReaderLeft()
    {
        // If the last reader leaves while the channel holds messages, CoCoL's channel would wait
        // for a reader, and its writers with it.
        if (Interlocked.Decrement(ref readers) == 0)
        {
            Abandon();
        }

        Leave(readEnds);
    }

    internal void WriterLeft()
    {
        Interlocked.Decrement(ref writers);
        Leave(writeEnds);
    }

    internal void ThrowIfPoisoned()
    {
        if (Volatile.Read(ref poison) is { } cause)
        {
            throw new PoisonedException(Name, cause);
        }
    }

    // CoCoL counts its ends and does not care which of them leaves. Leaving blocks in CoCoL; so it
    // may here.
    private static void Leave<TEnd>(ConcurrentBag<TEnd> ends)
        where TEnd : IDisposable
    {
        if (ends.TryTake(out TEnd? end))
        {
            end.Dispose();
        }
    }

    private void Abandon()
    {
        // If the writers have left before, each call only reduces the number of messages to wait
        // for.
#pragma warning disable RS0030 // Poison and leaving are synchronous, and CoCoL answers as soon as its own lock is free.
        while (!queue.IsRetiredAsync.GetAwaiter().GetResult())
#pragma warning restore RS0030
        {
            queue.Retire(immediate: true);
        }

        foreach (Parcel parcel in underWay.Keys)
        {
            Discard(parcel);
        }
    }

    // The one that takes a message out of the set owns it: a reader, its writer, or the end of the
    // channel.
    private void Discard(Parcel parcel)
    {
        if (underWay.TryRemove(parcel, out _))
        {
            (parcel.Message as IDisposable)?.Dispose();
        }
    }

    private sealed class Parcel(T message)
    {
        public T Message { get; } = message;
    }
}
#endif
