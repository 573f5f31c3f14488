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

/// <summary>A snapshot of the progress. The engine reports a few per second, and always the last one.</summary>
/// <param name="Phase">The current phase.</param>
/// <param name="FilesDone">Finished files, right or not.</param>
/// <param name="FilesTotal">Files in the plan, 0 while unknown.</param>
/// <param name="BytesDone">Bytes of content that are in place.</param>
/// <param name="BytesTotal">Bytes of content in the plan.</param>
/// <param name="VolumesDone">Finished volumes (index volumes in the locating phase).</param>
/// <param name="VolumesTotal">Volumes in the plan.</param>
/// <param name="BytesFetched">Bytes read from the store so far.</param>
/// <param name="Elapsed">Time since the start of the phase.</param>
public readonly record struct RestoreProgress(
    RestorePhase Phase,
    long FilesDone,
    long FilesTotal,
    long BytesDone,
    long BytesTotal,
    int VolumesDone,
    int VolumesTotal,
    long BytesFetched,
    TimeSpan Elapsed);
