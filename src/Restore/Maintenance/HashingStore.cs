using System.Collections.Concurrent;
using Restore.Format;
using Restore.Volumes;

namespace Restore.Maintenance;

/// <summary>A store that hashes each volume that is read whole, as it is in the store.</summary>
internal sealed class HashingStore(IVolumeStore inner, VolumeSet volumes) : IVolumeStore
{
    private readonly ConcurrentDictionary<VolumeId, byte[]> hashes = [];
    private HashKind kind = HashKind.Sha256;

    public string DisplayName => inner.DisplayName;

    public bool HasRanges => inner.HasRanges;

    public bool IsLocal => inner.IsLocal;

    /// <summary>Sets the hash of volumes, which the first list gives. Almost all backups have the one that is assumed before.</summary>
    public void Use(HashKind next)
    {
        if (kind != next)
        {
            kind = next;
            hashes.Clear();
        }
    }

    /// <summary>The hash of a volume; null if it was not read whole.</summary>
    public byte[]? Find(VolumeId volume) => hashes.GetValueOrDefault(volume);

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) => inner.ListAsync(cancellationToken);

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        int read = await inner.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);
        if (offset == 0 && volumes.Find(name) is Volume volume && volume.SizeBytes == read)
        {
            byte[] hash = new byte[kind.LengthBytes()];
            kind.HashData(destination.Span[..read], hash);
            hashes[volume.Id] = hash;
        }

        return read;
    }

    /// <summary>Does nothing: the inner store belongs to the backup.</summary>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
