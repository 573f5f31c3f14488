using System.Text.Json;
using System.Text.Json.Nodes;
using Spectre.Console;
using Spectre.Console.Rendering;

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

/// <summary>Progress as lines, one every few seconds: for log files, pipes and terminals that cannot draw.</summary>
internal sealed class PlainProgressView(Messages messages, TimeProvider clock, bool verifyOnly) : IProgressView
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private readonly Lock gate = new();
    private readonly RateMeter rate = new();
    private long lastLine = clock.GetTimestamp();

    public void Report(RestoreProgress value)
    {
        lock (gate)
        {
            rate.Observe(value);
            if (value.Phase == RestorePhase.Done || clock.GetElapsedTime(lastLine) < Interval)
            {
                return;
            }

            lastLine = clock.GetTimestamp();
            messages.WriteLine(ProgressText.Describe(value, rate, verifyOnly));
        }
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

/// <summary>Progress as lines of JSON on the standard output, with restic's names: a status each second, and items if requested.</summary>
internal sealed class JsonProgressView(TextWriter output, TimeProvider clock) : IProgressView, IProgress<EntryResult>
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private readonly Lock gate = new();
    private readonly RateMeter rate = new();
    private readonly long start = clock.GetTimestamp();
    private long lastLine = clock.GetTimestamp();

    public void Report(RestoreProgress value)
    {
        lock (gate)
        {
            rate.Observe(value);
            if (clock.GetElapsedTime(lastLine) < Interval)
            {
                return;
            }

            lastLine = clock.GetTimestamp();
            Json.Write(output, Status(value, clock.GetElapsedTime(start)));
            output.Flush();
        }
    }

    public void Report(EntryResult value)
    {
        lock (gate)
        {
            Json.Write(output, Item(value));
        }
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static JsonObject Item(EntryResult result) => new JsonObject
    {
        ["message_type"] = "item",
        ["action"] = JsonNamingPolicy.CamelCase.ConvertName(result.Kind.ToString()),
        ["item"] = result.Path,
        ["target"] = result.TargetPath,
        ["size"] = result.BytesWritten,
    }.With(result.Reason is null ? [] : new() { ["reason"] = result.Reason });

    private JsonObject Status(RestoreProgress progress, TimeSpan elapsed)
    {
        var json = new JsonObject
        {
            ["message_type"] = "status",
            ["phase"] = JsonNamingPolicy.CamelCase.ConvertName(progress.Phase.ToString()),
            ["seconds_elapsed"] = (long)elapsed.TotalSeconds,
        };
        return progress.Phase != RestorePhase.Restoring ? json : json.With(new()
        {
            ["percent_done"] = progress.BytesTotal > 0 ? Math.Round((double)progress.BytesDone / progress.BytesTotal, 4) : 0,
            ["total_files"] = progress.FilesTotal,
            ["files_restored"] = progress.FilesDone,
            ["total_bytes"] = progress.BytesTotal,
            ["bytes_restored"] = progress.BytesDone,
            ["bytes_fetched"] = progress.BytesFetched,
            ["bytes_per_second"] = (long)rate.BytesPerSecond,
        });
    }
}

/// <summary>Progress as a bar and a line that are redrawn in place.</summary>
internal sealed class TerminalProgressView(Messages messages, CliEnvironment environment, bool verifyOnly) : IProgressView
{
    // Drawing starts late: a short restore needs no bar, and Spectre is not even loaded.
    private static readonly TimeSpan Delay = TimeSpan.FromMilliseconds(400);

    private const int BarWidth = 12;

    private readonly Lock gate = new();
    private readonly RateMeter rate = new();
    private readonly TaskCompletionSource finished = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly long created = environment.Clock.GetTimestamp();
    private Task drawing = Task.CompletedTask;
    private bool isDrawing;
    private RestoreProgress last;

    public void Report(RestoreProgress value)
    {
        lock (gate)
        {
            rate.Observe(value);
            last = value;
            if (!isDrawing && !finished.Task.IsCompleted && environment.Clock.GetElapsedTime(created) >= Delay)
            {
                isDrawing = true;
                drawing = Task.Run(DrawAsync);
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        Task drawing;
        lock (gate)
        {
            finished.TrySetResult();
            drawing = this.drawing;
        }

        await drawing;
        messages.ShowThrough(null);
    }

    private async Task DrawAsync()
    {
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = OperatingSystem.IsWindows() ? AnsiSupport.Detect : AnsiSupport.Yes,
            ColorSystem = environment.Variable("NO_COLOR") is null ? ColorSystemSupport.Standard : ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.Yes,
            Out = new AnsiConsoleOutput(environment.Error),
        });
        messages.ShowThrough(line => console.Write(new Text(line + "\n")));
        await console.Progress()
            .AutoClear(true)
            .Columns(new ProgressBarColumn { Width = BarWidth }, new LineColumn(this))
            .StartAsync(async context =>
            {
                context.AddTask("restore", maxValue: 1);
                await finished.Task;
            });
    }

    private string Describe(int width)
    {
        lock (gate)
        {
            return ProgressText.Describe(last, rate, verifyOnly, width);
        }
    }

    private double Fraction()
    {
        lock (gate)
        {
            return last.Phase switch
            {
                RestorePhase.Restoring when last.BytesTotal > 0 => (double)last.BytesDone / last.BytesTotal,
                RestorePhase.Finishing when last.FilesTotal > 0 => (double)last.FilesDone / last.FilesTotal,
                RestorePhase.Finishing or RestorePhase.Flushing or RestorePhase.Done => 1,
                _ => 0,
            };
        }
    }

    /// <summary>The text next to the bar. It also moves the bar, since Spectre requests it at each redraw.</summary>
    private sealed class LineColumn(TerminalProgressView view) : ProgressColumn
    {
        protected override bool NoWrap => true;

        public override IRenderable Render(RenderOptions options, ProgressTask task, TimeSpan deltaTime)
        {
            task.Value = view.Fraction();

            // Room beside the bar and the padding, minus one column: some terminals wrap a line that is full.
            return new Text(view.Describe(options.ConsoleSize.Width - BarWidth - 3)).Ellipsis();
        }
    }
}
