using System.Globalization;
using System.Text;

namespace Restore.Restoring.Shards;

/// <summary>
/// The right to restore a part of a split plan: a locked file beside the plan, and one that names the owner, with a count that goes up as a sign of
/// life. Two processes of one machine exclude each other by the lock: what a dead one had can be taken at once. A lock may mean nothing to other machines, and
/// a frozen process keeps its lock: so a part can also be taken when the count has not gone up for a while. No clocks are compared. If two work all the same,
/// they write the same bytes to the same places.
/// </summary>
internal sealed class ShardClaim : IDisposable
{
    private const string Ended = "ended";

    // What the runtime reports when another process has the lock: the number of the error on Linux and macOS, the code on Windows.
    private const int LockedOnLinux = 11;
    private const int LockedOnMac = 35;
    private const int LockedOnWindows = unchecked((int)0x80070020);

    private readonly FileStream? locked;
    private readonly string path;
    private readonly string owner;
    private readonly Lock gate = new();
    private readonly CancellationTokenSource lost = new();
    private ITimer? timer;
    private long beat;

    private ShardClaim(FileStream? locked, string path, string owner, int attempt)
    {
        (this.locked, this.path, this.owner, Attempt) = (locked, path, owner, attempt);
        Write(owner);
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
        string[]? seen = null;
        TimeSpan quiet = TimeSpan.Zero;
        while (!isDone())
        {
            FileStream? locked = TryLock(path);
            try
            {
                string[]? now = Read(path);
                quiet = IsSame(now, seen) ? quiet + timing.Beat : TimeSpan.Zero;
                seen = now;
                bool isFree = quiet > timing.Quiet || (locked is not null && (now is null || HasEnded(now)));
                if (isFree && !isDone())
                {
                    return Take(ref locked, path, now is null ? 1 : AttemptOf(now[0]) + 1, timing, time);
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

    /// <summary>Whether no other process has taken the part over; false also if that cannot be read.</summary>
    public bool IsHeld()
    {
        try
        {
            return !lost.IsCancellationRequested && Read(path) is [var present, ..] && present == owner;
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
                    Write($"{Attempt} {Ended}");
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

    private static ShardClaim Take(ref FileStream? locked, string path, int attempt, ClaimTiming timing, TimeProvider time)
    {
        // Whoever finds the lock free must not take this process for a dead one: without the lock, it is one of another machine for them.
        string machine = locked is null ? $"{Machine()}/unlocked" : Machine();
        string owner = string.Create(CultureInfo.InvariantCulture, $"{attempt} {machine} {Guid.NewGuid():N}");
        ShardClaim claim = new(locked, path, owner, attempt);
        locked = null;
        claim.timer = time.CreateTimer(_ => claim.Live(), null, timing.Beat, timing.Beat);
        return claim;
    }

    /// <summary>Whether the process that has the part by what the file says no longer lives, when its lock is free.</summary>
    private static bool HasEnded(string[] last) => last[0].Split(' ') is [_, var machine, ..] && (machine == Ended || machine == Machine());

    private static bool IsSame(string[]? now, string[]? seen) => now is null ? seen is null : seen is not null && now.AsSpan().SequenceEqual(seen);

    private static int AttemptOf(string owner) =>
        int.TryParse(owner.Split(' ')[0], NumberStyles.None, CultureInfo.InvariantCulture, out int attempt) ? attempt : 0;

    private static FileStream? TryLock(string path)
    {
        try
        {
            return new FileStream(LockOf(path), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, bufferSize: 0);
        }
        catch (IOException failure) when (failure.HResult is LockedOnLinux or LockedOnMac or LockedOnWindows)
        {
            return null;
        }
    }

    private static string LockOf(string path) => path + ".lock";

    /// <summary>
    /// The owner, and its last sign of life; null if there was none. Opened anew each time: only then a network file system asks its server.
    /// </summary>
    private static string[]? Read(string path)
    {
        if (!File.Exists(path))
        {
            return null;
        }

        using FileStream stream = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        using StreamReader reader = new(stream);
        return reader.ReadToEnd().Split('\n');
    }

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

    private void Live()
    {
        if (!gate.TryEnter())
        {
            return;
        }

        try
        {
            if (Read(path) is [var present, ..] && present == owner)
            {
                Write(owner);
            }
            else
            {
                lost.Cancel();
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

    private void Write(string line)
    {
        byte[] content = Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{line}\n{++beat}\n"));
        using FileStream file = new(path, FileMode.OpenOrCreate, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        file.Write(content);
        file.SetLength(content.Length);
        file.Flush(flushToDisk: true);
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
