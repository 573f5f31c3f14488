using Microsoft.Extensions.Logging;

namespace Restore.Tests;

/// <summary>Keeps what is logged, from any thread.</summary>
internal sealed class ListLogger(LogLevel least = LogLevel.Trace) : ILogger, ILoggerFactory
{
    private readonly List<(EventId Id, LogLevel Level, string Text)> events = [];
    private readonly HashSet<string> categories = [];

    public IReadOnlyList<(EventId Id, LogLevel Level, string Text)> Events
    {
        get
        {
            lock (events)
            {
                return [.. events];
            }
        }
    }

    public IReadOnlyCollection<string> Categories => categories;

    public IEnumerable<int> Ids => Events.Select(one => one.Id.Id);

    public ILogger CreateLogger(string categoryName)
    {
        lock (events)
        {
            categories.Add(categoryName);
        }

        return this;
    }

    public bool IsEnabled(LogLevel logLevel) => logLevel >= least;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter
    )
    {
        lock (events)
        {
            events.Add((eventId, logLevel, formatter(state, exception)));
        }
    }

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public void Dispose()
    {
        // Nothing to give back.
    }
}
