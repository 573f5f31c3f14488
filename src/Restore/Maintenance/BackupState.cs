using Restore.Format;
using Restore.Storage;
using Restore.Volumes;

namespace Restore.Maintenance;

/// <summary>Whether a backup is still what a plan was made for. To be asked while the lock of writers is held.</summary>
internal static class BackupState
{
    /// <summary>Refuses to go on if a volume that the plan knows is gone or has another length, or there is a new one that does harm.</summary>
    /// <param name="listed">What the store has now.</param>
    /// <param name="volumes">What the plan knows.</param>
    /// <param name="allows">Whether a new volume of this name does no harm.</param>
    /// <param name="where">The store, for messages.</param>
    /// <exception cref="RestoreException">The backup has changed.</exception>
    public static void RequireSame(IEnumerable<StoredFile> listed, VolumeSet volumes, Predicate<string> allows, string where)
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

    /// <summary>Compares what the store has with what was put, before anything is deleted.</summary>
    /// <exception cref="RestoreException">A volume is not there, or not whole.</exception>
    public static void RequirePut(IEnumerable<StoredFile> listed, IEnumerable<StoredFile> put)
    {
        foreach (StoredFile missing in put.Except(listed))
        {
            throw new RestoreException(
                RestoreErrorCode.DestinationNotWritable, "The store does not have the new volume as it was written, so nothing was deleted", missing.Name);
        }
    }

    private static RestoreException Changed(string where) =>
        new(RestoreErrorCode.BackupChanged, "The backup was changed after the plan was made, so nothing was deleted", where);
}
