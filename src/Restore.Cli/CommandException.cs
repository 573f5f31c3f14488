namespace Restore.Cli;

/// <summary>A failure that the library does not report.</summary>
internal sealed class CommandException(int exitCode, string message, string? advice = null) : Exception(message)
{
    public int ExitCode => exitCode;

    public string? Advice => advice;
}
