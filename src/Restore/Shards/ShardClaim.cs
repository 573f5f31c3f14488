using System.Globalization;

namespace Restore.Shards;

/// <summary>
/// The right to restore a part of a split plan: a locked file beside the plan, and one that names the owner, with a count that goes up as a sign of
/// life. Two processes of one machine exclude each other by the lock: what a dead one had can be taken at once. A lock may mean nothing to other machines, and
/// a frozen process keeps its lock: so a part can also be taken when the count has not gone up for a while. No clocks are compared. Who takes it so waits a
/// moment before he begins, and who has not seen for as long that it is his own looks before he writes more: a frozen process that goes on finds that out. If
/// two work all the same, they write the same bytes to the same places.
/// </summary>
internal sealed class ShardClaim : IDisposable
{
    private const string Ended = "ended";

    private readonly FileStream? locked;
    private readonly ClaimFile file;
    private readonly string owner;
    private readonly TimeSpan patience;
    private readonly TimeProvider time;
    private readonly Lock gate = new();
    private readonly CancellationTokenSource lost = new();
    private ITimer? timer;

    // When the part was last seen to be this process's own, by two clocks: one stands still while a machine sleeps, the other can be set.
    private long known;
    private long knownTicks;

    private ShardClaim(FileStream? locked, ClaimFile file, string owner, int attempt, TimeSpan patience, TimeProvider time)
    {
        (this.locked, this.file, this.owner, Attempt, this.patience, this.time) = (locked, file, owner, attempt, patience, time);
        Note(time.GetTimestamp(), time.GetUtcNow().UtcTicks);
        file.Write(owner);
    }

    /// <summary>The number of the attempt, from 1 on.</summary>
    public int Attempt { get; }

    /// <summary>Cancelled when another process has taken the part over.</summary>
    public CancellationToken Lost => lost.Token;

    /// <summary>Takes the part, and waits while another process has it.</summary>
    /// <param name="path">The file.</param>
    /// <param name="timing">How long to wait.</param>
    /// <param name="isDone">Whether the other process has completed the part.</param>
    /// <param name="waiting">Called when another process has it.</param>
    /// <param name="time">The clock.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The right; null if the part is done.</returns>
    public static async Task<ShardClaim?> TakeAsync(
        string path, ClaimTiming timing, Func<bool> isDone, Action waiting, TimeProvider time, CancellationToken cancellationToken)
    {
        ClaimFile file = new(path);
        string[]? seen = null;
        TimeSpan quiet = TimeSpan.Zero;
        while (!isDone())
        {
            FileStream? locked = file.TryLock();
            try
            {
                string[]? now = file.Read();
                quiet = IsSame(now, seen) ? quiet + timing.Beat : TimeSpan.Zero;
                seen = now;
                bool isFree = locked is not null && (now is null || HasEnded(now, file));
                if ((isFree || quiet > timing.Quiet) && !isDone() && (now is not null || file.TryMake()))
                {
                    ShardClaim claim = Take(ref locked, file, now is null ? 1 : AttemptOf(now[0]) + 1, timing, time);
                    if (isFree || await claim.IsKeptAsync(isDone, cancellationToken).ConfigureAwait(false))
                    {
                        return claim;
                    }
                }
            }
            finally
            {
                locked?.Dispose();
            }

            waiting();
            await Task.Delay(timing.Beat, time, cancellationToken).ConfigureAwait(false);
        }

        return null;
    }

    /// <summary>
    /// Whether the part may still be this process's own: what it saw a moment ago counts, else it looks. What cannot be read changes nothing.
    /// </summary>
    /// <param name="looks">Whether it looks in any case.</param>
    public bool MayWrite(bool looks = false)
    {
        try
        {
            return !lost.IsCancellationRequested && ((!looks && HasJustSeen()) || Look());
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            return !lost.IsCancellationRequested;
        }
    }

    /// <summary>Whether no other process has taken the part over; false also if that cannot be read.</summary>
    public bool IsHeld()
    {
        try
        {
            return !lost.IsCancellationRequested && IsNamed();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>Says that the part is no longer being restored, unless another process has taken it over.</summary>
    public void End()
    {
        lock (gate)
        {
            timer?.Dispose();
            try
            {
                if (IsHeld())
                {
                    file.Write($"{Attempt} {Ended}");
                }
            }
            catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
            {
                // Without a sign of life, the part counts as given up.
            }
        }
    }

    public void Dispose()
    {
        lock (gate)
        {
            timer?.Dispose();
            locked?.Dispose();
        }

        lost.Dispose();
    }

    private static ShardClaim Take(ref FileStream? locked, ClaimFile file, int attempt, ClaimTiming timing, TimeProvider time)
    {
        // Whoever finds the lock free must not take this process for a dead one: without the lock, it is one of another machine for them.
        string machine = locked is null ? $"{Machine()}/unlocked" : Machine();
        string owner = string.Create(CultureInfo.InvariantCulture, $"{attempt} {machine} {Guid.NewGuid():N}");
        ShardClaim claim = new(locked, file, owner, attempt, 2 * timing.Beat, time);
        locked = null;
        claim.timer = time.CreateTimer(_ => claim.Live(), null, timing.Beat, timing.Beat);
        return claim;
    }

    /// <summary>Whether the process that has the part by what the file says no longer lives, when this one got its lock.</summary>
    private static bool HasEnded(string[] last, ClaimFile file) =>
        last[0].Split(' ') is [_, var machine, ..] && (machine == Ended || (machine == Machine() && file.DoesLockExclude()));

    private static bool IsSame(string[]? now, string[]? seen) => now is null ? seen is null : seen is not null && now.AsSpan().SequenceEqual(seen);

    private static int AttemptOf(string owner) =>
        int.TryParse(owner.Split(' ')[0], NumberStyles.None, CultureInfo.InvariantCulture, out int attempt) ? attempt : 0;

    /// <summary>
    /// A text that processes have in common only if a lock means something to both: the name of the machine and its start. Containers may have one
    /// name and the same numbers of processes, on two machines; without the id of the start, none of them counts as the same machine.
    /// </summary>
    private static string Machine()
    {
        const string BootId = "/proc/sys/kernel/random/boot_id";
        string start = File.Exists(BootId) ? File.ReadAllText(BootId).Trim() : OperatingSystem.IsLinux() ? Guid.NewGuid().ToString("N") : "";
        return $"{Environment.MachineName}/{start}".Replace(' ', '_');
    }

    /// <summary>
    /// Waits until a process that goes on must have seen that the part is taken, and until only one of several that took it has it.
    /// </summary>
    private async Task<bool> IsKeptAsync(Func<bool> isDone, CancellationToken cancellationToken)
    {
        bool isKept = false;
        try
        {
            await Task.Delay(2 * patience, time, cancellationToken).ConfigureAwait(false);
            isKept = IsHeld() && !isDone();
            return isKept;
        }
        finally
        {
            if (!isKept)
            {
                End();
                Dispose();
            }
        }
    }

    private bool HasJustSeen() => time.GetElapsedTime(Volatile.Read(ref known)) <= patience
        && Math.Abs(time.GetUtcNow().UtcTicks - Volatile.Read(ref knownTicks)) <= patience.Ticks;

    private void Note(long timestamp, long ticks)
    {
        Volatile.Write(ref known, timestamp);
        Volatile.Write(ref knownTicks, ticks);
    }

    /// <summary>Whether the file names this process.</summary>
    private bool IsNamed() => file.Read() is [var present, ..] && present == owner;

    /// <summary>Looks whose the part is.</summary>
    private bool Look()
    {
        (long timestamp, long ticks) = (time.GetTimestamp(), time.GetUtcNow().UtcTicks);
        bool isOwn = IsNamed();
        if (isOwn)
        {
            Note(timestamp, ticks);
        }
        else
        {
            // Who waits for it goes on elsewhere: this may be one of the threads that it ends.
            _ = lost.CancelAsync();
        }

        return isOwn;
    }

    private void Live()
    {
        if (!gate.TryEnter())
        {
            return;
        }

        try
        {
            if (Look())
            {
                file.Write(owner, flushes: false);
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            // The next sign of life may be possible again. Without one, another process takes over.
        }
        finally
        {
            gate.Exit();
        }
    }
}

/// <summary>The times of a claim.</summary>
/// <param name="Beat">From one sign of life to the next.</param>
/// <param name="Quiet">How long a process that may live gives no sign of it before it counts as dead.</param>
internal sealed record ClaimTiming(TimeSpan Beat, TimeSpan Quiet)
{
    // A network file system shows changes of others after a minute at most.
    public static ClaimTiming Default { get; } = new(TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(90));
}
