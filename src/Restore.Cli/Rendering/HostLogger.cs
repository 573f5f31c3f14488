using Microsoft.Extensions.Logging;

namespace Restore.Cli.Rendering;

internal sealed class HostLogger(Messages messages, LogLevel consoleLevel, LogFile? file) : ILogger
{
    public bool IsEnabled(LogLevel logLevel) =>
        logLevel != LogLevel.None && (logLevel >= consoleLevel || (file is not null && logLevel >= LogLevel.Debug));

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter
    )
    {
        if (!IsEnabled(logLevel))
        {
            return;
        }

        var text = formatter(state, exception);
        file?.Write(logLevel, text, exception);
        if (logLevel >= consoleLevel)
        {
            messages.WriteLine(logLevel >= LogLevel.Warning ? $"{logLevel}: {text}" : text);
        }
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;
}
