namespace Restore.Storage;

/// <summary>Another program has the lock of a folder.</summary>
internal sealed class FolderLockedException() : IOException("Another program has the lock of the folder");
