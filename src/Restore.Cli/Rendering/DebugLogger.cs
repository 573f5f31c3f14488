using Microsoft.Extensions.Logging;

namespace Restore.Cli.Rendering;

/// <summary>
/// Passes on the log of third-party parts, such as the web server, as lines for a user who looks
/// for an error.
/// </summary>
internal sealed class DebugLogger(ILogger logger) : ILogger
{
    public bool IsEnabled(LogLevel logLevel) => logLevel != LogLevel.None && logger.IsEnabled(LogLevel.Debug);

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter
    ) => logger.Log(LogLevel.Debug, eventId, state, exception, formatter);

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;
}
