namespace Restore;

/// <summary>The phase of a restore.</summary>
public enum RestorePhase
{
    /// <summary>Reading the file list.</summary>
    ReadingFileList,

    /// <summary>Scanning what is at the target.</summary>
    ScanningTarget,

    /// <summary>Locating the volumes that have the needed blocks.</summary>
    LocatingBlocks,

    /// <summary>Fetching volumes and writing files.</summary>
    Restoring,

    /// <summary>Links, folder times and permissions.</summary>
    Finishing,

    /// <summary>Waiting until the device has everything that was written.</summary>
    Flushing,

    /// <summary>The restore is over.</summary>
    Done,

    /// <summary>Writing, sorting and checking a local database.</summary>
    WritingDatabase,

    /// <summary>Moving blocks to new volumes, and verifying them.</summary>
    MovingBlocks,

    /// <summary>Waiting for another process that restores the same shard.</summary>
    WaitingForShard,
}
