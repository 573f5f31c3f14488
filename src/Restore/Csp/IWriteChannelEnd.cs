namespace Restore.Csp;

/// <summary>
/// The right of one process to write to a channel; disposing it leaves the channel.
/// </summary>
internal interface IWriteChannelEnd<T> : IDisposable
{
    /// <summary>
    /// Hands the message over, waiting while the channel is full. The channel owns the message from
    /// the call on: if it cannot be delivered, it is disposed, and <see cref="RetiredException"/>
    /// (no reader is left) or <see cref="PoisonedException"/> is thrown.
    /// </summary>
    ValueTask WriteAsync(T message);

    /// <summary>
    /// Waits for memory that the next message needs outside of the channel. The profile counts it
    /// as waiting to write.
    /// </summary>
    ValueTask<TRoom> AwaitRoomAsync<TRoom>(ValueTask<TRoom> room);
}
