namespace Restore.Csp;

/// <summary>
/// The right of one process to read from a channel; disposing it leaves the channel.
/// </summary>
internal interface IReadChannelEnd<T> : IDisposable
{
    /// <summary>
    /// The next message; throws <see cref="RetiredException"/> when all writers have left and
    /// nothing is buffered.
    /// </summary>
    ValueTask<T> ReadAsync();

    /// <summary>
    /// The next message, or (false, default) when all writers have left and nothing is buffered.
    /// </summary>
    ValueTask<(bool Arrived, T Message)> TryReadAsync();

    /// <summary>
    /// Every message until all writers have left. Leaving the loop early does not leave the
    /// channel.
    /// </summary>
    IAsyncEnumerable<T> ReadAllAsync();

    /// <summary>
    /// Continues where the process runs, if it runs on threads of its network. For a process that
    /// awaited something else than a channel: reads and writes continue where they were called.
    /// </summary>
    OwnThreads.Hop ReturnAsync();

    /// <summary>
    /// Waits for the turn to work on what was read. The profile counts it as waiting to read.
    /// </summary>
    ValueTask AwaitTurnAsync(ValueTask turn);
}
