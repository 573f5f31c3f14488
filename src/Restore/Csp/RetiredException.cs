namespace Restore.Csp;

/// <summary>No more messages will pass: the writers have left and the channel is drained, or its readers have left.</summary>
/// <remarks>A process that ends with this exception has ended normally: its work is done.</remarks>
internal sealed class RetiredException(string channel) : Exception($"The channel {channel} is retired: everybody at its other side has left");
