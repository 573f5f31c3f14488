namespace Restore.Cli;

/// <summary>An invalid command line; the message says what to write instead.</summary>
internal sealed class UsageException(string message) : Exception(message);
