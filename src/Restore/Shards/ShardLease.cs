namespace Restore.Shards;

/// <summary>
/// The lease on a part of a split plan: a file beside the plan with its owner, and a count that
/// goes up with each heartbeat. Another process takes over the lease of an owner without a
/// heartbeat; clocks are not compared. A process that takes over a lease waits before it begins,
/// and an owner with a late heartbeat reads the file before each write, so a process that was
/// frozen finds that it no longer has the lease. A lock shows immediately that a process of the
/// same machine is dead; it means nothing to other machines. If two processes work on a part
/// nevertheless, they write the same bytes to the same places.
/// </summary>
internal sealed class ShardLease : IDisposable
{
    private const string Ended = "ended";

    private readonly FileStream? locked;
    private readonly LeaseFile file;
    private readonly string owner;
    private readonly LeaseTiming timing;
    private readonly TimeProvider time;
    private readonly Lock gate = new();
    private readonly CancellationTokenSource lost = new();

    private ITimer? timer;

    // When the lease was last seen to be this process's own. The wall clock goes on while the
    // machine sleeps, and a clock that is set costs one look.
    private long seen;

    private ShardLease(FileStream? locked, LeaseFile file, int attempt, LeaseTiming timing, TimeProvider time)
    {
        (this.locked, this.file, Attempt, this.timing, this.time) = (locked, file, attempt, timing, time);

        // Without the lock, a process that finds the lock free must treat the owner as one of
        // another machine.
        string machine = locked is null ? $"{Machine()}/unlocked" : Machine();
        owner = string.Create(CultureInfo.InvariantCulture, $"{attempt} {machine} {Guid.NewGuid():N}");
    }

    /// <summary>The number of the attempt, from 1 on.</summary>
    public int Attempt { get; }

    /// <summary>Cancelled when another process has taken the lease over.</summary>
    public CancellationToken Lost => lost.Token;

    /// <summary>Takes the lease, and waits while another process has it.</summary>
    /// <param name="isDone">Whether the other process has completed the part.</param>
    /// <param name="waiting">Called when another process has it.</param>
    /// <returns>The lease; null if the part is done.</returns>
    public static async Task<ShardLease?> TakeAsync(
        string path,
        LeaseTiming timing,
        Func<bool> isDone,
        Action waiting,
        TimeProvider time,
        CancellationToken cancellationToken
    )
    {
        LeaseFile file = new(path);
        string[]? last = null;
        TimeSpan quiet = TimeSpan.Zero;
        while (!isDone())
        {
            FileStream? locked = file.TryLock();
            try
            {
                string[]? now = file.Read();

                // Each look that finds the same heartbeat adds one beat of this process's own time;
                // a change starts again from zero.
                quiet =
                    (now is null ? last is null : last is not null && now.AsSpan().SequenceEqual(last))
                        ? quiet + timing.Beat
                        : TimeSpan.Zero;
                last = now;
                bool isFree = locked is not null && (now is null || HasEnded(now, file));

                // A claim without an owner was left by a program that was killed before it wrote
                // the owner, or by a device that lost the owner.
                bool isNameless = locked is not null && now is not null && IsNameless(now) && file.DoesLockExclude();
                if (
                    (isFree || isNameless || quiet > timing.Quiet)
                    && !isDone()
                    && TryTake(locked, file, now is null ? null : AttemptOf(now[0]), timing, time) is { } lease
                )
                {
                    locked = null;
                    if (isFree || await lease.IsKeptAsync(isDone, cancellationToken).ConfigureAwait(false))
                    {
                        return lease;
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
    /// Whether the lease may still be this process's own. A recent look counts; otherwise, the
    /// process looks again. A file that cannot be read changes nothing.
    /// </summary>
    public bool MayWrite() =>
        !lost.IsCancellationRequested
        && (Math.Abs(time.GetUtcNow().UtcTicks - Volatile.Read(ref seen)) <= timing.Fresh.Ticks || Look() != false);

    /// <summary>
    /// Whether the file says that the lease is this process's own; null if it cannot be read.
    /// </summary>
    public bool? Look()
    {
        try
        {
            long now = time.GetUtcNow().UtcTicks;
            bool isOwn = !lost.IsCancellationRequested && file.Read() is [var present, ..] && present == owner;
            if (isOwn)
            {
                Volatile.Write(ref seen, now);
            }
            else
            {
                // The code that waits for this continues on another thread: this thread may be one
                // that it ends.
                _ = lost.CancelAsync();
            }

            return isOwn;
        }
        catch (Exception failure)
            when (failure is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            return null;
        }
    }

    /// <summary>
    /// Says that the part is no longer being restored, unless another process has taken it over.
    /// </summary>
    public void End()
    {
        lock (gate)
        {
            timer?.Dispose();
            WriteIfOwn($"{Attempt} {Ended}", flushes: true);
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

    /// <summary>
    /// Whether the process that has the part, according to the file, no longer lives. Asked when
    /// this process got its lock.
    /// </summary>
    private static bool HasEnded(string[] last, LeaseFile file) =>
        last[0].Split(' ') is [_, var machine, ..]
        && (machine == Ended || (machine == Machine() && file.DoesLockExclude()));

    /// <param name="earlier">The number of the attempt that the file names; null to make the
    /// file.</param>
    private static ShardLease? TryTake(
        FileStream? locked,
        LeaseFile file,
        int? earlier,
        LeaseTiming timing,
        TimeProvider time
    )
    {
        ShardLease lease = new(locked, file, (earlier ?? 0) + 1, timing, time);
        if (earlier is not null)
        {
            file.Write(lease.owner);
        }
        // A file that exists is overwritten, and one that does not exist is made: only making it
        // can be exclusive on every file system.
        else if (!file.TryMake(lease.owner))
        {
            lease.Dispose();
            return null;
        }

        lease.Begin();
        return lease;
    }

    private void Begin()
    {
        seen = time.GetUtcNow().UtcTicks;
        timer = time.CreateTimer(_ => Beat(), null, timing.Beat, timing.Beat);
    }

    private static bool IsNameless(string[] claim) => claim.All(line => line.AsSpan().Trim(" \0").IsEmpty);

    private static int AttemptOf(string owner) =>
        int.TryParse(owner.Split(' ')[0], NumberStyles.None, CultureInfo.InvariantCulture, out int attempt)
            ? attempt
            : 0;

    /// <summary>
    /// A text that processes have in common only if a lock means something to both: the name of the
    /// machine and its start. Containers may have one name and the same numbers of processes, on
    /// two machines; without the id of the start, none of them counts as the same machine.
    /// </summary>
    private static string Machine()
    {
        const string BootId = "/proc/sys/kernel/random/boot_id";
        string start =
            File.Exists(BootId) ? File.ReadAllText(BootId).Trim()
            : OperatingSystem.IsLinux() ? Guid.NewGuid().ToString("N")
            : "";
        return $"{Environment.MachineName}/{start}".Replace(' ', '_');
    }

    /// <summary>
    /// Waits until a process that still runs must have seen that the part is taken, and until only
    /// one of several processes that took it has it.
    /// </summary>
    private async Task<bool> IsKeptAsync(Func<bool> isDone, CancellationToken cancellationToken)
    {
        bool isKept = false;
        try
        {
            await Task.Delay(2 * timing.Fresh, time, cancellationToken).ConfigureAwait(false);

            // The wait is longer than an owner trusts its last look, so a slow owner has noticed by
            // now; and the last of several that wrote their names has overwritten the others.
            isKept = Look() == true && !isDone();
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

    private void Beat()
    {
        // A file system that does not answer must not make other threads wait for this one.
        if (gate.TryEnter())
        {
            try
            {
                // Not flushed: a flush can wait for everything that a restore has written, and
                // other processes see the heartbeat without it.
                WriteIfOwn(owner, flushes: false);
            }
            finally
            {
                gate.Exit();
            }
        }
    }

    private void WriteIfOwn(string text, bool flushes)
    {
        try
        {
            if (Look() == true)
            {
                file.Write(text, flushes);
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // The next heartbeat may be possible again. Without one, another process takes over.
        }
    }
}
