using System.Text.Json;

namespace Restore.Cli.Rendering;

/// <summary>Shows progress until it is disposed. The restore does not know what it looks like.</summary>
internal interface IProgressView : IProgress<RestoreProgress>, IAsyncDisposable
{
}

internal sealed class QuietProgressView : IProgressView
{
    public void Report(RestoreProgress value)
    {
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

/// <summary>Observes the reports, and looks by itself when none comes: then something waits, and the line says for what.</summary>
internal abstract class WatchingView : IProgressView
{
    private readonly TimeProvider clock;
    private readonly TimeSpan patience;
    private readonly ITimer timer;
    private RestoreProgress? last;
    private long reported;
    private bool isOver;

    protected WatchingView(TimeProvider clock, TimeSpan look, TimeSpan patience)
    {
        (this.clock, this.patience) = (clock, patience);
        Started = clock.GetTimestamp();
        timer = clock.CreateTimer(_ => Look(), null, look, look);
    }

    protected Lock Gate { get; } = new();

    protected RateMeter Rate { get; } = new();

    protected long Started { get; }

    public void Report(RestoreProgress value)
    {
        lock (Gate)
        {
            Rate.Observe(value);
            last = value;
            reported = clock.GetTimestamp();
            if (!isOver)
            {
                Show(value);
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        await timer.DisposeAsync();
        lock (Gate)
        {
            isOver = true;
            End();
        }
    }

    /// <summary>Shows a report, or the last one as it is now; called under the lock.</summary>
    protected abstract void Show(RestoreProgress value);

    protected virtual void End()
    {
    }

    private void Look()
    {
        lock (Gate)
        {
            var age = clock.GetElapsedTime(reported);
            if (last is { } value && !isOver && age >= patience)
            {
                value = value with { Elapsed = value.Elapsed + age };
                Rate.Observe(value);
                Show(value);
            }
        }
    }
}

/// <summary>Progress as lines, one every few seconds: for log files, pipes and terminals that cannot draw.</summary>
internal sealed class PlainProgressView(Messages messages, TimeProvider clock, bool verifyOnly)
    : WatchingView(clock, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2))
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private readonly TimeProvider clock = clock;
    private long lastLine = clock.GetTimestamp();

    protected override void Show(RestoreProgress value)
    {
        if (value.Phase == RestorePhase.Done || clock.GetElapsedTime(lastLine) < Interval)
        {
            return;
        }

        lastLine = clock.GetTimestamp();
        messages.WriteLine(ProgressText.Describe(value, Rate, verifyOnly, elapsed: clock.GetElapsedTime(Started)));
    }
}

/// <summary>Progress as lines of JSON on the standard output, a status each second, and items if requested.</summary>
internal sealed class JsonProgressView(TextWriter output, TimeProvider clock)
    : WatchingView(clock, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1.5)), IProgress<EntryResult>
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private readonly TimeProvider clock = clock;
    private long lastLine = clock.GetTimestamp();

    public void Report(EntryResult value)
    {
        lock (Gate)
        {
            Json.Write(output, Item(value));
        }
    }

    protected override void Show(RestoreProgress value)
    {
        if (clock.GetElapsedTime(lastLine) >= Interval)
        {
            lastLine = clock.GetTimestamp();
            Json.Write(output, Status(value, clock.GetElapsedTime(Started)));
            output.Flush();
        }
    }

    private static JsonObject Item(EntryResult result) => new JsonObject
    {
        ["messageType"] = "item",
        ["action"] = JsonNamingPolicy.CamelCase.ConvertName(result.Kind.ToString()),
        ["item"] = result.Path,
        ["target"] = result.TargetPath,
        ["size"] = result.BytesWritten,
    }.With(result.Reason is null ? [] : new() { ["reason"] = result.Reason });

    private JsonObject Status(RestoreProgress progress, TimeSpan elapsed)
    {
        var json = new JsonObject
        {
            ["messageType"] = "status",
            ["phase"] = JsonNamingPolicy.CamelCase.ConvertName(progress.Phase.ToString()),
            ["secondsElapsed"] = (long)elapsed.TotalSeconds,
        };
        if (progress.Retry is { } retry)
        {
            json["waiting"] = new JsonObject
            {
                ["location"] = retry.Location, ["attempt"] = retry.Attempt, ["attempts"] = retry.Attempts, ["reason"] = retry.Reason,
            };
        }

        if (progress.CurrentPath is { } path)
        {
            json["currentFile"] = path;
        }

        return progress.Phase != RestorePhase.Restoring ? json : json.With(new()
        {
            ["percentDone"] = Math.Round(progress.Fraction, 4),
            ["totalFiles"] = progress.FilesTotal,
            ["filesRestored"] = progress.FilesDone,
            ["totalBytes"] = progress.BytesTotal,
            ["bytesRestored"] = progress.BytesDone,
            ["bytesToFetch"] = progress.BytesToFetch,
            ["bytesFetched"] = progress.BytesFetched,
            ["bytesPerSecond"] = (long)Rate.BytesPerSecond,
        }).With(Rate.Left is { } left ? new() { ["secondsRemaining"] = (long)left.TotalSeconds } : []);
    }
}

/// <summary>Progress as a bar and a line that are redrawn in place.</summary>
internal sealed class TerminalProgressView : WatchingView
{
    // Drawing starts late: a short restore needs no bar.
    private static readonly TimeSpan Delay = TimeSpan.FromMilliseconds(400);
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    private const int BarWidth = 12;

    private readonly Messages messages;
    private readonly TimeProvider clock;
    private readonly TerminalLine line;
    private readonly bool verifyOnly;

    public TerminalProgressView(Messages messages, CliEnvironment environment, bool verifyOnly)
        : base(environment.Clock, Interval, Interval)
    {
        (this.messages, clock, this.verifyOnly) = (messages, environment.Clock, verifyOnly);
        line = new TerminalLine(environment);
        messages.ShowThrough(line.WriteAbove);
    }

    protected override void Show(RestoreProgress value)
    {
        if (clock.GetElapsedTime(Started) < Delay)
        {
            return;
        }

        var full = (int)(BarWidth * Fraction(value));
        var text = ProgressText.Describe(value, Rate, verifyOnly, line.Width - BarWidth - 1, clock.GetElapsedTime(Started));
        line.Draw($"{new string('━', full)}{new string('─', BarWidth - full)} {text}");
    }

    protected override void End()
    {
        messages.ShowThrough(null);
        line.Clear();
    }

    private static double Fraction(RestoreProgress value) => value.Phase switch
    {
        RestorePhase.Restoring => value.Fraction,
        RestorePhase.Finishing when value.FilesTotal > 0 => (double)value.FilesDone / value.FilesTotal,
        RestorePhase.Finishing or RestorePhase.Flushing or RestorePhase.Done => 1,
        _ => 0,
    };
}

/// <summary>A line of a terminal that is redrawn in place. The cursor stays at its start: there it is after the terminal became narrower too, and what the
/// terminal shows of a pressed key is overwritten.</summary>
internal sealed class TerminalLine(CliEnvironment environment)
{
    private const string EraseBelow = "\u001b[J";

    private readonly Lock gate = new();
    private bool isDrawn;

    /// <summary>One column less than the terminal has: some wrap a line that is full.</summary>
    public int Width => Math.Max(1, environment.TerminalWidth() - 1);

    public void Draw(string text) => Write(text.Length <= Width ? text : text[..Width], "\r", isDrawnNow: true);

    /// <summary>Writes a line above; the next drawing follows below.</summary>
    public void WriteAbove(string text) => Write(text, environment.Error.NewLine, isDrawnNow: false);

    public void Clear() => Write("", "", isDrawnNow: false);

    private void Write(string text, string end, bool isDrawnNow)
    {
        lock (gate)
        {
            if (isDrawn || text.Length > 0)
            {
                // Windows may have a console that takes no such sequences.
                var (before, after) = !OperatingSystem.IsWindows() ? ("", EraseBelow)
                    : isDrawnNow ? ("", new string(' ', Math.Max(0, Width - text.Length)))
                    : (new string(' ', isDrawn ? Width : 0) + "\r", "");
                environment.Error.Write($"\r{before}{text}{after}{end}");
                isDrawn = isDrawnNow;
            }
        }
    }
}
