using System.Runtime.CompilerServices;
using Restore.Simulation.Scheduling;

namespace Restore.Simulation.Ports;

/// <summary>
/// A store in memory whose answers take virtual time, and fail as the faults say.
/// </summary>
internal sealed class SimulatedStore(Scheduler scheduler, IReadOnlyDictionary<string, byte[]> content, Faults faults)
    : IVolumeStore
{
    // One less than the tries that the library makes: these faults alone lose nothing.
    private const int MostTransient = 5;

    private readonly SortedDictionary<string, byte[]> files = new(content.ToDictionary(), StringComparer.Ordinal);
    private readonly Dictionary<string, int> transients = [];
    private readonly HashSet<string> refused = [];
    private int reads;

    /// <summary>Reads that have not ended.</summary>
    public int Open { get; private set; }

    public bool IsDisposed { get; private set; }

    public string DisplayName => "simulated";

    public bool HasRanges { get; set; } = true;

    public bool IsLocal { get; init; }

    /// <summary>How long each answer takes; null if chance decides.</summary>
    public TimeSpan? Latency { get; init; }

    public async IAsyncEnumerable<StoredFile> ListAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        foreach ((string name, byte[] bytes) in files.ToArray())
        {
            await LastAsync(cancellationToken);
            yield return new StoredFile(name, bytes.Length);
        }
    }

    public async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        Open++;
        scheduler.Note(name);
        try
        {
            await LastAsync(cancellationToken);
            reads++;
            Fail(name, offset, destination);
            return Copy(name, offset, destination);
        }
        finally
        {
            Open--;
        }
    }

    public ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return default;
    }

    private async Task LastAsync(CancellationToken cancellationToken)
    {
        if (Latency is { } latency)
        {
            await (
                latency > TimeSpan.Zero ? Task.Delay(latency, scheduler.Time, cancellationToken) : Task.CompletedTask
            );
            return;
        }

        int milliseconds = faults.Random.Next(4) switch
        {
            0 => 0,
            1 => faults.Random.Next(60_000),
            _ => faults.Random.Next(50),
        };
        await Task.Delay(TimeSpan.FromMilliseconds(milliseconds), scheduler.Time, cancellationToken);
    }

    private int Copy(string name, long offset, Memory<byte> destination)
    {
        byte[] bytes = files[name];
        int count = (int)Math.Clamp(bytes.Length - offset, 0, destination.Length);
        bytes.AsMemory((int)Math.Min(offset, bytes.Length), count).CopyTo(destination);
        return count;
    }

    private void Fail(string name, long offset, Memory<byte> destination)
    {
        if (reads > faults.GoneAfter)
        {
            faults.Harm("the store is gone");
            throw IsLocal
                ? new RestoreException(RestoreErrorCode.StoreLost, "The store is gone", DisplayName)
                : new TransientStoreException("The store does not answer") { StoreUnreachable = true };
        }

        if (refused.Contains(name))
        {
            throw new AccessRefusedException($"{name} is refused");
        }

        if (!files.ContainsKey(name))
        {
            throw new FileNotFoundException($"{name} does not exist");
        }

        if (!IsLocal && faults.Comes(faults.Transient) && transients.GetValueOrDefault(name) < MostTransient)
        {
            transients[name] = transients.GetValueOrDefault(name) + 1;
            int done = faults.Random.Next(2) == 0 ? 0 : faults.Random.Next(Copy(name, offset, destination) + 1);
            destination.Span[done..].Fill(0xEE);
            faults.Harmless($"{name} broke at {offset}+{done}");
            throw new TransientStoreException("The connection broke")
            {
                BytesRead = done,
                StoreUnreachable = faults.Random.Next(2) == 0,
            };
        }

        if (faults.Comes(faults.Lost))
        {
            Lose(name);
            Fail(name, offset, destination);
        }
    }

    private void Lose(string name)
    {
        byte[] bytes = files[name];
        int place = faults.Random.Next(Math.Max(1, bytes.Length));
        switch (faults.Random.Next(5))
        {
            case 0:
                faults.Harm($"{name} vanished");
                files.Remove(name);
                break;
            case 1:
                faults.Harm($"{name} is refused");
                refused.Add(name);
                break;
            case 2:
                faults.Harm($"{name} was cut to {place}");
                files[name] = bytes[..place];
                break;
            case 3:
                faults.Harm($"{name} changed at {place}");
                byte[] changed = [.. bytes];
                changed[place] ^= 0x40;
                files[name] = changed;
                break;
            default:
                faults.Harmless("the store has no ranges any more");
                HasRanges = false;
                break;
        }
    }
}
