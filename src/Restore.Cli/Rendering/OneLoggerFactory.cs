using Microsoft.Extensions.Logging;

namespace Restore.Cli.Rendering;

internal sealed class OneLoggerFactory(ILogger logger) : ILoggerFactory
{
    public ILogger CreateLogger(string categoryName) => logger;

    public void AddProvider(ILoggerProvider provider)
    {
        // The program's logger is the only one.
    }

    public void Dispose()
    {
        // The logger belongs to the program.
    }
}
