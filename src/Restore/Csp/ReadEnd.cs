namespace Restore.Csp;

/// <summary>One process's end for reading; its operations allocate nothing once warm.</summary>
internal sealed class ReadEnd<T>(Channel<T> channel, Meter? meter, OwnThreads? threads)
    : IReadChannelEnd<T>,
        IAsyncEnumerable<T>,
        IAsyncEnumerator<T>
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
