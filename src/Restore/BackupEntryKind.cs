namespace Restore;

/// <summary>The kind of an entry.</summary>
public enum BackupEntryKind
{
    /// <summary>A file, or an alternate stream of one.</summary>
    File,

    /// <summary>A folder; its path ends with a separator.</summary>
    Folder,

    /// <summary>A symbolic link.</summary>
    Symlink,
}
