namespace Restore.Cli;

/// <summary>The reader of the standard output has gone: nobody wants the rest.</summary>
internal sealed class OutputClosedException() : IOException("The reader of the output has gone");
