namespace Restore.Maintenance.Passphrase;

/// <summary>
/// Replaces volumes with new ones in groups: writes the new ones, checks that the store lists them
/// with their whole length, and only then deletes the old ones. The limit of bytes keeps the room
/// that the store needs small; the limit of volumes is high enough that the store is not listed for
/// each volume.
/// </summary>
/// <param name="context">The backup.</param>
/// <param name="sink">The store.</param>
/// <param name="held">The lock of the backup.</param>
/// <param name="goWith">Returns the volumes to delete before a volume; its second argument says
/// which volumes are replaced.</param>
/// <param name="cancellationToken">Cancels it.</param>
internal sealed class VolumeReplacement(
    MaintenanceContext context,
    RetryingSink sink,
    WriterLock held,
    Func<Volume, Predicate<Volume>, IEnumerable<Volume>> goWith,
    CancellationToken cancellationToken
)
{
    private const long MostBytes = 256 << 20;
    private const int MostVolumes = 50;

    private readonly List<Volume> going = [];
    private readonly HashSet<VolumeId> replaced = [];
    private readonly HashSet<string> deleted = new(StringComparer.Ordinal);
    private readonly HashSet<string> named = new(StringComparer.Ordinal);
    private readonly List<StoredFile> put = [];

    public long BytesWritten => put.Sum(file => file.SizeBytes);

    public bool IsDeleted(Volume volume) => deleted.Contains(volume.FileName);

    /// <summary>Writes a new volume.</summary>
    /// <returns>Its name.</returns>
    public async Task<string> PutAsync(Func<int, string> nameOfTry, ReadOnlyMemory<byte> content)
    {
        string name = await sink.PutAsync(NameOf, content, cancellationToken).ConfigureAwait(false);
        put.Add(new StoredFile(name, content.Length));
        return name;

        string NameOf(int trial)
        {
            string next = nameOfTry(trial);
            named.Add(next);
            return next;
        }
    }

    /// <summary>
    /// Marks a volume to be deleted with its group, because a new volume has its content.
    /// </summary>
    public async Task ReplaceAsync(Volume volume)
    {
        going.Add(volume);
        replaced.Add(volume.Id);
        if (going.Count >= MostVolumes || going.Sum(one => one.SizeBytes) >= MostBytes)
        {
            await EndGroupAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Deletes the volumes of the group.</summary>
    /// <exception cref="RestoreException">
    /// The store does not have a new volume whole, or another program has changed the backup.
    /// </exception>
    public async Task EndGroupAsync()
    {
        if (going.Count == 0)
        {
            return;
        }

        await BackupState
            .RequirePutAsync(sink, context.Volumes, put, named.Contains, cancellationToken, deleted)
            .ConfigureAwait(false);
        foreach (Volume volume in going)
        {
            // A block volume without an index volume is read itself. An index volume that describes
            // an absent block volume would never be deleted.
            IEnumerable<Volume> all = goWith(volume, other => replaced.Contains(other.Id)).Append(volume);
            foreach (Volume first in all.Where(one => !IsDeleted(one)))
            {
                await context.Volumes.DeleteAsync(sink, first.FileName, cancellationToken).ConfigureAwait(false);
                deleted.Add(first.FileName);
                await held.CompleteAsync(cancellationToken).ConfigureAwait(false);
            }
        }

        going.Clear();
    }
}
