namespace Restore.Catalog.Database;

/// <summary>What Duplicati's words for the state of a volume mean to a reader.</summary>
internal static class VolumeStates
{
    /// <summary>The volume is complete and should be in the folder.</summary>
    public static bool IsFinished(string state) => state is "Uploaded" or "Verified";

    /// <summary>The volume was never completely uploaded. (What is neither this nor finished was complete and is to be deleted.)</summary>
    public static bool IsUnfinished(string state) => state is "Temporary" or "Uploading";
}
