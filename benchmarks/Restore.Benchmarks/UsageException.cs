namespace Restore.Benchmarks;

/// <summary>A command line that cannot be used; the message says why.</summary>
internal sealed class UsageException(string message) : Exception(message);
