namespace Restore.Maintenance;

/// <summary>
/// Checks whether a backup is still as it was when a plan was made. Used while the lock of writers
/// is held.
/// </summary>
internal static class BackupState
{
    /// <summary>
    /// Takes the lock of a backup, and checks that the backup is as the plan knows it.
    /// </summary>
    /// <exception cref="RestoreException">The store cannot be changed, another program writes to
    /// it, or the backup has changed.</exception>
    public static async Task<WriterLock> LockAsync(
        RetryingSink sink,
        MaintenanceContext context,
        bool allowsNew,
        bool breaksLock,
        CancellationToken cancellationToken
    )
    {
        sink.RequireDeletable();
        WriterLock taken = await WriterLock
            .TakeAsync(sink, context.Volumes.Prefix, context.Time, breaksLock, cancellationToken)
            .ConfigureAwait(false);
        try
        {
            List<StoredFile> listed = await sink.ListAsync(cancellationToken).ConfigureAwait(false);
            RequireSame(listed, context.Volumes, _ => allowsNew, sink.DisplayName);
            await PartialName
                .RemoveAsync(sink, context.Volumes.Prefix, listed, cancellationToken)
                .ConfigureAwait(false);
            return taken;
        }
        catch
        {
            await taken.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Checks again before anything is deleted: that the store has the new volumes, and that the
    /// rest is as the plan knows it. A program that writes without the lock can have added a
    /// version meanwhile that needs the volumes to delete.
    /// </summary>
    /// <exception cref="RestoreException">A volume is missing or not whole, or the backup has
    /// changed.</exception>
    public static async Task RequirePutAsync(
        RetryingSink sink,
        VolumeSet volumes,
        IEnumerable<StoredFile> put,
        Predicate<string> isNamed,
        CancellationToken cancellationToken,
        IReadOnlySet<string>? deleted = null
    )
    {
        List<StoredFile> listed = await sink.ListAsync(cancellationToken).ConfigureAwait(false);
        foreach (StoredFile missing in put.Except(listed))
        {
            throw new RestoreException(
                RestoreErrorCode.DestinationNotWritable,
                "The store does not have the new volume as it was written, so nothing was deleted",
                missing.Name
            );
        }

        RequireSame(listed, volumes, isNamed, sink.DisplayName, deleted);
    }

    /// <summary>
    /// Throws if a volume that the plan knows is gone or has another length, or if there is a new
    /// volume that is not allowed.
    /// </summary>
    private static void RequireSame(
        IEnumerable<StoredFile> listed,
        VolumeSet volumes,
        Predicate<string> allows,
        string where,
        IReadOnlySet<string>? deleted = null
    )
    {
        // Duplicati or an earlier program may write without the lock, so the listing decides. Files
        // of other backups and parity files in the folder do not matter.
        HashSet<string> same = new(StringComparer.Ordinal);
        foreach (StoredFile file in listed)
        {
            bool isKnown =
                volumes.Find(file.Name) is { IsMissing: false } volume
                && volume.FileName == file.Name
                && volume.SizeBytes == file.SizeBytes;
            bool isSpare = volumes.Spares.Values.Any(spare => spare.Name.Name == file.Name);
            bool isOurs =
                !isSpare && VolumeName.TryParse(file.Name, out VolumeName name) && name.Prefix == volumes.Prefix;
            if (isKnown)
            {
                same.Add(file.Name);
            }
            else if (isOurs && !allows(file.Name))
            {
                throw Changed(file.Name);
            }
        }

        if (same.Count < volumes.All.Count(volume => !volume.IsMissing && deleted?.Contains(volume.FileName) != true))
        {
            throw Changed(where);
        }
    }

    private static RestoreException Changed(string where) =>
        new(
            RestoreErrorCode.BackupChanged,
            "The backup was changed after the plan was made, so nothing was deleted",
            where
        );
}
