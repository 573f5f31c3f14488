namespace Restore.Storage;

/// <summary>A sink with a folder that the system can lock.</summary>
internal interface ILockableSink
{
    /// <summary>Shares the lock; null if the file system has no locks.</summary>
    FolderLock? ShareLock();
}
