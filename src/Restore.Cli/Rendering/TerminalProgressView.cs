using Spectre.Console.Rendering;
using Spectre.Console;

namespace Restore.Cli.Rendering;

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

    /// <summary>The text beside the bar. It also moves the bar, since Spectre requests it at each redraw.</summary>
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
