namespace Restore.Storage;

/// <summary>
/// Caches the file lists and index volumes of a store in a folder of this machine, as they are
/// (encrypted ones stay encrypted), and reads them from there the next time. A cache that cannot be
/// used is disabled and never fails a read.
/// </summary>
internal sealed class CachingStore(IVolumeStore inner, string cacheFolder) : ForwardingStore(inner)
{
    // The header of an encrypted volume is random, and an archive begins with the time and checksum
    // of its first entry.
    private const int HeadBytes = 512;

    private readonly CacheFolder cache = new(cacheFolder, inner.DisplayName);
    private readonly ConcurrentDictionary<string, long> listedSizes = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, bool> lists = new(StringComparer.Ordinal);

    public string? Problem => cache.Problem;

    public override async IAsyncEnumerable<StoredFile> ListAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        await foreach (StoredFile file in Inner.ListAsync(cancellationToken).ConfigureAwait(false))
        {
            if (
                VolumeName.TryParse(file.Name, out VolumeName name)
                && name.Kind is VolumeKind.FileList or VolumeKind.Index
            )
            {
                // A file that was not listed is not cached: without its size, the cache could not
                // detect another file of the same name.
                listedSizes[file.Name] = file.SizeBytes;
                if (name.Kind == VolumeKind.FileList)
                {
                    lists.TryAdd(file.Name, false);
                }
            }

            yield return file;
        }
    }

    public override async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        if (Problem is not null || !listedSizes.TryGetValue(name, out long sizeBytes))
        {
            return await Inner.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);
        }

        if (
            await IsSameAsync(name, sizeBytes, cancellationToken).ConfigureAwait(false)
            && await cache.ReadAsync(name, sizeBytes, offset, destination, cancellationToken).ConfigureAwait(false)
                is int cached
        )
        {
            return cached;
        }

        int count = await Inner.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);

        // A part of a file is not cached: the cache has whole files, which it can check by their
        // hash.
        if (offset == 0 && count == sizeBytes && count > 0)
        {
            await cache.KeepAsync(name, destination[..count]).ConfigureAwait(false);
        }

        return count;
    }

    /// <summary>
    /// Whether the file list of the store begins as the cached one does. Name and size are not
    /// enough, because two lists can have exchanged their names. Index volumes need no such check:
    /// what they say is verified with the blocks.
    /// </summary>
    private async ValueTask<bool> IsSameAsync(string name, long sizeBytes, CancellationToken cancellationToken)
    {
        if (!HasRanges || !lists.TryGetValue(name, out bool isSame) || isSame)
        {
            return true;
        }

        byte[] kept = new byte[(int)Math.Min(HeadBytes, sizeBytes)];
        if (await cache.ReadAsync(name, sizeBytes, 0, kept, cancellationToken).ConfigureAwait(false) is null)
        {
            return false;
        }

        byte[] there = new byte[kept.Length];
        isSame =
            await Inner.ReadAsync(name, 0, there, cancellationToken).ConfigureAwait(false) == there.Length
            && there.AsSpan().SequenceEqual(kept);
        lists[name] = isSame;
        return isSame;
    }
}
