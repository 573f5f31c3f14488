namespace Restore.Csp;

/// <summary>
/// The channel was ended because another process failed; <see cref="Exception.InnerException"/> is
/// that failure.
/// </summary>
internal sealed class PoisonedException(string channel, Exception cause)
    : Exception($"The channel {channel} was ended by a failure elsewhere: {cause.Message}", cause);
