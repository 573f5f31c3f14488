namespace Restore.Maintenance.Database;

/// <summary>
/// The hashes of volumes that were read whole, as they are in the store. Safe for concurrent use.
/// </summary>
internal sealed class VolumeHashes
{
    private readonly ConcurrentDictionary<VolumeId, byte[]> hashes = [];
    private HashKind kind = HashKind.Sha256;

    /// <summary>
    /// Sets the hash algorithm of volumes, which the first list gives. Almost all backups use the
    /// algorithm that is assumed until then.
    /// </summary>
    public void Use(HashKind next)
    {
        if (kind != next)
        {
            kind = next;
            hashes.Clear();
        }
    }

    public byte[]? Find(VolumeId volume) => hashes.GetValueOrDefault(volume);

    public void Add(Volume volume, ReadOnlyMemory<byte> bytes) => hashes[volume.Id] = kind.HashData(bytes.Span);
}
