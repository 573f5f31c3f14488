namespace Restore.Cli.Rendering;

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
        var text = ProgressText.Describe(
            value,
            Rate,
            verifyOnly,
            line.Width - BarWidth - 1,
            clock.GetElapsedTime(Started)
        );
        line.Draw($"{new string('━', full)}{new string('─', BarWidth - full)} {text}");
    }

    protected override void End()
    {
        messages.ShowThrough(null);
        line.Clear();
    }

    private static double Fraction(RestoreProgress value) =>
        value.Phase switch
        {
            RestorePhase.Restoring => value.Fraction,
            RestorePhase.Finishing when value.FilesTotal > 0 => (double)value.FilesDone / value.FilesTotal,
            RestorePhase.Finishing or RestorePhase.Flushing or RestorePhase.Done => 1,
            _ => 0,
        };
}
