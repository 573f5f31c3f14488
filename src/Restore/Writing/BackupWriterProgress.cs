namespace Restore.Writing;

/// <summary>A snapshot of the progress of a backup.</summary>
/// <param name="FilesDone">Files that are read, or were found unchanged.</param>
/// <param name="BytesDone">Their length.</param>
/// <param name="BytesRead">Bytes of files that were read.</param>
/// <param name="VolumesWritten">Volumes that the store has got.</param>
/// <param name="BytesWritten">Their length.</param>
/// <param name="Elapsed">Time since the start.</param>
public readonly record struct BackupWriterProgress(
    long FilesDone,
    long BytesDone,
    long BytesRead,
    int VolumesWritten,
    long BytesWritten,
    TimeSpan Elapsed
);
