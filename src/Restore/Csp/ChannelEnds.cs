namespace Restore.Csp;

/// <summary>One process's end for reading; its operations allocate nothing once warm.</summary>
internal sealed class ReadEnd<T>(Channel<T> channel, Meter? meter, OwnThreads? threads) : IReadChannelEnd<T>, IAsyncEnumerable<T>, IAsyncEnumerator<T>
{
    private T current = default!;
    private int left;

    T IAsyncEnumerator<T>.Current => current;

    public ValueTask<(bool Arrived, T Message)> TryReadAsync()
    {
        ObjectDisposedException.ThrowIf(left != 0, this);
        if (!channel.TryRead(out T? message))
        {
            return WaitAsync();
        }

        meter?.CountRead(message);
        return new((true, message));
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<T> ReadAsync()
    {
        (bool arrived, T message) = await TryReadAsync().ConfigureAwait(false);
        return arrived ? message : throw new RetiredException(channel.Name);
    }

    public IAsyncEnumerable<T> ReadAllAsync() => this;

    public OwnThreads.Hop ReturnAsync() => new(threads);

    public async ValueTask AwaitTurnAsync(ValueTask turn)
    {
        if (turn.IsCompleted)
        {
            await turn.ConfigureAwait(false);
            return;
        }

        long since = meter?.Now() ?? 0;
        await turn.ConfigureAwait(false);
        meter?.WaitedToRead(since);
    }

    public void Dispose()
    {
        if (Interlocked.Exchange(ref left, 1) == 0)
        {
            channel.ReaderLeft();
        }
    }

    // The token is not for the channel: what ends a wait is the other side leaving, or poison.
    IAsyncEnumerator<T> IAsyncEnumerable<T>.GetAsyncEnumerator(CancellationToken cancellationToken) => this;

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    async ValueTask<bool> IAsyncEnumerator<T>.MoveNextAsync()
    {
        (bool arrived, current) = await TryReadAsync().ConfigureAwait(false);
        return arrived;
    }

    ValueTask IAsyncDisposable.DisposeAsync() => default;

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<(bool Arrived, T Message)> WaitAsync()
    {
        long since = meter?.Now() ?? 0;
        (bool arrived, T message) = await channel.ReadAsync(threads).ConfigureAwait(false);
        if (threads is not null)
        {
            await threads.ReturnAsync();
        }

        meter?.WaitedToRead(since);
        if (!arrived)
        {
            channel.ThrowIfPoisoned();
            return (false, message);
        }

        meter?.CountRead(message);
        return (true, message);
    }
}

/// <summary>One process's end for writing; its operations allocate nothing once warm.</summary>
internal sealed class WriteEnd<T>(Channel<T> channel, Meter? meter, OwnThreads? threads) : IWriteChannelEnd<T>
{
    private int left;

    public ValueTask WriteAsync(T message)
    {
        // Counted first: after the hand-over, the message may be read and disposed.
        meter?.CountWritten(message);
        return left == 0 && channel.TryWrite(message) ? default : WaitAsync(message);
    }

    public async ValueTask<TRoom> AwaitRoomAsync<TRoom>(ValueTask<TRoom> room)
    {
        if (room.IsCompleted)
        {
            return await room.ConfigureAwait(false);
        }

        long since = meter?.Now() ?? 0;
        TRoom given = await room.ConfigureAwait(false);
        meter?.WaitedToWrite(since);
        return given;
    }

    public void Dispose()
    {
        if (Interlocked.Exchange(ref left, 1) == 0)
        {
            channel.WriterLeft();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask WaitAsync(T message)
    {
        if (left != 0)
        {
            (message as IDisposable)?.Dispose();
            throw new ObjectDisposedException(GetType().FullName);
        }

        long since = meter?.Now() ?? 0;
        bool delivered = await channel.WriteAsync(message, threads).ConfigureAwait(false);
        if (threads is not null)
        {
            await threads.ReturnAsync();
        }

        meter?.WaitedToWrite(since);
        if (!delivered)
        {
            channel.ThrowIfPoisoned();
            throw new RetiredException(channel.Name);
        }
    }
}

/// <summary>The right of one process to read from a channel; disposing it leaves the channel.</summary>
internal interface IReadChannelEnd<T> : IDisposable
{
    /// <summary>The next message; throws <see cref="RetiredException"/> when all writers have left and nothing is buffered.</summary>
    ValueTask<T> ReadAsync();

    /// <summary>The next message, or (false, default) when all writers have left and nothing is buffered.</summary>
    ValueTask<(bool Arrived, T Message)> TryReadAsync();

    /// <summary>Every message until all writers have left. Leaving the loop early does not leave the channel.</summary>
    IAsyncEnumerable<T> ReadAllAsync();

    /// <summary>Continues where the process runs, if it runs on threads of its network. For a process that awaited something else than a channel: reads and
    /// writes continue where they were called.</summary>
    OwnThreads.Hop ReturnAsync();

    /// <summary>Waits for the turn to work on what was read. The profile counts it as waiting to read.</summary>
    ValueTask AwaitTurnAsync(ValueTask turn);
}

/// <summary>The right of one process to write to a channel; disposing it leaves the channel.</summary>
internal interface IWriteChannelEnd<T> : IDisposable
{
    /// <summary>
    /// Hands the message over, waiting while the channel is full. The channel owns the message from the call on: if it cannot be
    /// delivered, it is disposed, and <see cref="RetiredException"/> (no reader is left) or <see cref="PoisonedException"/> is thrown.
    /// </summary>
    ValueTask WriteAsync(T message);

    /// <summary>Waits for memory that the next message needs outside of the channel. The profile counts it as waiting to write.</summary>
    ValueTask<TRoom> AwaitRoomAsync<TRoom>(ValueTask<TRoom> room);
}

/// <summary>A channel from the network's view, independent of its messages.</summary>
internal interface IChannel
{
    string Name { get; }
    int Readers { get; }
    int Writers { get; }

    /// <summary>Ends the channel now: buffered messages are disposed; all readers and writers get <see cref="PoisonedException"/>.</summary>
    void Poison(Exception cause);
}

/// <summary>A message that knows how much it carries, for the profile.</summary>
internal interface IMeasured
{
    long Bytes { get; }
}

/// <summary>No more messages will pass: the writers have left and the channel is drained, or its readers have left. A process that ends with it has done its
/// work.</summary>
internal sealed class RetiredException(string channel) : Exception($"The channel {channel} is retired: everybody at its other side has left");

/// <summary>The channel was ended because another process failed; <see cref="Exception.InnerException"/> is that failure.</summary>
internal sealed class PoisonedException(string channel, Exception cause)
    : Exception($"The channel {channel} was ended by a failure elsewhere: {cause.Message}", cause);
