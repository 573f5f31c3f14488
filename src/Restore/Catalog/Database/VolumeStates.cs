namespace Restore.Catalog.Database;

/// <summary>Duplicati's names for the state of a volume, for a reader.</summary>
internal static class VolumeStates
{
    public static bool IsFinished(string state) => state is "Uploaded" or "Verified";

    /// <summary>
    /// The upload of the volume never completed. (Other unfinished states: the volume was complete
    /// and is to be deleted.)
    /// </summary>
    public static bool IsUnfinished(string state) => state is "Temporary" or "Uploading";
}
