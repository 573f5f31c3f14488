using System.Globalization;
using Microsoft.Extensions.Logging;

namespace Restore.Cli.Rendering;

/// <summary>The file of <c>--log-file</c>: one line for each event, with time and level, appended.</summary>
internal sealed class LogFile : IDisposable
{
    private readonly Lock gate = new();
    private readonly StreamWriter writer;
    private readonly TimeProvider clock;
    private readonly SecretScrubber secrets;

    private LogFile(StreamWriter writer, TimeProvider clock, SecretScrubber secrets)
    {
        this.writer = writer;
        this.clock = clock;
        this.secrets = secrets;
    }

    /// <exception cref="UsageException">The file cannot be written.</exception>
    public static LogFile Open(string path, TimeProvider clock, SecretScrubber secrets)
    {
        try
        {
            // Flushed line by line: the last lines before a crash matter most.
            return new LogFile(new StreamWriter(path, append: true) { AutoFlush = true }, clock, secrets);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new UsageException($"--log-file: {path} cannot be written ({exception.Message})");
        }
    }

    public void Write(LogLevel level, string text, Exception? exception)
    {
        var time = clock.GetLocalNow().ToString("yyyy-MM-dd HH:mm:ss.fff zzz", CultureInfo.InvariantCulture);
        lock (gate)
        {
            writer.WriteLine($"{time} [{level}] {SafeText.Escape(secrets.Scrub(text))}");
            foreach (var line in exception?.ToString().ReplaceLineEndings("\n").Split('\n') ?? [])
            {
                writer.WriteLine("    " + SafeText.Escape(secrets.Scrub(line)));
            }
        }
    }

    public void Dispose()
    {
        lock (gate)
        {
            writer.Dispose();
        }
    }
}
