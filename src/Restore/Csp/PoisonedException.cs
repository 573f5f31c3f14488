namespace Restore.Csp;

/// <summary>A channel was ended because something failed elsewhere; <see cref="Exception.InnerException"/> is what failed.</summary>
internal sealed class PoisonedException(string channel, Exception cause)
    : Exception($"The channel {channel} was ended by a failure elsewhere: {cause.Message}", cause);
