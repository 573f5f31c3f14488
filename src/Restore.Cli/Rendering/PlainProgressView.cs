namespace Restore.Cli.Rendering;

/// <summary>Progress as lines, one every few seconds: for log files, pipes and terminals that cannot draw.</summary>
internal sealed class PlainProgressView(Messages messages, TimeProvider clock, bool verifyOnly) : IProgressView
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private readonly Lock _lock = new();
    private readonly RateMeter _rate = new();
    private long _lastLine = clock.GetTimestamp();

    public void Report(RestoreProgress value)
    {
        lock (_lock)
        {
            _rate.Observe(value);
            if (value.Phase == RestorePhase.Done || clock.GetElapsedTime(_lastLine) < Interval)
            {
                return;
            }

            _lastLine = clock.GetTimestamp();
            messages.WriteLine(ProgressText.Describe(value, _rate, verifyOnly));
        }
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
