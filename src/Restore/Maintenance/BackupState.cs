using Restore.Format;
using Restore.Storage;
using Restore.Volumes;

namespace Restore.Maintenance;

/// <summary>Whether a backup is still what a plan was made for. To be asked while the lock of writers is held.</summary>
internal static class BackupState
{
    /// <summary>Refuses to go on if a volume that the plan knows is gone or has another length, or there is a new one that does harm.</summary>
    /// <exception cref="RestoreException">The backup has changed.</exception>
    public static async Task RequireSameAsync(RetryingSink sink, VolumeSet volumes, bool allowsNew, CancellationToken cancellationToken)
    {
        int same = 0;
        foreach (StoredFile file in await sink.ListAsync(cancellationToken).ConfigureAwait(false))
        {
            bool isKnown = volumes.Find(file.Name) is { IsMissing: false } volume && volume.SizeBytes == file.SizeBytes;
            same += isKnown ? 1 : 0;
            bool isOurs = VolumeName.TryParse(file.Name, out VolumeName name) && name.Prefix == volumes.Prefix;
            if (isOurs && !isKnown && !allowsNew)
            {
                throw Changed(file.Name);
            }
        }

        if (same < volumes.All.Count(volume => !volume.IsMissing))
        {
            throw Changed(sink.DisplayName);
        }
    }

    /// <exception cref="RestoreException">Nothing can be deleted from the store.</exception>
    public static void RequireDeletable(RetryingSink sink)
    {
        if (!sink.CanDelete)
        {
            throw new RestoreException(RestoreErrorCode.StoreAppendOnly, "Nothing can be deleted there, because it only takes new files", sink.DisplayName);
        }
    }

    private static RestoreException Changed(string where) =>
        new(RestoreErrorCode.BackupChanged, "The backup was changed after the plan was made, so nothing was deleted", where);
}
