#if !COCOL
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace Restore.Csp;

/// <summary>A bounded first-in-first-out queue between processes, for any number of readers and writers.</summary>
/// <remarks>
/// Over System.Threading.Channels. The queue is always completed without an error and without an exception for who waits at it;
/// why it ended is kept here, so that the reason can become worse (poison after a normal end) and each waiter gets an exception of its own.
/// </remarks>
internal sealed class Channel<T> : IChannel
{
    private readonly System.Threading.Channels.Channel<T> _queue;
    private Exception? _poison;
    private int _readers;
    private int _writers;

    public Channel(string name, int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        Name = name;
        _queue = Channel.CreateBounded<T>(new BoundedChannelOptions(capacity)
        {
            // A reader's work must not run on the stack, and in the time, of the writer that woke it.
            AllowSynchronousContinuations = false,
        });
    }

    public string Name { get; }

    public int Readers => Volatile.Read(ref _readers);

    public int Writers => Volatile.Read(ref _writers);

    /// <summary>An end for one process to read from; create all ends before any process starts.</summary>
    public IReadChannelEnd<T> Reader(Meter? meter = null)
    {
        Interlocked.Increment(ref _readers);
        return new ReadEnd<T>(this, meter);
    }

    /// <summary>An end for one process to write to; create all ends before any process starts.</summary>
    public IWriteChannelEnd<T> Writer(Meter? meter = null)
    {
        Interlocked.Increment(ref _writers);
        return new WriteEnd<T>(this, meter);
    }

    public void Poison(Exception cause)
    {
        Interlocked.CompareExchange(ref _poison, cause, null);
        Abandon();
    }

    internal bool TryRead([MaybeNullWhen(false)] out T message) => _queue.Reader.TryRead(out message);

    /// <summary>The next message, or (false, default) at the end.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    internal async ValueTask<(bool Arrived, T Message)> ReadAsync()
    {
        while (await _queue.Reader.WaitToReadAsync().ConfigureAwait(false))
        {
            if (_queue.Reader.TryRead(out T? message))
            {
                return (true, message);
            }
        }

        ThrowIfPoisoned();
        return (false, default!);
    }

    internal bool TryWrite(T message) => _queue.Writer.TryWrite(message);

    /// <summary>Puts the message into the queue when there is room; false, and the message disposed, when the channel has ended.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    internal async ValueTask<bool> WriteAsync(T message)
    {
        try
        {
            await _queue.Writer.WriteAsync(message).ConfigureAwait(false);
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
        if (Interlocked.Decrement(ref _readers) == 0)
        {
            Abandon();
        }
    }

    internal void WriterLeft()
    {
        if (Interlocked.Decrement(ref _writers) == 0)
        {
            _queue.Writer.TryComplete();
        }
    }

    internal void ThrowIfPoisoned()
    {
        if (Volatile.Read(ref _poison) is { } cause)
        {
            throw new PoisonedException(Name, cause);
        }
    }

    // Once the queue is completed nothing can be added, so what is drained here is all there is.
    private void Abandon()
    {
        _queue.Writer.TryComplete();
        while (_queue.Reader.TryRead(out T? message))
        {
            (message as IDisposable)?.Dispose();
        }
    }
}
#endif
