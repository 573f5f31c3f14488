namespace Restore.Reading;

/// <summary>
/// The bytes of volumes that may be in memory at the same time. VolumeManager takes credit for each
/// volume; the last user of its bytes returns it. Credit is the only thing that flows against the
/// stream. A volume larger than the whole credit gets all of it, alone.
/// </summary>
internal sealed class VolumeCredit(long totalBytes)
{
    private readonly Lock gate = new();
    private long takenBytes;
    private (long Bytes, TaskCompletionSource Granted)? waiting;

    /// <summary>
    /// Waits until the bytes are free and takes them. Only one caller may take credit.
    /// </summary>
    public async ValueTask<Share> TakeAsync(long bytes, CancellationToken cancellationToken)
    {
        long wanted = Math.Min(bytes, totalBytes);
        TaskCompletionSource? granted = null;
        lock (gate)
        {
            if (takenBytes + wanted <= totalBytes)
            {
                takenBytes += wanted;
            }
            else
            {
                granted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                waiting = (wanted, granted);
            }
        }

        if (granted is not null)
        {
            try
            {
                await granted.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                Withdraw(granted, wanted);
                throw;
            }
        }

        return new Share(this, wanted);
    }

    /// <summary>
    /// Ends the wait of a caller that was cancelled; credit that it was granted meanwhile goes
    /// back.
    /// </summary>
    private void Withdraw(TaskCompletionSource granted, long wanted)
    {
        lock (gate)
        {
            if (waiting?.Granted == granted)
            {
                waiting = null;
                return;
            }
        }

        GiveBack(wanted);
    }

    private void GiveBack(long bytes)
    {
        TaskCompletionSource? granted = null;
        lock (gate)
        {
            takenBytes -= bytes;
            if (waiting is { } next && takenBytes + next.Bytes <= totalBytes)
            {
                takenBytes += next.Bytes;
                granted = next.Granted;
                waiting = null;
            }
        }

        granted?.SetResult();
    }

    /// <summary>The credit for one volume; disposing returns it, once.</summary>
    internal sealed class Share(VolumeCredit owner, long bytes) : IDisposable
    {
        private VolumeCredit? owner = owner;
        private long bytes = bytes;

        /// <summary>Returns the part of the credit that is not needed.</summary>
        public void Shrink(long neededBytes)
        {
            long surplus = bytes - neededBytes;
            if (surplus > 0)
            {
                bytes = neededBytes;
                owner?.GiveBack(surplus);
            }
        }

        public void Dispose() => Interlocked.Exchange(ref owner, null)?.GiveBack(bytes);
    }
}
