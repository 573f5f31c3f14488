using Microsoft.Extensions.Logging;
using Restore.Interop;

namespace Restore.Cli.Rendering;

/// <summary>
/// The file of <c>--log-file</c>: one line for each event, with time and level, appended.
/// </summary>
internal sealed class LogFile : IDisposable
{
    private readonly Lock gate = new();
    private readonly StreamWriter writer;
    private readonly TimeProvider clock;
    private readonly KnownSecrets secrets;
    private readonly Action<string>? warn;
    private bool hasFailed;

    private LogFile(StreamWriter writer, TimeProvider clock, KnownSecrets secrets, Action<string>? warn)
    {
        this.writer = writer;
        this.clock = clock;
        this.secrets = secrets;
        this.warn = warn;
    }

    /// <param name="path">The file.</param>
    /// <param name="clock">The time of the lines.</param>
    /// <param name="secrets">What no line shows.</param>
    /// <param name="warn">Takes the warning that lines are lost, as on a full disk; that does not
    /// end the work.</param>
    public static LogFile Open(string path, TimeProvider clock, KnownSecrets secrets, Action<string>? warn = null)
    {
        OutputFile.RefuseVolume("--log-file", path);

        // A planted link would have the log written into another file. Links in /dev lead to the
        // streams of this process.
        if (
            new FileInfo(path).LinkTarget is not null
            && !Path.GetFullPath(path).StartsWith("/dev/", StringComparison.Ordinal)
        )
        {
            throw new UsageException(
                $"--log-file: {path} is a link, and nothing is written through it; give the file itself"
            );
        }

        try
        {
            Stream stream = SpecialFile.IsPipe(path)
                ? new FileStream(SpecialFile.OpenPipe(path) ?? throw NoReader(path), FileAccess.Write, bufferSize: 0)
                : new FileStream(path, PrivateAppend());

            // Flushed line by line: the last lines before a crash matter most.
            return new LogFile(new StreamWriter(stream) { AutoFlush = true }, clock, secrets, warn);
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new UsageException($"--log-file: {path} cannot be written ({exception.Message})");
        }
    }

    private static UsageException NoReader(string path) =>
        new($"--log-file: {path} is a pipe that no program reads, or a socket; start the reader first, or name a file");

    /// <summary>A new file is for this user alone: it shows what is in a backup.</summary>
    private static FileStreamOptions PrivateAppend()
    {
        var options = new FileStreamOptions
        {
            Mode = FileMode.Append,
            Access = FileAccess.Write,
            Share = FileShare.Read,
            BufferSize = 0,
        };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        return options;
    }

    public void Write(LogLevel level, string text, Exception? exception)
    {
        var time = clock.GetLocalNow().ToString("yyyy-MM-dd HH:mm:ss.fff zzz", CultureInfo.InvariantCulture);
        lock (gate)
        {
            try
            {
                writer.WriteLine($"{time} [{level}] {SafeText.Escape(secrets.Scrub(text))}");
                foreach (var line in exception?.ToString().ReplaceLineEndings("\n").Split('\n') ?? [])
                {
                    writer.WriteLine("    " + SafeText.Escape(secrets.Scrub(line)));
                }
            }
            catch (ArgumentOutOfRangeException failure)
            {
                Warn(WriteFailure.TooLarge(failure));
            }
            catch (IOException failure)
            {
                Warn(failure);
            }
        }
    }

    /// <summary>Once. Later lines may find room again.</summary>
    private void Warn(IOException failure)
    {
        if (!hasFailed)
        {
            hasFailed = true;
            warn?.Invoke($"Warning: --log-file: lines are lost ({failure.Message})");
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
