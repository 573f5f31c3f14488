namespace Restore.Csp;

/// <summary>Nothing more will come of a channel: its writers have left and it is drained, or its readers have left.</summary>
/// <remarks>A process that ends with it has ended normally: what it was for is done.</remarks>
internal sealed class RetiredException(string channel) : Exception($"The channel {channel} is retired: everybody at its other side has left");
