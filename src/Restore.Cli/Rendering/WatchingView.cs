namespace Restore.Cli.Rendering;

/// <summary>
/// Observes the reports, and looks by itself when none comes: then something waits, and the line
/// says for what.
/// </summary>
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
        // Other threads may still report after that, and must not draw over what follows.
        await timer.DisposeAsync();
        lock (Gate)
        {
            isOver = true;
            End();
        }
    }

    /// <summary>Shows a report, or the last one as it is now; called under the lock.</summary>
    protected abstract void Show(RestoreProgress value);

    protected virtual void End() { }

    private void Look()
    {
        lock (Gate)
        {
            var age = clock.GetElapsedTime(reported);
            if (last is { } value && !isOver && age >= patience)
            {
                // The same state at a later time: the rate falls, and the line shows for how long
                // nothing moves.
                value = value with { Elapsed = value.Elapsed + age };
                Rate.Observe(value);
                Show(value);
            }
        }
    }
}
