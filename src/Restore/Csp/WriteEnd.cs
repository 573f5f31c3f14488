namespace Restore.Csp;

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
            // A message belongs to the channel from the call on, also if the call fails. Otherwise
            // its buffers would not return to their pool.
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
