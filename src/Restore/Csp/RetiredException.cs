namespace Restore.Csp;

/// <summary>
/// No more messages will pass: the writers have left and the channel is drained, or its readers
/// have left. A process that ends with it has done its work.
/// </summary>
internal sealed class RetiredException(string channel)
    : Exception($"The channel {channel} is retired: everybody at its other side has left");
