using System.Collections.Concurrent;

namespace Restore.Volumes.Parity;

/// <summary>A store in which some volumes are read from repaired copies on this machine.</summary>
internal sealed class MendedStore(IVolumeStore inner) : IVolumeStore
{
    private readonly ConcurrentDictionary<string, string> copies = new(StringComparer.Ordinal);

    public string DisplayName => inner.DisplayName;

    public bool HasRanges => inner.HasRanges;

    public bool IsLocal => inner.IsLocal;

    /// <summary>Reads a volume from a file from now on.</summary>
    public void Replace(string name, string path) => copies[name] = path;

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) => inner.ListAsync(cancellationToken);

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        if (!copies.TryGetValue(name, out string? path))
        {
            return await inner.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);
        }

        FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0, useAsync: true);
        await using (file.ConfigureAwait(false))
        {
            file.Position = offset;
            return await file.ReadAtLeastAsync(destination, destination.Length, throwOnEndOfStream: false, cancellationToken).ConfigureAwait(false);
        }
    }

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}
