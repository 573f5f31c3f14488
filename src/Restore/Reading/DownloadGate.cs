namespace Restore.Reading;

/// <summary>
/// Limits concurrent transfers from a remote store: allows one more while that increases the bytes
/// per second, one less if it does not. VolumeDownloader holds a place only while it fetches, so
/// nothing later in the stream can make a holder wait.
/// </summary>
internal sealed class DownloadGate(int most, TimeProvider time)
{
    /// <summary>
    /// Initial limit: enough to keep a link busy with volumes of the usual 50 MB while one of them
    /// is being requested.
    /// </summary>
    public const int Least = 4;

    // Where only latency counts, the sixteenth transfer adds 1/15 = 6.7 %; half of that
    // distinguishes a gain from noise.
    private const double BetterBy = 1.03;

    // After a step without gain: this many windows until the next try, since links change.
    private const int WindowsOfRest = 8;

    private readonly Lock gate = new();
    private readonly Queue<TaskCompletionSource> waiting = new();
    private int taken;
    private int restLeft = 1;
    private bool isTrial;
    private double rateBefore;
    private long windowStart;
    private long windowBytes;
    private int windowTransfers;
    private bool windowWasFull = true;

    public int Width { get; private set; } = Least;

    public int Widest { get; private set; } = Least;

    /// <summary>Waits for a place and takes it; <see cref="Leave"/> returns it.</summary>
    public async ValueTask EnterAsync(CancellationToken cancellationToken)
    {
        TaskCompletionSource granted;
        lock (gate)
        {
            if (taken < Width)
            {
                Take();
                return;
            }

            granted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            waiting.Enqueue(granted);
        }

        using CancellationTokenRegistration cancelled = cancellationToken.UnsafeRegister(
            static (granted, token) => ((TaskCompletionSource)granted!).TrySetCanceled(token),
            granted
        );
        await granted.Task.ConfigureAwait(false);
    }

    /// <summary>Returns the place after a transfer of so many bytes; 0 if it failed.</summary>
    public void Leave(long bytes)
    {
        lock (gate)
        {
            Count(bytes);
            taken--;
            while (taken < Width && waiting.TryDequeue(out TaskCompletionSource? next))
            {
                // Skips waiters that were cancelled.
                if (next.TrySetResult())
                {
                    Take();
                }
            }
        }
    }

    private void Take()
    {
        if (taken++ == 0 && windowTransfers == 0)
        {
            windowStart = time.GetTimestamp();
        }
    }

    /// <summary>
    /// A window has as many transfers as the limit, so that each place occurs in it about once.
    /// </summary>
    private void Count(long bytes)
    {
        windowBytes += bytes;
        windowTransfers++;
        windowWasFull &= taken >= Width;
        if (windowTransfers < Width)
        {
            return;
        }

        double seconds = time.GetElapsedTime(windowStart).TotalSeconds;

        // If a place is free, the limit does not slow the transfers down, and the rate says nothing
        // about the limit.
        if (windowWasFull && seconds > 0)
        {
            Adapt(windowBytes / seconds);
        }

        (windowStart, windowBytes, windowTransfers, windowWasFull) = (time.GetTimestamp(), 0, 0, true);
    }

    private void Adapt(double rate)
    {
        if (!isTrial)
        {
            rateBefore = rate;
            if (--restLeft <= 0)
            {
                TryOneMore();
            }
        }
        else if (rate > rateBefore * BetterBy)
        {
            rateBefore = rate;
            TryOneMore();
        }
        else
        {
            Width--;
            Rest();
        }
    }

    private void TryOneMore()
    {
        if (Width >= most)
        {
            Rest();
            return;
        }

        isTrial = true;
        Width++;
        Widest = Math.Max(Widest, Width);
    }

    private void Rest() => (isTrial, restLeft) = (false, WindowsOfRest);
}
