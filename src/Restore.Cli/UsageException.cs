namespace Restore.Cli;

/// <summary>A command line that cannot be used; the message says what to write instead.</summary>
internal sealed class UsageException(string message) : Exception(message);
