namespace Restore.Cli;

/// <summary>The reader closed the standard output, so the rest is not needed.</summary>
internal sealed class OutputClosedException() : IOException("The reader of the output has gone");
