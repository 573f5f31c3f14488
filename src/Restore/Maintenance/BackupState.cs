using Restore.Format;
using Restore.Storage;
using Restore.Volumes;

namespace Restore.Maintenance;

/// <summary>Whether a backup is still what a plan was made for. To be asked while the lock of writers is held.</summary>
internal static class BackupState
{
    /// <summary>Takes the lock of a backup, and looks whether it is as the plan knows it.</summary>
    /// <param name="sink">The store.</param>
    /// <param name="context">What the plan knows.</param>
    /// <param name="allowsNew">Whether new volumes do no harm.</param>
    /// <param name="breaksLock">Whether to go on although the backup is locked.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="RestoreException">The store cannot be changed, another program writes to it, or the backup has changed.</exception>
    public static async Task<WriterLock> LockAsync(
        RetryingSink sink, MaintenanceContext context, bool allowsNew, bool breaksLock, CancellationToken cancellationToken)
    {
        sink.RequireDeletable();
        WriterLock taken = await WriterLock.TakeAsync(sink, context.Volumes.Prefix, context.Time, breaksLock, cancellationToken).ConfigureAwait(false);
        try
        {
            RequireSame(await sink.ListAsync(cancellationToken).ConfigureAwait(false), context.Volumes, _ => allowsNew, sink.DisplayName);
            return taken;
        }
        catch
        {
            await taken.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Looks again before anything is deleted: whether the store has what was put, and whether the rest is as the plan knows it. Whoever writes without
    /// the lock can have added a version meanwhile that needs what goes.
    /// </summary>
    /// <param name="sink">The store.</param>
    /// <param name="volumes">What the plan knows.</param>
    /// <param name="put">What was put.</param>
    /// <param name="isNamed">Whether a volume of this name was put, or was tried to be.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="RestoreException">A volume is not there, or not whole, or the backup has changed.</exception>
    public static async Task RequirePutAsync(
        RetryingSink sink, VolumeSet volumes, IEnumerable<StoredFile> put, Predicate<string> isNamed, CancellationToken cancellationToken)
    {
        List<StoredFile> listed = await sink.ListAsync(cancellationToken).ConfigureAwait(false);
        foreach (StoredFile missing in put.Except(listed))
        {
            throw new RestoreException(
                RestoreErrorCode.DestinationNotWritable, "The store does not have the new volume as it was written, so nothing was deleted", missing.Name);
        }

        RequireSame(listed, volumes, isNamed, sink.DisplayName);
    }

    /// <summary>Refuses to go on if a volume that the plan knows is gone or has another length, or there is a new one that does harm.</summary>
    private static void RequireSame(IEnumerable<StoredFile> listed, VolumeSet volumes, Predicate<string> allows, string where)
    {
        HashSet<string> same = new(StringComparer.Ordinal);
        foreach (StoredFile file in listed)
        {
            bool isKnown = volumes.Find(file.Name) is { IsMissing: false } volume && volume.SizeBytes == file.SizeBytes;
            bool isOurs = VolumeName.TryParse(file.Name, out VolumeName name) && name.Prefix == volumes.Prefix;
            if (isKnown)
            {
                same.Add(file.Name);
            }
            else if (isOurs && !allows(file.Name))
            {
                throw Changed(file.Name);
            }
        }

        if (same.Count < volumes.All.Count(volume => !volume.IsMissing))
        {
            throw Changed(where);
        }
    }

    private static RestoreException Changed(string where) =>
        new(RestoreErrorCode.BackupChanged, "The backup was changed after the plan was made, so nothing was deleted", where);
}
