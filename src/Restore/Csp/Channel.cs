#if !COCOL
#pragma warning disable RS0030 // This file is the only one that knows what a channel is made of.
using System.Diagnostics.CodeAnalysis;
using System.Threading.Channels;

namespace Restore.Csp;

/// <summary>
/// A bounded first-in-first-out queue between processes, for any number of readers and writers.
/// </summary>
/// <remarks>
/// Over System.Threading.Channels. The queue is always completed without an error, and without an
/// exception for its waiters. This class keeps the reason, so that it can become worse (poison
/// after a normal end) and each waiter gets an exception of its own.
/// </remarks>
internal sealed class Channel<T> : IChannel
{
    private readonly System.Threading.Channels.Channel<T> queue;
    private Exception? poison;
    private int readers;
    private int writers;

    public Channel(string name, int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        Name = name;
        queue = Channel.CreateBounded<T>(
            new BoundedChannelOptions(capacity)
            {
                // A reader must not continue on the stack, and in the time, of the writer that woke
                // it.
                AllowSynchronousContinuations = false,
            }
        );
    }

    public string Name { get; }

    public int Readers => Volatile.Read(ref readers);

    public int Writers => Volatile.Read(ref writers);

    /// <summary>
    /// An end for one process to read from; create all ends before any process starts.
    /// </summary>
    public IReadChannelEnd<T> Reader(Meter? meter = null, OwnThreads? threads = null)
    {
        Interlocked.Increment(ref readers);
        return new ReadEnd<T>(this, meter, threads);
    }

    /// <summary>
    /// An end for one process to write to; create all ends before any process starts.
    /// </summary>
    public IWriteChannelEnd<T> Writer(Meter? meter = null, OwnThreads? threads = null)
    {
        Interlocked.Increment(ref writers);
        return new WriteEnd<T>(this, meter, threads);
    }

    public void Poison(Exception cause)
    {
        // Before the queue ends: a process that the end wakes up has to find the cause. The first
        // cause stays.
        Interlocked.CompareExchange(ref poison, cause, null);
        Abandon();
    }

    internal bool TryRead([MaybeNullWhen(false)] out T message) => queue.Reader.TryRead(out message);

    /// <summary>
    /// The next message, or (false, default) at the end, poisoned or not. After a wait it continues
    /// on the threads, if there are some.
    /// </summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    internal async ValueTask<(bool Arrived, T Message)> ReadAsync(OwnThreads? threads)
    {
        while (
            threads is null
                ? await queue.Reader.WaitToReadAsync().ConfigureAwait(false)
                : await threads.ReturnAfter(queue.Reader.WaitToReadAsync())
        )
        {
            // One message wakes all waiting readers, and only one of them gets it. The others wait
            // again.
            if (queue.Reader.TryRead(out T? message))
            {
                return (true, message);
            }
        }

        return (false, default!);
    }

    internal bool TryWrite(T message) => queue.Writer.TryWrite(message);

    /// <summary>
    /// Adds a message when there is room. Returns false and disposes the message if the channel has
    /// ended.
    /// </summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    internal async ValueTask<bool> WriteAsync(T message, OwnThreads? threads)
    {
        try
        {
            if (threads is null)
            {
                await queue.Writer.WriteAsync(message).ConfigureAwait(false);
            }
            else
            {
                await threads.ReturnAfter(queue.Writer.WriteAsync(message));
            }

            return true;
        }
        catch (ChannelClosedException)
        {
            (message as IDisposable)?.Dispose();
            return false;
        }
    }

    internal void ReaderLeft()
    {
        if (Interlocked.Decrement(ref readers) == 0)
        {
            Abandon();
        }
    }

    internal void WriterLeft()
    {
        if (Interlocked.Decrement(ref writers) == 0)
        {
            // Messages in the queue stay readable: the end comes to the readers after the last one.
            queue.Writer.TryComplete();
        }
    }

    internal void ThrowIfPoisoned()
    {
        if (Volatile.Read(ref poison) is { } cause)
        {
            throw new PoisonedException(Name, cause);
        }
    }

    // Nothing can be added to a completed queue, so this drains everything.
    private void Abandon()
    {
        queue.Writer.TryComplete();
        while (queue.Reader.TryRead(out T? message))
        {
            (message as IDisposable)?.Dispose();
        }
    }
}
#endif
