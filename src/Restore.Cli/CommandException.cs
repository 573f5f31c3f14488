namespace Restore.Cli;

/// <summary>A failure of a command that is not one of the library.</summary>
internal sealed class CommandException(int exitCode, string message, string? advice = null) : Exception(message)
{
    public int ExitCode => exitCode;

    public string? Advice => advice;
}
