namespace Restore.Cli.Rendering;

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
