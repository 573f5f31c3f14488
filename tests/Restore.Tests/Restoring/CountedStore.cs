using Restore.Storage;

namespace Restore.Tests.Restoring;

/// <summary>
/// A store that counts what is fetched from it, by the names of the files, and counts as remote. A
/// read of a block volume waits while it is held.
/// </summary>
internal sealed class CountedStore(IVolumeStore inner) : IVolumeStore
{
    private readonly Lock gate = new();
    private readonly Dictionary<string, long> bytes = new(StringComparer.Ordinal);
    private TaskCompletionSource? held;
    private int waitingReads;

    /// <summary>How many reads wait.</summary>
    public int Waiting => Volatile.Read(ref waitingReads);

    public string DisplayName => inner.DisplayName;

    public bool HasRanges => inner.HasRanges;

    public bool IsLocal => false;

    public long Bytes
    {
        get
        {
            lock (gate)
            {
                return bytes.Values.Sum();
            }
        }
    }

    /// <summary>The bytes that came from each block volume.</summary>
    public Dictionary<string, long> OfBlockVolumes
    {
        get
        {
            lock (gate)
            {
                return bytes.Where(one => IsBlockVolume(one.Key)).ToDictionary(StringComparer.Ordinal);
            }
        }
    }

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) =>
        inner.ListAsync(cancellationToken);

    public async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        if (IsBlockVolume(name) && held is { } waiting)
        {
            Interlocked.Increment(ref waitingReads);
            try
            {
                await waiting.Task.WaitAsync(cancellationToken);
            }
            finally
            {
                Interlocked.Decrement(ref waitingReads);
            }
        }

        int count = await inner.ReadAsync(name, offset, destination, cancellationToken);
        lock (gate)
        {
            bytes[name] = bytes.GetValueOrDefault(name) + count;
        }

        return count;
    }

    public void Hold() => held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Release() => held?.TrySetResult();

    public ValueTask DisposeAsync()
    {
        Release();
        return inner.DisposeAsync();
    }

    private static bool IsBlockVolume(string name) => name.Contains(".dblock.", StringComparison.Ordinal);
}
