using System.Runtime.CompilerServices;
using Restore.Storage;

namespace Restore.Tests.Storage;

/// <summary>A store that fails as told: each read or listing takes the next step of the script, and after its end all goes well.</summary>
internal sealed class ScriptedStore(byte[] content, params Exception?[] script) : IVolumeStore
{
    private readonly Queue<Exception?> script = new(script);

    public List<(string Name, long Offset, int Length)> Reads { get; } = [];

    public List<StoredFile> Files { get; init; } = [];

    /// <summary>How many files a listing gives before it fails.</summary>
    public int ListedBeforeFailure { get; init; }

    public int Listings { get; private set; }

    public string DisplayName => "scripted://store";

    public bool HasRanges => true;

    public bool IsLocal => false;

    public async IAsyncEnumerable<StoredFile> ListAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await Task.Yield();
        Listings++;
        Exception? failure = script.Count > 0 ? script.Dequeue() : null;
        foreach (StoredFile file in failure is null ? Files : Files.Take(ListedBeforeFailure))
        {
            yield return file;
        }

        if (failure is not null)
        {
            throw failure;
        }
    }

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        await Task.Yield();
        Reads.Add((name, offset, destination.Length));
        Exception? failure = script.Count > 0 ? script.Dequeue() : null;
        int count = (failure as TransientStoreException)?.BytesRead ?? Math.Min(destination.Length, content.Length - (int)offset);
        content.AsMemory((int)offset, count).CopyTo(destination);
        return failure is null ? count : throw failure;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
