namespace Restore.Reading;

/// <summary>
/// How many transfers from a remote store go on at once: one more while that brings more bytes in a second, one less when it does not.
/// VolumeDownloader holds a place only while it fetches, so nothing that comes later can make a holder wait.
/// </summary>
/// <param name="most">How many at most.</param>
/// <param name="time">The clock that rates are measured by.</param>
internal sealed class DownloadGate(int most, TimeProvider time)
{
    /// <summary>At first: enough to keep a link busy with volumes of the usual 50 MB while one of them is being asked for.</summary>
    public const int Least = 4;

    // The sixteenth brings 1/15 = 6.7 % where latency is all that counts; half of that tells a gain from noise.
    private const double BetterBy = 1.03;

    // After a step that did not pay: this many windows until the next try, since links change.
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

    /// <summary>How many may go on at once now.</summary>
    public int Width { get; private set; } = Least;

    /// <summary>The most that it was.</summary>
    public int Widest { get; private set; } = Least;

    /// <summary>Waits for a place and takes it; <see cref="Leave"/> gives it back.</summary>
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

        using CancellationTokenRegistration giveUp = cancellationToken.UnsafeRegister(
            static (granted, token) => ((TaskCompletionSource)granted!).TrySetCanceled(token), granted);
        await granted.Task.ConfigureAwait(false);
    }

    /// <summary>Gives the place back after a transfer of so many bytes; 0 if it failed.</summary>
    public void Leave(long bytes)
    {
        lock (gate)
        {
            Count(bytes);
            taken--;
            while (taken < Width && waiting.TryDequeue(out TaskCompletionSource? next))
            {
                // One that gave up is passed over.
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

    /// <summary>A window is as many transfers as go on at once, so that each place is in it about once.</summary>
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

        // With a place free it is not the number of places that holds the transfers up: the rate says nothing about it.
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
