namespace Restore.Cli.Rendering;

/// <summary>
/// Progress as lines, one every few seconds: for log files, pipes and terminals that cannot draw.
/// </summary>
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
