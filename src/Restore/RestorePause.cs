namespace Restore;

/// <summary>
/// Pauses a restore or an export, and lets it go on where it was. Meanwhile nothing more is asked
/// of the store, and what was fetched stays in memory, so nothing is fetched twice. What is on its
/// way when the pause begins is finished. Safe for concurrent use.
/// </summary>
public sealed class RestorePause
{
    private readonly Lock gate = new();
    private TaskCompletionSource? paused;

    /// <summary>Whether a pause has begun and not ended.</summary>
    public bool IsPaused
    {
        get
        {
            lock (gate)
            {
                return paused is not null;
            }
        }
    }

    /// <summary>Begins a pause, unless there is one.</summary>
    public void Begin()
    {
        lock (gate)
        {
            // What waits must not go on within the call that ends the pause.
            paused ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }

    /// <summary>Ends the pause, if there is one.</summary>
    public void End()
    {
        TaskCompletionSource? ended;
        lock (gate)
        {
            (ended, paused) = (paused, null);
        }

        ended?.SetResult();
    }

    /// <summary>Waits until there is no pause.</summary>
    internal async ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        while (Current() is { } pause)
        {
            await pause.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private Task? Current()
    {
        lock (gate)
        {
            return paused?.Task;
        }
    }
}
