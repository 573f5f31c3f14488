using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Restore.Format;

namespace Restore.Storage;

/// <summary>
/// Caches the file lists and index volumes of a store in a folder of this machine, as they are (encrypted ones stay encrypted), and reads
/// them from there the next time. A cache that cannot be used is disabled and never fails a read.
/// </summary>
internal sealed class CachingStore : IVolumeStore
{
    private readonly IVolumeStore inner;
    private readonly CacheFolder cache;
    private readonly ConcurrentDictionary<string, long> listedSizes = new(StringComparer.Ordinal);

    /// <param name="inner">The store.</param>
    /// <param name="cacheFolder">The folder for the caches of all stores.</param>
    public CachingStore(IVolumeStore inner, string cacheFolder)
    {
        this.inner = inner;
        cache = new CacheFolder(cacheFolder, inner.DisplayName);
    }

    /// <summary>Why the cache is disabled; null while it is used.</summary>
    public string? Problem => cache.Problem;

    public string DisplayName => inner.DisplayName;

    public bool HasRanges => inner.HasRanges;

    public bool IsLocal => inner.IsLocal;

    public async IAsyncEnumerable<StoredFile> ListAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (StoredFile file in inner.ListAsync(cancellationToken).ConfigureAwait(false))
        {
            if (VolumeName.TryParse(file.Name, out VolumeName name) && name.Kind is VolumeKind.FileList or VolumeKind.Index)
            {
                listedSizes[file.Name] = file.SizeBytes;
            }

            yield return file;
        }
    }

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        if (Problem is not null || !listedSizes.TryGetValue(name, out long sizeBytes))
        {
            return await inner.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);
        }

        if (await cache.ReadAsync(name, sizeBytes, offset, destination, cancellationToken).ConfigureAwait(false) is int cached)
        {
            return cached;
        }

        int count = await inner.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);
        if (offset == 0 && count == sizeBytes && count > 0)
        {
            await cache.KeepAsync(name, destination[..count]).ConfigureAwait(false);
        }

        return count;
    }

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}
