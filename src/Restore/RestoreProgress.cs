namespace Restore;

/// <summary>The part of a run that is under way.</summary>
public enum RestorePhase
{
    /// <summary>Reading the file list.</summary>
    ReadingFileList,

    /// <summary>Looking at what is already at the target.</summary>
    ScanningTarget,

    /// <summary>Finding out which volumes hold the needed blocks.</summary>
    LocatingBlocks,

    /// <summary>Fetching volumes and writing files.</summary>
    Restoring,

    /// <summary>Links, folder times and permissions.</summary>
    Finishing,

    /// <summary>The run is over.</summary>
    Done,
}

/// <summary>A snapshot of a run. The engine sends some a second at most, and the last one always.</summary>
/// <param name="Phase">What is under way.</param>
/// <param name="FilesDone">Files finished, right or not.</param>
/// <param name="FilesTotal">Files in the plan, 0 while it is not known.</param>
/// <param name="BytesDone">Bytes of content that are in place.</param>
/// <param name="BytesTotal">Bytes of content in the plan.</param>
/// <param name="VolumesDone">Volumes (in the locating phase: index volumes) worked through.</param>
/// <param name="VolumesTotal">Volumes in the plan.</param>
/// <param name="BytesFetched">Bytes read from the store so far.</param>
/// <param name="Elapsed">Time since the phase began.</param>
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
