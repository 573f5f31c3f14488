using System.Collections.Concurrent;
using Restore.Storage;

namespace Restore.Tests.Reading;

/// <summary>A store that has the real volumes of a folder in memory, counts what is read of each, and can be given trouble.</summary>
internal sealed class MemoryVolumes : IVolumeStore
{
    private readonly Dictionary<string, byte[]> files;

    public MemoryVolumes(string folder) => files = Directory.EnumerateFiles(folder).ToDictionary(file => Path.GetFileName(file), File.ReadAllBytes);

    public string DisplayName => "memory";

    public bool HasRanges => true;

    public bool IsLocal => true;

    /// <summary>How often each file was read.</summary>
    public ConcurrentDictionary<string, int> Reads { get; } = [];

    /// <summary>Called before a file is read.</summary>
    public Func<string, CancellationToken, ValueTask>? BeforeRead { get; set; }

    public IEnumerable<string> Names => files.Keys;

    public byte[] this[string name]
    {
        get => files[name];
        set => files[name] = value;
    }

    public int ReadsOf(string kind) => Reads.Where(read => read.Key.Contains(kind, StringComparison.Ordinal)).Sum(read => read.Value);

    public void Remove(string name) => files.Remove(name);

    public async IAsyncEnumerable<StoredFile> ListAsync([System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await Task.Yield();
        foreach ((string name, byte[] content) in files)
        {
            yield return new StoredFile(name, content.Length);
        }
    }

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        Reads.AddOrUpdate(name, 1, (_, count) => count + 1);
        if (BeforeRead is not null)
        {
            await BeforeRead(name, cancellationToken);
        }

        byte[] content = files.TryGetValue(name, out byte[]? found) ? found : throw new FileNotFoundException($"{name} is not there");
        int count = (int)Math.Clamp(content.Length - offset, 0, destination.Length);
        content.AsMemory((int)Math.Min(offset, content.Length), count).CopyTo(destination);
        return count;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
